/** Removal of rows from a long list held by page. */
import { expect, test } from 'vitest'
import { withoutRows } from '../../../../renderer/components/grid/paged-rows.ts'

const pagesOf = (...pages: [number, string][]) => new Map(pages.map(([page, rows]) => [page, [...rows]]))
const without = (pages: Map<number, string[]>, gone: string) => {
  const { next, forgotten, missing } = withoutRows(pages, 3, (row) => gone.includes(row))
  return { next: [...next].map(([page, rows]) => [page, rows.join('')]), forgotten, missing }
}

test('rows below move up, over contiguous pages', () => {
  expect(without(pagesOf([0, 'abc'], [1, 'def'], [2, 'g']), 'b')).toEqual({
    next: [
      [0, 'acd'],
      [1, 'efg'],
    ],
    forgotten: [],
    missing: 1,
  })
})

test('pages beyond a gap are dropped once a row before it was removed, and kept otherwise', () => {
  expect(without(pagesOf([0, 'abc'], [4, 'mno'], [5, 'pqr']), 'a')).toEqual({
    next: [[0, 'bc']],
    forgotten: [4, 5],
    missing: 1,
  })
  expect(without(pagesOf([0, 'abc'], [4, 'mno'], [5, 'pqr']), 'n')).toEqual({
    next: [
      [0, 'abc'],
      [4, 'mop'],
      [5, 'qr'],
    ],
    forgotten: [],
    missing: 1,
  })
})

test('removing all rows leaves an empty page, removing none leaves everything', () => {
  expect(without(pagesOf([0, 'ab']), 'ab')).toEqual({ next: [[0, '']], forgotten: [], missing: 2 })
  expect(without(pagesOf([0, 'ab']), 'z')).toEqual({ next: [[0, 'ab']], forgotten: [], missing: 0 })
})
