/**
 * The console over many companies: the time of its operation on the server, and of its page in Chromium, as ratios to their
 * limits. `node bench/console/run.ts [--companies N] [--rounds N] [--postgres]`. Exits with 1 if a limit is exceeded. Needs a
 * build.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { openSello } from '../../server/api/application.ts'
import { loadOperation } from '../../server/api/operations.ts'
import { runOperation } from '../../server/api/run.ts'
import type { OpenedSello } from '../../server/app/environment.ts'
import { createCtx, NO_BOOK } from '../../server/context.ts'
import runtime from '../../build/runtime.json' with { type: 'json' }
import { letIn } from '../../test/support/browser/admission.ts'
import { launchBrowser } from '../../test/support/browser/browser.ts'
import { addClients } from '../../test/support/office/clients.ts'
import { tool } from '../../test/support/tools.ts'
import { openOn, OfficePlace } from '../office/place.ts'

const SERVER_MS = 300
const PAGE_MS = 1_200
const ROOT = resolve(import.meta.dirname, '..', '..')

const { values } = parseArgs({
  options: {
    companies: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '15' },
    postgres: { type: 'boolean', default: false },
  },
})
const companies = Number(values.companies)
const rounds = Number(values.rounds)

interface Figure {
  name: string
  ms: number[]
  limit: number
}

const sorted = (ms: readonly number[]): number[] => ms.toSorted((a, b) => a - b)
const median = (ms: readonly number[]): number => sorted(ms)[Math.floor(ms.length / 2)] ?? Number.NaN
const worst = (ms: readonly number[]): number => sorted(ms).at(-1) ?? Number.NaN

/** Prints a figure; returns whether its median is within the limit, as for all benchmarks. */
function report({ name, ms, limit }: Figure): boolean {
  const ratio = (median(ms) / limit).toFixed(2)
  console.log(
    `${name}: median ${median(ms).toFixed(1)} ms of ${limit} ms (ratio ${ratio}), slowest ${worst(ms).toFixed(1)} ms, ${ms.length} runs`,
  )
  return median(ms) <= limit
}

/** Measures the operation as the window calls it: contract, filter, order and totals included. */
async function server(name: string, sello: OpenedSello): Promise<Figure> {
  const operation = await loadOperation('console.list')
  const { env } = sello
  const actor = { kind: 'user', id: 'user', name: 'Persona' } as const
  const list = (input: object): Promise<unknown> =>
    runOperation(
      operation,
      createCtx({ env, book: NO_BOOK, actor, channel: 'ui', requestId: env.newId('req') }),
      input,
    )
  const inputs = [
    { limit: 200 },
    { limit: 200, sort: 'trouble' },
    { cards: ['late'] },
    { text: 'talleres' },
    {},
  ]
  for (const input of inputs) await list(input)
  const ms: number[] = []
  for (let round = 0; round < rounds; round++)
    for (const input of inputs) {
      const begun = performance.now()
      await list(input)
      ms.push(performance.now() - begun)
    }
  return { name, ms, limit: SERVER_MS }
}

/** Runs in the page: notes when the rows and the numbers are painted, in milliseconds since the request for the page. */
function noteShown(): void {
  const look = (): void => {
    const isThere =
      document.querySelectorAll('[role="row"]').length > 12 && document.querySelector('button[aria-pressed]')
    requestAnimationFrame(
      isThere
        ? () => setTimeout(() => ((globalThis as { shownAt?: number }).shownAt = performance.now()))
        : look,
    )
  }
  look()
}

async function page(folder: string): Promise<Figure> {
  const child = spawn(
    process.execPath,
    [...runtime.nodeFlags, join(ROOT, 'out', 'main', 'cli.js'), 'serve', '--data', folder, '--port', '0'],
    { env: { ...runtime.environment, ...process.env }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const line = await new Promise<string>((done, failed) => {
    createInterface({ input: child.stdout }).once('line', done)
    child.once('exit', (code) => failed(new Error(`The server ended with ${code}.`)))
  })
  const address = JSON.parse(line) as { url: string; uiUrl: string }
  const browser = await launchBrowser()
  try {
    const ms: number[] = []
    // The first round starts the browser, and is discarded.
    for (let round = -1; round < rounds; round++) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'es-ES' })
      await letIn(address, context)
      const window = await context.newPage()
      await window.addInitScript(noteShown)
      await window.goto(`${address.url}/console`)
      const shown = await window.waitForFunction(() => (globalThis as { shownAt?: number }).shownAt)
      const took = (await shown.jsonValue()) ?? Number.NaN
      if (round >= 0) ms.push(took)
      await context.close()
    }
    return { name: `page of ${companies} companies, empty cache`, ms, limit: PAGE_MS }
  } finally {
    await browser.close()
    child.kill('SIGTERM')
  }
}

const folder = mkdtempSync(join(tmpdir(), 'sello-console-'))
let isWithin = true
try {
  const sello = await openSello({ dataDir: folder, create: true, keychain: null })
  await addClients(sello.env, companies, { staff: true })
  isWithin = report(await server(`console.list of ${companies} companies, SQLite`, sello)) && isWithin
  await sello.close()
  if (tool('chromium')) isWithin = report(await page(folder)) && isWithin
  else console.log('Chromium is not there: the page was not measured.')
  if (values.postgres) {
    const place = await OfficePlace.start()
    if (!place) throw new Error('PostgreSQL is not there.')
    try {
      const office = await openOn(await place.create())
      await addClients(office.env, companies, { staff: true })
      isWithin =
        report(await server(`console.list of ${companies} companies, PostgreSQL`, office)) && isWithin
      await office.close()
    } finally {
      await place.stop()
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = isWithin ? 0 : 1
