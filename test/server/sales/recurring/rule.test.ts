/** Rules in days of the calendar: last days of months, leap years, nth weekdays, and their RFC 5545 text both ways. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, daysBetween } from '../../../../server/domain/dates.ts'
import type { RecurrenceRule } from '../../../../server/sales/recurring/contract.ts'
import { WEEKDAYS } from '../../../../server/sales/recurring/weekdays.ts'
import {
  dayFrom,
  daysFrom,
  occursOn,
  ruleFaults,
  ruleOfText,
  ruleText,
} from '../../../../server/sales/recurring/rule.ts'

test.each<[string, RecurrenceRule, string[]]>([
  [
    'the 31st is the last day of shorter months',
    { freq: 'monthly', start: '2027-12-31', byMonthDay: 31 },
    ['2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30'],
  ],
  [
    'the 30th gives way only in February',
    { freq: 'monthly', start: '2026-12-30' },
    ['2026-12-30', '2027-01-30', '2027-02-28', '2027-03-30'],
  ],
  [
    'a start on 28 February with the 31st goes back to the 31st',
    { freq: 'monthly', start: '2027-02-28', byMonthDay: 31 },
    ['2027-02-28', '2027-03-31', '2027-04-30'],
  ],
  [
    'every quarter on the first',
    { freq: 'monthly', interval: 3, start: '2026-10-01', byMonthDay: 1 },
    ['2026-10-01', '2027-01-01', '2027-04-01'],
  ],
  [
    'the day of the month before the start waits for the next month',
    { freq: 'monthly', start: '2026-11-21', byMonthDay: 5 },
    ['2026-12-05', '2027-01-05'],
  ],
  [
    'the last Friday of the month',
    { freq: 'monthly', start: '2026-11-01', byWeekday: ['FR'], nth: -1 },
    ['2026-11-27', '2026-12-25', '2027-01-29'],
  ],
  [
    'every two weeks on Monday and Thursday, from a Wednesday',
    { freq: 'weekly', interval: 2, start: '2026-11-18', byWeekday: ['TH', 'MO'] },
    ['2026-11-19', '2026-11-30', '2026-12-03', '2026-12-14'],
  ],
  [
    '29 February is 28 in other years',
    { freq: 'yearly', start: '2028-02-29' },
    ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
  ],
  [
    'so many times and no more',
    { freq: 'monthly', start: '2026-01-15', count: 2 },
    ['2026-01-15', '2026-02-15'],
  ],
  [
    'until a day, that day included',
    { freq: 'weekly', start: '2026-01-05', until: '2026-01-19' },
    ['2026-01-05', '2026-01-12', '2026-01-19'],
  ],
])('%s', async (_name, rule, days) => {
  expect(await daysFrom(rule, rule.start, days.length)).toEqual(days)
})

test('a rule is kept as RFC 5545 text without times', async () => {
  expect(await ruleText({ freq: 'monthly', start: '2026-11-30', byMonthDay: 31, until: '2027-06-30' })).toBe(
    'DTSTART;VALUE=DATE:20261130\nRRULE:FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=28,29,30,31;BYSETPOS=-1;UNTIL=20270630',
  )
})

const day = fc.integer({ min: 0, max: 2500 }).map((days) => addDays('2026-01-01', days))
const weekdays = fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1, maxLength: 7 })
const ends = fc.constantFrom('never', 'until', 'count')
const anyRule: fc.Arbitrary<RecurrenceRule> = fc
  .tuple(
    fc.oneof(
      fc.record({ freq: fc.constant('weekly' as const), byWeekday: weekdays }),
      fc.record({ freq: fc.constant('monthly' as const), byMonthDay: fc.integer({ min: 1, max: 31 }) }),
      fc.record({
        freq: fc.constant('monthly' as const),
        byWeekday: fc.constantFrom(...WEEKDAYS).map((one) => [one]),
        nth: fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const, -1 as const),
      }),
      fc.record({ freq: fc.constant('yearly' as const) }),
    ),
    fc.integer({ min: 1, max: 12 }),
    day,
    ends,
    fc.integer({ min: 1, max: 40 }),
  )
  .map(([kind, interval, start, end, count]) => ({
    ...kind,
    interval,
    start,
    ...(end === 'until' ? { until: addDays(start, count * 30) } : end === 'count' ? { count } : {}),
  }))

test('a rule read back from its text has the same days', async () => {
  await fc.assert(
    fc.asyncProperty(anyRule, async (rule) => {
      expect(ruleFaults(rule)).toEqual([])
      const again = await ruleOfText(await ruleText(rule))
      expect(await ruleText(again)).toBe(await ruleText(rule))
      expect(await daysFrom(again, rule.start, 10)).toEqual(await daysFrom(rule, rule.start, 10))
    }),
    { numRuns: 200 },
  )
})

test('a monthly rule has one day in each of its months, none is left out for being short', async () => {
  await fc.assert(
    fc.asyncProperty(day, fc.integer({ min: 1, max: 31 }), async (start, byMonthDay) => {
      const days = await daysFrom({ freq: 'monthly', start, byMonthDay }, start, 30)
      const months = days.map((each) => Number(each.slice(0, 4)) * 12 + Number(each.slice(5, 7)))
      for (const [index, month] of months.entries()) expect(month).toBe((months[0] ?? 0) + index)
      for (const each of days) expect(Number(each.slice(8)) <= byMonthDay).toBe(true)
    }),
    { numRuns: 100 },
  )
})

test('the first day from a day is the first of the days from it', async () => {
  await fc.assert(
    fc.asyncProperty(anyRule, day, async (rule, from) => {
      const [first = null] = await daysFrom(rule, from, 1)
      expect(await dayFrom(rule, from)).toBe(first)
      if (first === null) return
      expect(daysBetween(from, first)).toBeGreaterThanOrEqual(0)
      expect(await occursOn(rule, first)).toBe(true)
    }),
    { numRuns: 200 },
  )
})

test('a rule that contradicts itself says where', () => {
  const faults = (rule: RecurrenceRule) => ruleFaults(rule).map(({ field }) => field)
  expect(faults({ freq: 'weekly', start: '2026-01-01', byMonthDay: 3 })).toEqual(['rule.byMonthDay'])
  expect(faults({ freq: 'monthly', start: '2026-01-01', nth: 2 })).toEqual(['rule.nth'])
  expect(faults({ freq: 'monthly', start: '2026-01-01', nth: 1, byWeekday: ['MO'], byMonthDay: 2 })).toEqual([
    'rule.byMonthDay',
  ])
  expect(faults({ freq: 'yearly', start: '2026-01-01', byWeekday: ['MO'] })).toEqual(['rule.byWeekday'])
  expect(faults({ freq: 'weekly', start: '2026-01-02', until: '2026-01-01', count: 3 })).toEqual([
    'rule.count',
    'rule.until',
  ])
})
