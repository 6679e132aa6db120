/** The dated table of VAT rates: the rates in force on each day, without gaps or two rows for one day. */
import { expect, test } from 'vitest'
import { addDays } from '../../../../server/domain/dates.ts'
import {
  generalRateAt,
  vatRateAt,
  vatRates,
  vatRatesAt,
  withholdingRatesBp,
} from '../../../../server/domain/tax/vat-rates.ts'

test.each([
  ['2026-11-21', [2100, 1000, 400, 0]],
  ['2024-12-31', [2100, 1000, 750, 400, 200, 0]],
  ['2024-10-01', [2100, 1000, 750, 400, 200, 0]],
  ['2024-09-30', [2100, 1000, 500, 400, 0]],
  ['2023-01-01', [2100, 1000, 500, 400, 0]],
  ['2022-07-01', [2100, 1000, 500, 400, 0]],
  ['2022-06-30', [2100, 1000, 400, 0]],
  ['2022-04-09', [2100, 1000, 400]],
])('rates on %s are those in force', (date, rates) =>
  expect(vatRatesAt(date).map((rate) => rate.rateBp)).toEqual(rates),
)

test.each([
  [2100, '2026-11-21', [520, 175]],
  [500, '2022-12-31', [50]],
  [500, '2023-01-01', [62]],
  [750, '2024-10-01', [100]],
  [200, '2024-12-31', [26]],
  [0, '2024-09-30', [0]],
  [0, '2024-10-01', []],
])('surcharges for %s on %s are those in force', (rateBp, date, surcharges) =>
  expect(vatRateAt(rateBp, date)?.surchargesBp).toEqual(surcharges),
)

test('a rate exists from its first to its last day', () => {
  expect(vatRateAt(750, '2024-09-30')).toBeUndefined()
  expect(vatRateAt(750, '2025-01-01')).toBeUndefined()
  expect(vatRateAt(500, '2024-10-01')).toBeUndefined()
  expect(vatRateAt(1800, '2026-11-21')).toBeUndefined()
})

test('no day has two rows of one rate, and every row has its source', () => {
  for (const row of vatRates) {
    expect(row.source).not.toBe('')
    expect(row.to === null || row.from <= row.to).toBe(true)
    for (const day of [row.from, row.to ?? '2030-01-01'])
      expect(
        vatRates.filter(
          (other) =>
            other.rateBp === row.rateBp && other.from <= day && (other.to === null || day <= other.to),
        ),
      ).toHaveLength(1)
  }
})

test('the general rate is 21 % on every day of the registry', () => {
  for (let day = '2024-10-28'; day < '2027-01-01'; day = addDays(day, 1))
    expect(generalRateAt(day)).toBe(2100)
})

test('the usual withholding rates of professionals come first', () =>
  expect(withholdingRatesBp.slice(0, 2)).toEqual([1500, 700]))
