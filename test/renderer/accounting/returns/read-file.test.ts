/** A file made for the tax agency in the window: where its faults are, and its boxes beside those of Sello. */
import { expect, test } from 'vitest'
import { MOST_BYTES, placeOf, shownBoxes } from '../../../../renderer/accounting/returns/read-file.ts'
import { MAX_FILE_BYTES } from '../../../../server/accounting/returns/files/read.ts'

test('a fault is placed by its record, counted from 1, and by the field in it', () => {
  expect(placeOf('records[0].27')).toEqual({ record: 1, key: '27' })
  expect(placeOf('records[41]')).toEqual({ record: 42, key: null })
  expect([placeOf('content'), placeOf('head.version'), placeOf(undefined)]).toEqual([null, null, null])
})

test('boxes stand beside those of Sello, and alone where nothing is compared', () => {
  const boxes = [
    { box: '114', record: '02000', kind: 'amount' as const, amount: 5 },
    { box: '114', record: '02000', kind: 'amount' as const, amount: 7 },
  ]
  const alone = shownBoxes({ boxes, comparison: null })
  expect(alone.map(({ box, file, sello, differs }) => [box, file, sello, differs])).toEqual([
    ['114', 5, null, false],
    ['114', 7, null, false],
  ])
  expect(new Set(alone.map(({ id }) => id)).size).toBe(2)
  const compared = { box: '27', kind: 'amount' as const, file: 5, sello: 6, differs: true }
  const comparison = { against: 'computed' as const, boxes: [compared], differences: 1 }
  expect(shownBoxes({ boxes, comparison })).toEqual([{ id: '27', ...compared }])
})

test('the window and the server take files of the same size', () => {
  expect(MOST_BYTES).toBe(MAX_FILE_BYTES)
})
