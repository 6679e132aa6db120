/** Inspector's pack of a book with ten thousand invoices: constant memory, and a responsive server meanwhile. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { fillBook } from '../../../server/app/demo/index.ts'
import { openWorld } from '../../support/world.ts'

const INVOICES = 10_000
/** About the size of a signed page; random, as PDFs are to a compressor. */
const DOCUMENT_BYTES = 45_000
const MIB = 1024 * 1024

test('ten thousand invoices are sent as one stream', { timeout: 900_000 }, async () => {
  const world = await openWorld({ at: '2026-11-05T10:00:00+01:00' })
  await fillBook(world.ctx(), { invoices: INVOICES })
  // Rendering them would take the time; the archive is what is measured.
  await world.env.store.transaction(null, async (db) => {
    const rows = await db.selectFrom('invoices').select('id').where('number', 'is not', null).execute()
    for (const { id } of rows) {
      const bytes = new Uint8Array(DOCUMENT_BYTES)
      crypto.getRandomValues(bytes)
      await db
        .insertInto('documents')
        .values({
          invoice_id: id,
          format: 'a4',
          language: 'es',
          sha256: new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)),
          bytes,
          renderer: 'none',
          rendered_at: 0,
        })
        .execute()
    }
  })
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let peak = before
  let bytes = 0
  const delays: Record<string, number> = {}
  let lateBy = 0
  let due = performance.now() + 5
  const watch = setInterval(() => {
    lateBy = Math.max(lateBy, performance.now() - due)
    due = performance.now() + 5
  }, 5)
  const loop = monitorEventLoopDelay({ resolution: 5 })
  loop.enable()
  const begun = performance.now()
  const { stream } = await world.run('books.inspectorPack', {})
  for await (const piece of stream) {
    bytes += piece.byteLength
    peak = Math.max(peak, process.memoryUsage().rss)
    if (lateBy > 0) {
      const step = (await world.run('books.packProgress', {})).underWay?.step ?? 'end'
      delays[step] = Math.max(delays[step] ?? 0, Math.round(lateBy))
      lateBy = 0
    }
  }
  const seconds = (performance.now() - begun) / 1000
  clearInterval(watch)
  loop.disable()
  console.log(
    JSON.stringify({
      seconds: Math.round(seconds),
      mib: Math.round(bytes / MIB),
      rssBeforeMib: Math.round(before / MIB),
      rssPeakMib: Math.round(peak / MIB),
      delayP99Ms: Math.round(loop.percentile(99) / 1e6),
      delayMaxMs: Math.round(loop.max / 1e6),
      delayMaxByStep: delays,
    }),
  )
  expect(bytes).toBeGreaterThan(INVOICES * DOCUMENT_BYTES)
  // Far less than the archive: nothing of it is held in memory.
  expect(peak - before).toBeLessThan(300 * MIB)
  expect(loop.percentile(99) / 1e6).toBeLessThan(200)
  // The verification before the first file runs queries that cannot be split; the rest is done in steps.
  const { checking: _, ...making } = delays
  expect(Math.max(...Object.values(making))).toBeLessThan(500)
})
