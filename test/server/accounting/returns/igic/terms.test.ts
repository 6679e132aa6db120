/** Terms of the tax office of the Canary Islands: their last days, direct debits, and holidays of the islands. */
import { describe, expect, test } from 'vitest'
import { isWorkingDay, OWN_HOLIDAYS } from '../../../../../server/accounting/returns/calendar/holidays.ts'
import { filingTerm } from '../../../../../server/accounting/returns/calendar/obligations.ts'

describe('the terms of the Canary Islands', () => {
  test.each([
    // The fourth quarter ends on 31 January, its direct debit on the 20th; the other ones on the 20th and the 15th.
    ['420', 2025, '4T', '2026-01-01', '2026-02-02', '2026-01-20'],
    ['420', 2026, '1T', '2026-04-01', '2026-04-20', '2026-04-15'],
    ['420', 2026, '2T', '2026-07-01', '2026-07-20', '2026-07-15'],
    ['420', 2026, '3T', '2026-10-01', '2026-10-20', '2026-10-15'],
    ['420', 2026, '4T', '2027-01-01', '2027-02-01', '2027-01-20'],
    // 15 April 2028 is a Saturday: the debit moves to the next working day, too.
    ['420', 2028, '1T', '2028-04-01', '2028-04-20', '2028-04-17'],
    ['425', 2026, '0A', '2027-01-01', '2027-02-01', null],
    ['415', 2026, '0A', '2027-02-01', '2027-03-01', null],
    ['415', 2027, '0A', '2028-02-01', '2028-02-29', null],
  ] as const)('model %s of %i, %s', (model, year, period, opens, due, directDebitUntil) => {
    expect(filingTerm(model, year, period)).toEqual({ opens, due, directDebitUntil, sure: 'computed' })
  })

  test('leave those of the State as they are', () => {
    expect(filingTerm('303', 2025, '4T')).toMatchObject({ due: '2026-01-30', directDebitUntil: '2026-01-27' })
  })

  test('know the holidays of the islands as rows: those that are not certain move nothing', () => {
    expect(isWorkingDay('2028-05-30', 'canary')).toBe(false)
    expect(isWorkingDay('2028-05-30')).toBe(true)
    // Candelaria in Tenerife: the term of the fourth quarter of 2025 ends on it all the same, which is the safe day.
    expect(isWorkingDay('2026-02-02', 'canary')).toBe(true)
    const uncertain = OWN_HOLIDAYS.canary.filter(({ moves }) => !moves)
    expect(uncertain).toHaveLength(7)
    expect(uncertain.filter(({ day }) => day === null).map(({ place }) => place)).toEqual([
      'Fuerteventura',
      'La Gomera',
    ])
  })
})
