/** The list of incoming documents: marks, live changes, and the next document. */
import { expect, test } from 'vitest'
import {
  countOf,
  markOf,
  nextOf,
  patched,
  progressed,
  rejoined,
  targetsOf,
} from '../../../../renderer/purchases/incoming/rows.ts'
import type {
  IncomingList,
  IncomingRow,
  IncomingState,
} from '../../../../renderer/purchases/incoming/rows.ts'

const row = (
  id: string,
  state: IncomingState = 'ready',
  changes: Partial<IncomingRow> = {},
): IncomingRow => ({
  id,
  state,
  source: 'window',
  sourceName: null,
  name: `${id}.pdf`,
  sender: null,
  receivedAt: '2026-06-20T10:00:00.000Z',
  pages: null,
  pageCount: 1,
  pagesRead: 0,
  files: 1,
  why: null,
  supplierName: null,
  supplierNif: null,
  supplierNumber: null,
  issueDate: null,
  total: null,
  currency: null,
  doubts: [],
  duplicateOf: null,
  receivedId: null,
  version: 1,
  ...changes,
})
const idsOf = (rows: readonly IncomingRow[] | null) => rows?.map(({ id }) => id)

test('a mark has words: which page is read, how many fields are left', () => {
  expect(markOf(row('a', 'queued')).word).toBe('queued')
  expect(markOf(row('a', 'reading'))).toMatchObject({ word: 'reading', args: {} })
  expect(markOf(row('a', 'reading', { pageCount: 3, pagesRead: 1 }))).toMatchObject({
    word: 'readingPage',
    args: { page: 2, pages: 3 },
  })
  expect(markOf(row('a', 'reading', { pageCount: 3, pagesRead: 3 })).args).toEqual({ page: 3, pages: 3 })
  expect(markOf(row('a', 'doubtful', { doubts: ['issueDate', 'taxLines', 'total'] }))).toMatchObject({
    word: 'doubtfulFields',
    args: { count: 2 },
  })
  expect(markOf(row('a', 'doubtful')).word).toBe('doubtful')
})

test('only a ready document has the colour of success', () => {
  const states: IncomingState[] = [
    'queued',
    'reading',
    'doubtful',
    'duplicate',
    'not_invoice',
    'failed',
    'entered',
    'rejected',
  ]
  for (const state of states)
    expect([state, markOf(row('a', state)).tone]).not.toEqual([state, 'text-success'])
  expect(markOf(row('a', 'ready')).tone).toBe('text-success')
})

test('lines and total are looked at together', () => {
  expect(targetsOf(['supplierName', 'total', 'taxLines'])).toEqual(['supplierName', 'taxLines'])
  expect(targetsOf(['total'])).toEqual(['taxLines'])
})

test('the count of open documents leaves out what is decided', () => {
  const counts: IncomingList['counts'] = {
    queued: 1,
    reading: 1,
    ready: 2,
    doubtful: 3,
    duplicate: 1,
    not_invoice: 0,
    failed: 1,
    entered: 50,
    rejected: 9,
  }
  expect([countOf(counts, 'open'), countOf(counts, 'entered'), countOf(counts, 'ready')]).toEqual([9, 50, 2])
})

test('a changed document stays in its place, or leaves a list that it no longer fits', () => {
  const rows = [row('a'), row('b'), row('c')]
  expect(patched(rows, row('b', 'doubtful'), 'open')[1]?.state).toBe('doubtful')
  expect(idsOf(patched(rows, row('b', 'entered'), 'open'))).toEqual(['a', 'c'])
  expect(idsOf(patched(rows, row('b', 'doubtful'), 'ready'))).toEqual(['a', 'c'])
  expect(patched(rows, row('z'), 'open')).toBe(rows)
  const reading = progressed(rows, { documentId: 'c', pagesRead: 1, pages: 4 })
  expect(reading[2]).toMatchObject({ state: 'reading', pagesRead: 1, pageCount: 4 })
  expect(progressed(rows, { documentId: 'z', pagesRead: 1, pages: 4 })).toBe(rows)
})

test('the first page that is loaded again joins the rows behind it, each once', () => {
  const rows = [row('c'), row('b'), row('a'), row('z')]
  expect(idsOf(rejoined(rows, [row('d'), row('c'), row('b')]))).toEqual(['d', 'c', 'b', 'a', 'z'])
  // A document that moved up is not shown twice.
  expect(idsOf(rejoined(rows, [row('a'), row('c'), row('b')]))).toEqual(['a', 'c', 'b', 'z'])
  expect(rejoined(rows, [row('f'), row('e')])).toBeNull()
  expect(rejoined(rows, [])).toBeNull()
})

test('after a decision the next document that is read follows, else the one before', () => {
  const rows = [row('a'), row('b'), row('c', 'queued'), row('d')]
  expect(nextOf(rows, 'b')?.id).toBe('d')
  expect(nextOf(rows, 'd')?.id).toBe('b')
  expect(nextOf([row('a'), row('b', 'queued')], 'a')?.id).toBe('b')
  expect(nextOf([row('a')], 'a')).toBeNull()
})
