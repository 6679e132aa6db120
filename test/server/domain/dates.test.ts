/** Days in Spain and instants: the days the clock changes, leap days, midnights and periods. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  addYears,
  businessDateOf,
  daysBetween,
  isBusinessDate,
  madridInstant,
  madridTime,
  monthPeriod,
  quarterOf,
  quarterPeriod,
  registryDate,
  startOfDay,
  yearPeriod,
} from '../../../server/domain/dates.ts'

const day = fc
  .date({ min: new Date('1980-01-01T00:00:00Z'), max: new Date('2100-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const instant = fc.date({
  min: new Date('1980-01-01T00:00:00Z'),
  max: new Date('2037-12-31T00:00:00Z'),
  noInvalidDate: true,
})

describe('days', () => {
  test.each(['2026-02-28', '2028-02-29', '2000-02-29', '1900-01-01', '2999-12-31'])('%s is a day', (text) =>
    expect(isBusinessDate(text)).toBe(true),
  )
  test.each([
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '1899-12-31',
    '3000-01-01',
    '2026-1-1',
    '20260101',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '',
  ])('%j is not a day', (text) => expect(isBusinessDate(text)).toBe(false))

  test('adding and counting days are inverse', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -20_000, max: 20_000 }), (date, days) => {
        expect(daysBetween(date, addDays(date, days))).toBe(days)
        expect(addDays(addDays(date, days), -days)).toBe(date)
      }),
    )
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  })

  test('a year later is the same day; 29 February becomes 28 in a common year', () => {
    expect(addYears('2028-02-29', 1)).toBe('2029-02-28')
    expect(addYears('2028-02-29', 4)).toBe('2032-02-29')
    expect(addYears('2028-02-29', -128)).toBe('1900-02-28')
    expect(addYears('2026-07-31', -1)).toBe('2025-07-31')
  })

  test('months, quarters and years begin and end by the calendar', () => {
    expect(monthPeriod(2028, 2)).toEqual({ from: '2028-02-01', to: '2028-02-29' })
    expect(monthPeriod(2026, 12)).toEqual({ from: '2026-12-01', to: '2026-12-31' })
    expect([1, 2, 3, 4].map((quarter) => quarterPeriod(2026, quarter))).toEqual([
      { from: '2026-01-01', to: '2026-03-31' },
      { from: '2026-04-01', to: '2026-06-30' },
      { from: '2026-07-01', to: '2026-09-30' },
      { from: '2026-10-01', to: '2026-12-31' },
    ])
    expect(yearPeriod(2026)).toEqual({ from: '2026-01-01', to: '2026-12-31' })
    fc.assert(
      fc.property(day, (date) => {
        const { from, to } = quarterPeriod(Number(date.slice(0, 4)), quarterOf(date))
        expect(from <= date && date <= to).toBe(true)
      }),
    )
  })

  test('the registry writes a day in reverse order', () =>
    expect(registryDate('2026-11-05')).toBe('05-11-2026'))
})

describe('the clock of Spain', () => {
  test.each([
    // The hour from 2 to 3 does not exist on 29 March 2026 and happens twice on 25 October.
    ['2026-03-29T00:59:59Z', '2026-03-29T01:59:59+01:00'],
    ['2026-03-29T01:00:00Z', '2026-03-29T03:00:00+02:00'],
    ['2026-10-25T00:30:00Z', '2026-10-25T02:30:00+02:00'],
    ['2026-10-25T01:30:00Z', '2026-10-25T02:30:00+01:00'],
    ['2026-12-31T23:00:00Z', '2027-01-01T00:00:00+01:00'],
    ['2026-06-30T21:59:59Z', '2026-06-30T23:59:59+02:00'],
    ['2026-06-30T22:00:00Z', '2026-07-01T00:00:00+02:00'],
    ['2028-02-29T23:00:00Z', '2028-03-01T00:00:00+01:00'],
  ])('%s is %s', (utc, local) => {
    expect(madridInstant(new Date(utc))).toBe(local)
    expect(businessDateOf(new Date(utc))).toBe(local.slice(0, 10))
  })

  test('the text names exactly the instant from which it was made', () => {
    fc.assert(
      fc.property(instant, (at) => {
        const text = madridInstant(at)
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/)
        expect(Date.parse(text)).toBe(Math.floor(at.getTime() / 1000) * 1000)
      }),
      { numRuns: 2_000 },
    )
  })

  test("it agrees with the system's time zone data, in any order of queries", () => {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/Madrid',
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    fc.assert(
      fc.property(fc.array(instant, { minLength: 1, maxLength: 5 }), (instants) => {
        for (const at of instants) {
          const { date, time } = madridTime(at)
          expect(`${date} ${time}`).toBe(format.format(at))
        }
      }),
      { numRuns: 500 },
    )
  })

  test('it is exact to the second at every clock change of a century', () => {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/Madrid',
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    let changes = 0
    for (let year = 1990; year < 2100; year++)
      for (const month of [2, 8, 9])
        for (let day = 22; day <= 31; day++) {
          // The hours that could be midnight in any offset that Spain has had.
          for (const hour of [0, 1, 2])
            for (const second of [-1, 0]) {
              const at = new Date(Date.UTC(year, month, day, hour, 0, second))
              const { date, time, offsetMinutes } = madridTime(at)
              expect(`${date} ${time}`).toBe(format.format(at))
              if (second === 0 && offsetMinutes !== madridTime(new Date(at.getTime() - 1)).offsetMinutes)
                changes += 1
            }
        }
    expect(changes).toBe(220)
  })

  test('a day begins at its midnight, also when the clock changes on it', () => {
    expect(startOfDay('2026-03-29').toISOString()).toBe('2026-03-28T23:00:00.000Z')
    expect(startOfDay('2026-03-30').toISOString()).toBe('2026-03-29T22:00:00.000Z')
    expect(startOfDay('2026-10-25').toISOString()).toBe('2026-10-24T22:00:00.000Z')
    expect(startOfDay('2026-10-26').toISOString()).toBe('2026-10-25T23:00:00.000Z')
    fc.assert(
      fc.property(day, (date) => {
        const start = startOfDay(date)
        expect(madridTime(start)).toMatchObject({ date, time: '00:00:00' })
        expect(businessDateOf(new Date(start.getTime() - 1))).toBe(addDays(date, -1))
      }),
      { numRuns: 2_000 },
    )
  })
})
