/**
 * What a desk with one company runs while nobody uses it: nothing of the people of an office, of the console over many
 * companies and of change bundles. V8 lists the scripts that a process has compiled.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { serveWindow } from '../../support/browser/served-window.ts'
import { copyBooks } from '../../support/browser/prepared-books.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const PARTS = ['people', 'console', 'summaries', 'bundles', 'collaboration', 'companies']
/** The door that loads bundles on demand. */
const EVERYWHERE = ['app/bundles/index.ts']

interface Coverage {
  result: { url: string }[]
}

const sources = (folder: string): string[] =>
  readdirSync(join(ROOT, 'server', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))

/** Returns the functions that a source file declares; the built files keep their names. */
function functionsOf(source: string): string[] {
  const text = readFileSync(join(ROOT, 'server', source), 'utf8')
  return [...text.matchAll(/^(?:export )?(?:async )?function\*? (\w+)/gm)].map(([, name = '']) => name)
}

test('an idle desk runs nothing of people, console and bundles', { timeout: 60_000 }, async () => {
  const base = mkdtempSync(join(tmpdir(), 'sello-idle-'))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const folder = join(base, 'books')
  await copyBooks(folder, { invoices: 0, sandbox: false })
  const coverage = join(base, 'coverage')
  mkdirSync(coverage)
  const served = await serveWindow(folder, { env: { ...process.env, NODE_V8_COVERAGE: coverage } })
  // The work after a start begins within three seconds; what is deleted in time comes last.
  await new Promise((done) => setTimeout(done, 6_000))
  await served.end()
  const scripts = readdirSync(coverage)
    .flatMap((name) => (JSON.parse(readFileSync(join(coverage, name), 'utf8')) as Coverage).result)
    .map(({ url }) => url)
    .filter((url) => url.includes('/out/main/'))
  const texts = [...new Set(scripts)].map((url) => readFileSync(new URL(url), 'utf8'))
  const runs = (name: string): boolean =>
    texts.some((text) => new RegExp(`function\\*? ${name}\\(`).test(text))
  // The work after a start was there.
  expect(
    ['createDocumentJobs', 'pruneFilingConfirmations', 'pruneWorks'].filter((name) => !runs(name)),
  ).toEqual([])
  const parts = PARTS.flatMap((part) => sources(join('app', part))).filter(
    (name) => !EVERYWHERE.includes(name),
  )
  const others = new Set(
    sources('.')
      .filter((name) => !parts.includes(name))
      .flatMap(functionsOf),
  )
  const names = parts.flatMap(functionsOf).filter((name) => !others.has(name))
  expect(names.length).toBeGreaterThan(200)
  expect(names.filter(runs)).toEqual([])
})
