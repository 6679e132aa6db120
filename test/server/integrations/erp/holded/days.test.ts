/** Dates in Spain from texts, instants and seconds, also on the days when the clocks change. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startOfDay } from '../../../../../server/domain/dates.ts'
import { dayOf } from '../../../../../server/integrations/erp/holded/days.ts'
import { RowFault } from '../../../../../server/integrations/erp/reading/untrusted-values.ts'

test.each([
  ['2026-05-04', '2026-05-04'],
  [' 2026-05-04 ', '2026-05-04'],
  ['04/05/2026', '2026-05-04'],
  ['4/5/2026', '2026-05-04'],
  ['04/05/2026 23:59', '2026-05-04'],
  // Without an offset the clock is Spain's.
  ['2026-05-04T23:59:59', '2026-05-04'],
  ['2026-05-04 00:00:00', '2026-05-04'],
  ['2026-05-03T22:00:00Z', '2026-05-04'],
  ['2026-05-03T21:59:59.999Z', '2026-05-03'],
  ['2026-05-04T00:30:00+05:00', '2026-05-03'],
  ['2026-05-04T00:30+0200', '2026-05-04'],
  // Winter and summer time.
  ['2026-03-28T22:59:59Z', '2026-03-28'],
  ['2026-03-28T23:00:00Z', '2026-03-29'],
  ['2026-03-29T21:59:59Z', '2026-03-29'],
  ['2026-03-29T22:00:00Z', '2026-03-30'],
  ['2026-10-24T22:00:00Z', '2026-10-25'],
  ['2026-10-25T22:59:59Z', '2026-10-25'],
  ['2026-10-25T23:00:00Z', '2026-10-26'],
  // Midnight in Madrid, in seconds, as text and in milliseconds.
  [1_767_222_000, '2026-01-01'],
  ['1767222000', '2026-01-01'],
  [1_767_221_999, '2025-12-31'],
  [1_767_222_000_000, '2026-01-01'],
])('%j is %s', (value, day) => expect(dayOf(value, 'date')).toBe(day))

test.each([null, undefined, '', ' ', 0, '0', false, [], {}])('%j contains no date', (value) =>
  expect(dayOf(value, 'date')).toBeNull(),
)

test.each([
  '2026-02-29',
  '2026-13-01',
  '0000-00-00',
  '31/04/2026',
  '2026-02-30T10:00:00Z',
  '2026-05-04T25:00:00Z',
  'mañana',
  '2026-5-4',
  1e300,
  -1e15,
  '99999999999999999',
])('%j does not exist in the calendar', (value) =>
  expect(() => dayOf(value, 'due_date')).toThrow(new RowFault('impossible_date', 'due_date')),
)

test('the seconds of every midnight give its date', () => {
  const from = Date.parse('1990-01-01')
  fc.assert(
    fc.property(fc.nat(20_000), (days) => {
      const day = new Date(from + days * 86_400_000).toISOString().slice(0, 10)
      const seconds = startOfDay(day).getTime() / 1000
      expect(dayOf(seconds, 'date')).toBe(day)
      expect(dayOf(seconds + 23 * 3600 - 1, 'date')).toBe(day)
    }),
  )
})
