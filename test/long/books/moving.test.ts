/** A file of fifty thousand rows moved in by a program of its own: time, memory, and how long other requests wait. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startChild } from '../../support/children/run.ts'
import { bigBook } from '../../support/moving/big-book.ts'

const DOCUMENTS = 25_000
const MOST_MB = 400
/** Longest that a request of somebody else may wait. */
const MOST_WAIT_MS = 500

test.each(['csv', 'xlsx'] as const)('fifty thousand rows as %s', async (format) => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-move-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'libros.zip')
  writeFileSync(file, await bigBook(DOCUMENTS, format))
  const from = performance.now()
  const child = startChild('move', [join(folder, 'store'), file, 'undo'])
  let readAfter = 0
  let line = await child.line()
  while (line.done === undefined) {
    if (line.read !== undefined) readAfter = performance.now() - from
    line = await child.line()
  }
  const took = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`
  const all = took(from)
  const undoFrom = performance.now()
  const undone = await child.line()
  process.stdout.write(
    `${format}: read ${(readAfter / 1000).toFixed(1)} s, all ${all}, wait ${Number(line.waitMs).toFixed(0)} ms, ` +
      `undone in ${took(undoFrom)}, wait ${Number(undone.waitMs).toFixed(0)} ms, ${Number(undone.tables)} tables ` +
      `equal, peak ${Number(undone.peakMb).toFixed(0)} MB\n`,
  )
  expect(line).toMatchObject({ done: DOCUMENTS, base: DOCUMENTS * 150 })
  expect(undone).toMatchObject({ undone: DOCUMENTS, differ: [] })
  expect(Number(undone.tables)).toBeGreaterThan(100)
  expect(Number(undone.peakMb)).toBeLessThan(MOST_MB)
  expect(Math.max(Number(line.waitMs), Number(undone.waitMs))).toBeLessThan(MOST_WAIT_MS)
})
