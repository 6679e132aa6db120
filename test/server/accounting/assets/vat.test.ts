/** Regularisation of the VAT of investment goods, with the examples of the tax agency's VAT manuals. */
import { describe, expect, test } from 'vitest'
import { isVatGood, regularise, regularisedYears } from '../../../../server/accounting/assets/vat.ts'
import type { VatGood } from '../../../../server/accounting/assets/vat.ts'

const machine: VatGood = {
  kind: '21',
  baseCents: 2_000_000,
  vatCents: 420_000,
  acquiredYear: 2025,
  inUseYear: 2025,
  sale: null,
}
const building: VatGood = { ...machine, kind: '12', baseCents: 200_000_000, vatCents: 42_000_000 }

const cents = (good: VatGood, year: number, stated: [number, number][]) => {
  const found = regularise(good, year, new Map(stated))
  return found !== null && 'cents' in found ? found.cents : found
}

// Source: AEAT, Manual práctico IVA 2024, chapter 5, «Procedimiento de regularización»: a machine of 20,000 + 4,200 euros,
// bought in n-1 with a prorata of 50 %.
describe('in a year', () => {
  test('of 67 % 142.80 euros more are deducted', () => {
    expect(
      cents(machine, 2026, [
        [2025, 5000],
        [2026, 6700],
      ]),
    ).toBe(14_280)
  })

  test('of 58 % nothing is: the difference is no more than ten points', () => {
    expect(
      cents(machine, 2026, [
        [2025, 5000],
        [2026, 5800],
      ]),
    ).toBeNull()
    expect(
      cents(machine, 2026, [
        [2025, 5000],
        [2026, 6000],
      ]),
    ).toBeNull()
    expect(
      cents(machine, 2026, [
        [2025, 5000],
        [2026, 6001],
      ]),
    ).not.toBeNull()
  })

  test('of 30 % 168 euros less are', () => {
    expect(
      cents(machine, 2026, [
        [2025, 5000],
        [2026, 3000],
      ]),
    ).toBe(-16_800)
  })

  test('of full deduction nothing is, stated or not', () => {
    expect(cents(machine, 2026, [])).toBeNull()
    expect(
      cents(machine, 2026, [
        [2025, 10_000],
        [2026, 10_000],
      ]),
    ).toBeNull()
  })

  test('that nobody stated while the other was, the year is named', () => {
    expect(cents(machine, 2026, [[2025, 5000]])).toEqual({ missingYear: 2026 })
    expect(cents(machine, 2026, [[2026, 5000]])).toEqual({ missingYear: 2025 })
  })

  test('it goes on for four years after the purchase, and nine for buildings', () => {
    expect(regularisedYears(machine)).toEqual({ from: 2026, to: 2029 })
    expect(regularisedYears(building)).toEqual({ from: 2026, to: 2034 })
    // Used later: that year and the four that follow (art. 107.Uno).
    expect(regularisedYears({ ...machine, inUseYear: 2027 })).toEqual({ from: 2027, to: 2031 })
    expect(
      cents(machine, 2030, [
        [2025, 5000],
        [2030, 9000],
      ]),
    ).toBeNull()
    expect(cents(machine, 2025, [[2025, 5000]])).toBeNull()
    expect(
      cents(building, 2034, [
        [2025, 5000],
        [2034, 9000],
      ]),
    ).toBe(1_680_000)
  })
})

// Source: AEAT, Manual práctico IVA 2023, chapter 5, «Entregas de bienes de inversión durante el período de regularización»: a
// building of 2,000,000 + 420,000 euros, bought in n-1 with 50 %, sold in n for 1,000,000.
describe('with a sale', () => {
  const sold = (vat: 'taxed' | 'exempt' | 'deductible', vatCents: number, year = 2026): VatGood => ({
    ...building,
    sale: { year, vat, vatCents },
  })

  test('that is taxed 189,000 euros more are deducted', () => {
    expect(regularise(sold('taxed', 21_000_000), 2026, new Map([[2025, 5000]]))).toMatchObject({
      reason: 'sale',
      years: 9,
      divisor: 10,
      firstCents: 21_000_000,
      nowCents: 42_000_000,
      cents: 18_900_000,
      limited: false,
    })
  })

  test('that is exempt 189,000 euros less are', () => {
    expect(cents(sold('exempt', 0), 2026, [[2025, 5000]])).toBe(-18_900_000)
  })

  test('the tax of the sale is the most that it lets deduct', () => {
    expect(regularise(sold('taxed', 10_000_000), 2026, new Map([[2025, 5000]]))).toMatchObject({
      cents: 10_000_000,
      limited: true,
    })
    expect(cents(sold('deductible', 5_000_000), 2026, [[2025, 5000]])).toBe(5_000_000)
  })

  test('of a good deducted in full nothing changes if it is taxed, and the rest is paid back if it is exempt', () => {
    expect(cents(sold('taxed', 21_000_000), 2026, [])).toBeNull()
    expect(cents(sold('exempt', 0), 2026, [])).toBe(-37_800_000)
  })

  test('in the year of the purchase counts for the whole period, after it for none', () => {
    expect(cents(sold('exempt', 0, 2025), 2025, [])).toBe(-42_000_000)
    expect(cents(sold('exempt', 0, 2035), 2035, [])).toBeNull()
    expect(
      cents(sold('exempt', 0, 2026), 2027, [
        [2025, 5000],
        [2027, 9000],
      ]),
    ).toBeNull()
  })
})

test('only tangible goods from 3,005.06 euros on with VAT are regularised', () => {
  expect(isVatGood(machine)).toBe(true)
  expect(isVatGood({ ...machine, baseCents: 300_506 })).toBe(true)
  expect(isVatGood({ ...machine, baseCents: 300_505 })).toBe(false)
  expect(isVatGood({ ...machine, kind: '33' })).toBe(false)
  expect(isVatGood({ ...machine, vatCents: 0 })).toBe(false)
})
