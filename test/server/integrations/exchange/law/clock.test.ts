/** The four days: the vectors that were worked out by hand, and the days for reminders. */
import { expect, test } from 'vitest'
import {
  countedDaysLeft,
  lastDayFor,
  reminderStep,
} from '../../../../../server/integrations/exchange/law/clock.ts'
import { nationalHolidays } from '../../../../../server/domain/tax/national-holidays.ts'
import { addDays } from '../../../../../server/domain/dates.ts'

/** Day of the event, last day with nine holidays, last day with 6 January as well. */
const VECTORS = `
2027-10-07 2027-10-14 2027-10-14
2027-10-08 2027-10-15 2027-10-15
2027-10-09 2027-10-15 2027-10-15
2027-10-10 2027-10-15 2027-10-15
2027-10-11 2027-10-18 2027-10-18
2027-10-12 2027-10-18 2027-10-18
2027-10-29 2027-11-05 2027-11-05
2027-11-01 2027-11-05 2027-11-05
2027-12-02 2027-12-10 2027-12-10
2027-12-03 2027-12-13 2027-12-13
2027-12-06 2027-12-13 2027-12-13
2027-12-08 2027-12-14 2027-12-14
2027-12-23 2027-12-29 2027-12-29
2027-12-24 2027-12-30 2027-12-30
2027-12-30 2028-01-05 2028-01-05
2027-12-31 2028-01-06 2028-01-07
2028-01-03 2028-01-07 2028-01-10
2028-01-05 2028-01-11 2028-01-12
2028-04-10 2028-04-17 2028-04-17
2028-04-11 2028-04-18 2028-04-18
2028-04-13 2028-04-20 2028-04-20
2028-04-28 2028-05-05 2028-05-05
2028-08-11 2028-08-18 2028-08-18
2028-10-06 2028-10-13 2028-10-13
2028-10-09 2028-10-16 2028-10-16
2029-03-27 2029-04-03 2029-04-03
2029-03-29 2029-04-05 2029-04-05
2029-10-08 2029-10-15 2029-10-15
2029-12-31 2030-01-07 2030-01-07`
  .trim()
  .split('\n')
  .map((row) => row.split(' ') as [string, string, string])

test.each(VECTORS)('what happens on %s is reported by %s, or by %s with 6 January', (event, nine, ten) => {
  expect(lastDayFor(event)).toBe(nine)
  expect(lastDayFor(event, 'ten')).toBe(ten)
})

test('the alarm is never later than the day with all ten holidays', () => {
  for (let day = '2026-10-06'; day < '2031-12-31'; day = addDays(day, 1))
    expect(lastDayFor(day) <= lastDayFor(day, 'ten')).toBe(true)
})

test('the holidays of a year are those of the decree, Good Friday by Easter', () => {
  expect(nationalHolidays(2027, 'nine').map(({ date }) => date)).toEqual([
    '2027-01-01',
    '2027-03-26',
    '2027-05-01',
    '2027-08-15',
    '2027-10-12',
    '2027-11-01',
    '2027-12-06',
    '2027-12-08',
    '2027-12-25',
  ])
  expect(
    [2026, 2028, 2029, 2030, 2031].map(
      (year) => nationalHolidays(year, 'ten').find(({ name }) => name.es === 'Viernes Santo')?.date,
    ),
  ).toEqual(['2026-04-03', '2028-04-14', '2029-03-30', '2030-04-19', '2031-04-11'])
  expect(nationalHolidays(2028, 'ten')).toHaveLength(10)
})

test('reminders come two counted days before, one before, on the day, and once it is over', () => {
  // Thursday 7 October 2027 to Thursday the 14th, with a weekend and a holiday between.
  const last = '2027-10-14'
  expect(
    ['2027-10-08', '2027-10-11', '2027-10-12', '2027-10-13', '2027-10-14', '2027-10-15'].map((day) => [
      countedDaysLeft(day, last),
      reminderStep(day, last),
    ]),
  ).toEqual([
    [3, null],
    [2, 2],
    [2, 2],
    [1, 1],
    [0, 0],
    [-1, -1],
  ])
})
