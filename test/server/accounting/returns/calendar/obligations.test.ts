/** Last days and direct-debit days of every return: the calendar of 2026, the days computed for 2027, and the rules. */
import { describe, expect, test } from 'vitest'
import {
  directDebitDay,
  isWorkingDay,
  nextBusinessDay,
} from '../../../../../server/accounting/returns/calendar/holidays.ts'
import { filingTerm, obligationOf } from '../../../../../server/accounting/returns/calendar/obligations.ts'
import type { DeadlineModel } from '../../../../../server/accounting/returns/calendar/terms.ts'
import { addDays } from '../../../../../server/domain/dates.ts'
import { TERM_ROWS } from './term-rows.ts'

const rows = TERM_ROWS.trim()
  .split('\n')
  .flatMap((line) => {
    const [models = '', year, period = '', opens, due = '', debit] = line.split(' ')
    return models.split('+').map((model) => ({
      model: model as DeadlineModel,
      year: Number(year),
      period,
      opens,
      due,
      directDebitUntil: debit === '-' ? null : debit,
    }))
  })

describe('the terms of 2026 and 2027', () => {
  test('are 192 rows of twelve returns', () => {
    expect(rows).toHaveLength(192)
    expect(new Set(rows.map(({ model }) => model)).size).toBe(12)
  })

  test.each(rows)('$model $period $year ends on $due', ({ model, year, period, ...row }) => {
    expect(filingTerm(model, year, period)).toEqual({
      ...row,
      sure: row.due < '2027' ? 'official' : 'computed',
    })
  })

  test('of 309 are those of 303, and were not compared with the published calendar', () => {
    for (const [year, quarter] of [
      [2025, 4],
      [2026, 1],
      [2026, 4],
    ] as const) {
      const { sure, ...term } = filingTerm('309', year, `${quarter}T`)
      expect(filingTerm('303', year, `${quarter}T`)).toMatchObject(term)
      expect(sure).toBe('computed')
    }
  })

  test('that ended before 2026 are computed', () => {
    expect(filingTerm('303', 2025, '3T')).toMatchObject({ due: '2025-10-20', sure: 'computed' })
  })

  test('by months exist only for the returns that are filed by months', () => {
    for (const model of ['130', '131', '369', '309'] as const)
      expect(() => filingTerm(model, 2026, '05')).toThrow('no term by the month')
    expect(() => filingTerm('390', 2026, '1T')).toThrow('no term by the quarter')
    expect(() => filingTerm('303', 2026, '0A')).toThrow('no term by the year')
  })
})

describe('a last day', () => {
  test.each([
    ['a Tuesday', '2026-10-20', '2026-10-20'],
    ['a Friday', '2026-02-20', '2026-02-20'],
    ['a Saturday', '2026-06-20', '2026-06-22'],
    ['a Sunday', '2026-09-20', '2026-09-21'],
    ['a holiday', '2026-05-01', '2026-05-04'],
    ['a Sunday before a holiday', '2027-10-31', '2027-11-02'],
    ['Good Friday', '2027-03-26', '2027-03-29'],
    ['Good Friday of 2028', '2028-04-14', '2028-04-17'],
    ['Christmas on a Friday', '2026-12-25', '2026-12-28'],
    ['New Year on a Friday', '2027-01-01', '2027-01-04'],
    ['a holiday of one region', '2026-03-19', '2026-03-19'],
    ['a holiday of a year without a row', '2030-04-19', '2030-04-22'],
  ])('on %s, %s, is moved to %s', (_, day, moved) => {
    expect(nextBusinessDay(day)).toBe(moved)
  })

  test('of 369 stays on a Sunday or a Saturday', () => {
    expect(filingTerm('369', 2026, '4T').due).toBe('2027-01-31')
    expect(filingTerm('369', 2026, '3T').due).toBe('2026-10-31')
  })

  test('in February is that of the year, also in a leap year', () => {
    expect(filingTerm('347', 2027, '0A')).toMatchObject({ opens: '2028-02-01', due: '2028-02-29' })
    expect(filingTerm('303', 2028, '01')).toMatchObject({ opens: '2028-02-01', due: '2028-02-29' })
  })
})

test('every weekday of four years is a working day but for the national holidays', () => {
  const off: string[] = []
  for (let day = '2025-01-01'; day < '2029-01-01'; day = addDays(day, 1)) {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
    if (weekday === 0 || weekday === 6) expect(isWorkingDay(day), day).toBe(false)
    else if (!isWorkingDay(day)) off.push(day)
  }
  expect(off).toEqual([
    '2025-01-01',
    '2025-01-06',
    '2025-04-18',
    '2025-05-01',
    '2025-08-15',
    '2025-12-08',
    '2025-12-25',
    '2026-01-01',
    '2026-01-06',
    '2026-04-03',
    '2026-05-01',
    '2026-10-12',
    '2026-12-08',
    '2026-12-25',
    '2027-01-01',
    '2027-01-06',
    '2027-03-26',
    '2027-10-12',
    '2027-11-01',
    '2027-12-06',
    '2027-12-08',
    '2028-01-06',
    '2028-04-14',
    '2028-05-01',
    '2028-08-15',
    '2028-10-12',
    '2028-11-01',
    '2028-12-06',
    '2028-12-08',
    '2028-12-25',
  ])
})

describe('a direct debit', () => {
  test.each([
    ['Monday', '2026-04-20', '2026-04-15'],
    ['Tuesday', '2026-10-20', '2026-10-15'],
    ['Wednesday', '2026-05-20', '2026-05-15'],
    ['Thursday', '2027-05-20', '2027-05-17'],
    ['Friday', '2026-02-20', '2026-02-17'],
    ['Wednesday after Christmas', '2026-12-30', '2026-12-24'],
    ['Tuesday after Good Friday', '2027-03-30', '2027-03-24'],
    ['Tuesday after two holidays', '2028-01-11', '2028-01-05'],
  ])('before a %s, %s, ends on %s', (_, due, day) => {
    expect(directDebitDay(due)).toBe(day)
  })

  test('ends on a working day with three of them until the last day of the return, in every term', () => {
    for (let due = '2025-01-07'; due < '2028-12-31'; due = addDays(due, 1)) {
      if (!isWorkingDay(due)) continue
      const day = directDebitDay(due)
      let left = 0
      for (let at = addDays(day, 1); at <= due; at = addDays(at, 1)) if (isWorkingDay(at)) left += 1
      expect([isWorkingDay(day), left], due).toEqual([true, 3])
    }
  })

  test('of February 2026 ended a day before the rule, as published', () => {
    for (const model of ['111', '115', '123'] as const)
      expect(filingTerm(model, 2026, '02')).toMatchObject({
        due: '2026-03-20',
        directDebitUntil: '2026-03-16',
      })
    expect(directDebitDay('2026-03-20')).toBe('2026-03-17')
  })

  test('is absent where nothing is paid', () => {
    expect(obligationOf('349', { year: 2026, code: '1T' }, '2026-04-01')).not.toHaveProperty('directDebitTo')
    expect(obligationOf('303', { year: 2026, code: '1T' }, '2026-04-01')).toMatchObject({
      directDebitTo: '2026-04-15',
      sure: 'official',
    })
  })
})
