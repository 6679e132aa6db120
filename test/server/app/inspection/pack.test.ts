/** Inspection pack: deterministic, without secrets, limited to the requested years, and one at a time. */
import { inEmbedded } from '../../../support/engines.ts'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { runCommand } from '../../../../server/cli/main.ts'
import { createCtx } from '../../../../server/context.ts'
import { fillBook } from '../../../../server/app/demo/index.ts'
import { packEntries } from '../../../../server/app/inspection/pack.ts'
import { planOf } from '../../../../server/app/inspection/plan.ts'
import { zipOf } from '../../../../server/domain/formats/zip-stream.ts'
import { sha256Hex } from '../../../../server/domain/sha256.ts'
import { sealedText } from '../../../../server/app/inspection/format.ts'
import { refusal } from '../../../support/books.ts'
import { bytesOf, manifestOf, textOf, unpacked } from '../../../support/files/packs.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'
import { inLongRun } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

async function packOf(world: World, input: { from?: number; to?: number } = {}) {
  const { stream, fileName } = await world.run('books.inspectorPack', input)
  const bytes = await bytesOf(stream)
  return { fileName, bytes, files: unpacked(bytes) }
}

describe('the pack', () => {
  /** Six invoices in two years; no test changes them. */
  let world: World
  beforeAll(async () => {
    world = await openWorld({ shared: true, at: '2026-03-05T10:00:00+01:00' })
    await fillBook(world.ctx(), { invoices: 6, from: '2025-06-01' })
  })
  afterAll(() => world.close())

  test('lists every file with its size and hash in a sealed manifest', async () => {
    const { files, fileName } = await packOf(world)
    const { seal, ...manifest } = manifestOf(files)
    expect(fileName).toBe('inspeccion-B12345674-prueba-2026-03-05.zip')
    expect(manifest.files.map(({ path }) => path)).toEqual(
      Object.keys(files).filter((path) => path !== 'manifest.json'),
    )
    expect(Object.keys(files).some((path) => path.endsWith('BIENES-INVERSION.csv'))).toBe(true)
    expect(Object.keys(files).filter((path) => !/^[ -~]+$/.test(path))).toEqual([])
    for (const { path, bytes, sha256 } of manifest.files)
      expect([path, bytes, sha256]).toEqual([path, files[path]?.byteLength, sha256Hex(files[path]!)])
    expect(seal).toBe(sha256Hex(sealedText(manifest)))
    expect(manifest.invoices).toEqual({ count: 6, missing: [] })
    expect(manifest.selfCheck.ok).toBe(true)
    expect(Object.keys(files).filter((path) => path.endsWith('.pdf'))).toHaveLength(6)
    expect(textOf(files, 'LEEME.txt')).toContain('openssl dgst -sha256')
    // The last event is the export of the books.
    expect(textOf(files, 'audit.jsonl').trimEnd().split('\n').at(-1)).toContain('books.packed')
  })

  test('names the hash of the build that made it, in the manifest and in both readmes', async () => {
    const build = '0123456789abcdef'.repeat(4)
    const ctx = world.ctx()
    const made = async (hash: string | null) => {
      const env = { ...ctx.env, build: hash }
      const madeBy = createCtx({ ...ctx, env })
      return unpacked(await bytesOf(zipOf(packEntries(madeBy, await planOf(madeBy, null)), ctx.now())))
    }
    const built = await made(build)
    expect(manifestOf(built).program).toMatchObject({ version: ctx.env.version, build })
    for (const name of ['LEEME.txt', 'README.txt']) expect(textOf(built, name)).toContain(build)
    const fromSource = await made(null)
    expect(manifestOf(fromSource).program.build).toBeNull()
    expect(textOf(fromSource, 'README.txt')).toContain('run from its sources')
  })

  longTest('is the same, byte for byte, for the same books and instant', async () => {
    await packOf(world)
    const once = async () => {
      const ctx = world.ctx()
      return sha256Hex(await bytesOf(zipOf(packEntries(ctx, await planOf(ctx, null)), ctx.now())))
    }
    const first = await once()
    // ZIP times have a resolution of two seconds: a use of the real clock shows after that.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_100 })
    onTestFinished(() => void vi.useRealTimers())
    expect(await once()).toBe(first)
  })

  test('of some years contains their invoices and books, and the whole audit log', async () => {
    const { files } = await packOf(world, { from: 2025 })
    const manifest = manifestOf(files)
    expect(manifest.years).toEqual({ from: 2025, to: 2025 })
    const invoices = JSON.parse(textOf(files, 'invoices/invoices.json')) as { issueDate: string }[]
    expect(invoices.length).toBeGreaterThan(0)
    expect(invoices.length).toBeLessThan(6)
    expect(invoices.every(({ issueDate }) => issueDate.startsWith('2025'))).toBe(true)
    expect(Object.keys(files).filter((path) => path.startsWith('books/2026'))).toEqual([])
    expect(manifest.audit.events).toBe(textOf(files, 'audit.jsonl').trimEnd().split('\n').length)
  })

  inEmbedded(test)('contains no secret: no key, no token, no password', async () => {
    const { key } = await world.makeKey({ name: 'canary' })
    const { secret } = (await world.run('webhooks.create', {
      url: 'https://example.com/hook',
      events: ['invoice.issued'],
    } as never)) as { secret: string }
    const { files } = await packOf(world)
    const secrets = [
      key,
      secret,
      world.windowToken,
      readFileSync(join(world.folder, 'master.key'), 'utf8').trim(),
    ]
    for (const one of secrets) expect(one.length).toBeGreaterThan(15)
    for (const [path, bytes] of Object.entries(files))
      for (const one of secrets) expect([path, Buffer.from(bytes).includes(one)]).toEqual([path, false])
  })

  test('is made one at a time, reports its progress, and is released when its reader stops', async () => {
    const { stream } = await world.run('books.inspectorPack', {})
    const reader = stream[Symbol.asyncIterator]()
    await reader.next()
    expect((await world.run('books.packProgress', {})).underWay).not.toBeNull()
    expect(await refusal(world.run('books.inspectorPack', {}))).toBe('exports_busy')
    await reader.return?.()
    expect(await world.run('books.packProgress', {})).toEqual({ underWay: null })
    expect((await packOf(world)).bytes.byteLength).toBeGreaterThan(1000)

    const both = [1, 2].map(async () => (await world.run('books.inspectorPack', {})).fileName)
    const ends = await Promise.allSettled(both)
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await world.run('books.packProgress', {})).toEqual({ underWay: null })
  })

  test('is refused for empty books, and for years in the wrong order', async () => {
    const empty = await openWorld()
    expect(await refusal(empty.run('books.inspectorPack', {}))).toBe('nothing_to_export')
    expect(await refusal(empty.run('books.inspectorPack', { from: 2026, to: 2025 }))).toBe(
      'validation_failed',
    )
  })
})

longTest('the command pack writes one file, and never overwrites one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-pack-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const company = join(folder, 'company.json')
  const out = join(folder, 'pack.zip')
  const data = join(folder, 'data')
  writeFileSync(company, JSON.stringify(EXAMPLE_COMPANY))
  const answers: string[] = []
  const run = (...args: string[]) =>
    runCommand([...args, '--data', data, '--key-file', join(folder, 'key')], {
      env: {},
      answer: (line) => answers.push(line),
      say: () => {},
      untilStopped: async () => {},
    })
  expect(await run('init', '--company', company)).toBe(0)
  expect(await run('demo', '--invoices', '2')).toBe(0)
  expect(await run('pack', '--mode', 'test', '--years', '2024-2099', '--out', out)).toBe(0)
  const manifest = manifestOf(unpacked(readFileSync(out)))
  expect(manifest.years).toEqual({ from: 2024, to: 2099 })
  expect(manifest.invoices.count).toBe(2)
  expect(statSync(out).mode & 0o077).toBe(0)
  expect(await run('pack', '--mode', 'test', '--out', out)).toBe(1)
  expect(answers.at(-1)).toContain('"field":"out"')
  expect(await run('pack', '--mode', 'test', '--years', 'all', '--out', `${out}.2`)).toBe(1)
})
