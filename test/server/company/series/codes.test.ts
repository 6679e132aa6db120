/** Numbers of a series that begin with the search text. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printedNumber, sequencesBeginning } from '../../../../server/company/series/index.ts'

test('the beginning of a code matches the whole series', () => {
  expect(sequencesBeginning('F2026', 'F20')).toBe('all')
  expect(sequencesBeginning('F2026', 'F2026-')).toBe('all')
})

test('another series has no match', () => {
  expect(sequencesBeginning('F2026', 'F2025-01')).toEqual([])
  expect(sequencesBeginning('F2026', 'F2026-0A')).toEqual([])
})

test('numbers below ten thousand are padded with zeros', () => {
  expect(sequencesBeginning('F2026', 'F2026-01')).toEqual([[100, 199]])
  expect(sequencesBeginning('F2026', 'F2026-00012')).toEqual([])
})

test('the ranges contain exactly the printed numbers with that beginning', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9_999_999 }),
      fc.integer({ min: 1, max: 9_999_999 }),
      fc.nat(7),
      (own, other, cut) => {
        const digits = printedNumber('F2026', own).slice(6)
        const prefix = `F2026-${digits.slice(0, 1 + (cut % digits.length))}`
        const ranges = sequencesBeginning('F2026', prefix)
        for (const sequence of [own, other]) {
          const inside = ranges !== 'all' && ranges.some(([from, to]) => from <= sequence && sequence <= to)
          expect(inside).toBe(printedNumber('F2026', sequence).startsWith(prefix))
        }
      },
    ),
  )
})
