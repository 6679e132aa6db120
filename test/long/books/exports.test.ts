/** An archive of a thousand signed documents: its duration, and that memory does not accumulate. */
import { randomBytes } from 'node:crypto'
import { createWriteStream, readFileSync, statSync } from 'node:fs'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { pipeline } from 'node:stream/promises'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { sha256Hex } from '../../../server/domain/sha256.ts'
import { fillBook } from '../../../server/app/demo/index.ts'
import { saveDocument } from '../../../server/sales/invoices/index.ts'
import { refusal } from '../../support/books.ts'
import { makeP12 } from '../../support/files/certificates.ts'
import { openWorld, PORT } from '../../support/world.ts'
import type { World } from '../../support/world.ts'

const DOCUMENTS = 1000
const MOST_GROWTH_BYTES = 200e6
/** Of one document in the large archive: in total three times as much as memory may grow by. */
const HEAVY_BYTES = 600_000
const LOOK_EVERY_MS = 400

const megabytes = (value: number): string => `${(value / 1e6).toFixed(0)} MB`

/** Returns the highest resident set during a task, and its duration. */
async function measured<T>(work: () => Promise<T>): Promise<{ result: T; peak: number; seconds: number }> {
  let peak = 0
  const look = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20)
  const started = performance.now()
  const result = await work()
  clearInterval(look)
  return { result, peak, seconds: (performance.now() - started) / 1000 }
}

async function prepare(world: World, input: object): Promise<string> {
  const { body } = await world.post('/api/v1/exports', input)
  for (;;) {
    const { state, failedCount } = (await world.get(`/api/v1/exports/${body.data.id}`)).body.data
    expect(failedCount).toBe(0)
    if (state === 'ready') return body.data.id
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

/** Downloads over a real socket into a file. */
async function download(world: World, id: string, file: string): Promise<void> {
  const address = world.app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  const headers = { host: `127.0.0.1:${PORT}`, authorization: `Bearer ${await world.key()}` }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const { port } = address
    request({ host: '127.0.0.1', port, path: `/api/v1/exports/${id}/file`, headers }, resolve)
      .once('error', reject)
      .end()
  })
  expect(answer.statusCode).toBe(200)
  await pipeline(answer, createWriteStream(file))
}

test(`${DOCUMENTS} documents are rendered, signed and downloaded as one archive`, async () => {
  const world = await openWorld()
  await world.app.listen({ host: '127.0.0.1', port: 0 })
  const { p12 } = makeP12({ password: 'clave' })
  await world.run(
    'certificates.import',
    { file: p12.toString('base64'), password: 'clave' },
    { book: 'live' },
  )
  await fillBook(world.ctx(), { invoices: DOCUMENTS })
  // Threads, fonts and code are loaded before anything is measured.
  const { items } = await world.run('invoices.list', { state: 'issued', limit: 100 })
  await prepare(world, { ids: items.map(({ id }) => id) })
  const before = process.memoryUsage.rss()
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const made = await measured(() => prepare(world, { filter: {} }))
  delay.disable()
  const file = join(world.folder, 'facturas.zip')
  const between = process.memoryUsage.rss()
  const loaded = await measured(() => download(world, made.result, file))
  const bytes = statSync(file).size
  const again = await measured(() => prepare(world, { filter: {} }))
  console.info(
    [
      `${DOCUMENTS} documents made in ${made.seconds.toFixed(1)} s`,
      `${megabytes(bytes)} downloaded in ${loaded.seconds.toFixed(1)} s`,
      `prepared again in ${again.seconds.toFixed(1)} s`,
      `longest wait of the program ${(delay.max / 1e6).toFixed(0)} ms, of 99 in 100 ${(delay.percentile(99) / 1e6).toFixed(0)} ms`,
      `resident ${megabytes(before)} before drawing and ${megabytes(made.peak)} at most, ${megabytes(between)} before downloading and ${megabytes(loaded.peak)} at most`,
    ].join('; '),
  )
  expect(made.peak - before).toBeLessThan(MOST_GROWTH_BYTES)
  expect(loaded.peak - between).toBeLessThan(MOST_GROWTH_BYTES)

  const files = unzipSync(new Uint8Array(readFileSync(file)))
  expect(Object.keys(files)).toHaveLength(DOCUMENTS + 1)
  const rows = Buffer.from(files['indice.csv']!).toString('utf8').trim().split('\r\n').slice(1)
  expect(rows).toHaveLength(DOCUMENTS)
  for (const row of rows) {
    const [name = '', sha256, signature] = row.split(';').slice(5)
    expect([sha256Hex(Buffer.from(files[name]!)), signature]).toEqual([sha256, 'PAdES-B-B'])
  }
})

test('an archive far larger than the memory limit is streamed', async () => {
  const world = await openWorld()
  await world.app.listen({ host: '127.0.0.1', port: 0 })
  await fillBook(world.ctx(), { invoices: DOCUMENTS, drafts: 0, lines: 1 })
  const rows = await world.env.store.reader.selectFrom('invoices').select('id').execute()
  for (const { id: invoiceId } of rows) {
    const bytes = randomBytes(HEAVY_BYTES)
    const sha256 = Buffer.from(sha256Hex(bytes), 'hex')
    const kept = {
      invoiceId,
      format: 'a4',
      language: 'es',
      content: { cell: bytes, sha256 },
      renderer: 'test',
      signature: null,
    } as const
    await world.ctx().transaction((tx) => saveDocument(tx, kept))
  }
  const id = await prepare(world, { filter: {} })
  const file = join(world.folder, 'facturas.zip')
  const before = process.memoryUsage.rss()
  const { peak, seconds } = await measured(() => download(world, id, file))
  const { size } = statSync(file)
  console.info(
    `${megabytes(size)} downloaded in ${seconds.toFixed(1)} s; resident ${megabytes(before)} before, ${megabytes(peak)} at most`,
  )
  expect(size).toBeGreaterThan(DOCUMENTS * HEAVY_BYTES)
  expect(peak - before).toBeLessThan(MOST_GROWTH_BYTES)
})

test('one archive takes at most ten thousand documents', async () => {
  const world = await openWorld()
  await fillBook(world.ctx(), { invoices: 10_001, drafts: 2, lines: 1 })
  expect(await refusal(world.run('exports.create', { filter: {} }))).toBe('export_too_many')
  // Without those of the last day it fits.
  const { id, total } = await world.run('exports.create', { filter: { to: '2026-06-30' }, format: 'cii' })
  expect(total).toBeGreaterThan(9_900)
  const { seconds, peak } = await measured(async () => {
    for (;;) {
      const { state, failedCount } = await world.run('exports.get', { id })
      expect(failedCount).toBe(0)
      if (state === 'ready') return
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
  })
  console.info(`${total} files written in ${seconds.toFixed(1)} s; resident ${megabytes(peak)} at most`)
  let size = 0
  for await (const piece of (await world.run('exports.file', { id })).stream) size += piece.byteLength
  expect(size).toBeGreaterThan(total * 1000)
})
