/** Totals compared with a second calculation by fractions, and with known results. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeTotals, lineNetCents, TAX_TREATMENTS } from '../../../../server/domain/tax/totals.ts'
import type { PriceMode, TotalsLine } from '../../../../server/domain/tax/totals.ts'
import { discountArbitrary, exactTotals, lineArbitrary, RATES } from '../exact-totals.ts'
import type { ExactOptions } from '../exact-totals.ts'
import { sweptCount } from '../../../support/sweep.ts'

const line = (changes: Partial<TotalsLine> = {}): TotalsLine => ({
  quantityMicro: 1_000_000,
  unitPriceMicro: 100_000_000,
  discountBp: 0,
  taxTreatment: 'S1',
  regimeKey: '01',
  vatRateBp: 2100,
  surchargeRateBp: null,
  discountCents: 0,
  costCents: null,
  withholdable: true,
  isDisbursement: false,
  ...changes,
})

const net = { priceMode: 'net', withholdingRateBp: null } as const

function compare(lines: TotalsLine[], options: ExactOptions): void {
  const totals = computeTotals(lines, options)
  const exact = exactTotals(lines, options)
  const taxes = Object.fromEntries(
    totals.taxes.map((tax) => [
      [tax.taxTreatment, tax.regimeKey, tax.vatRateBp, tax.surchargeRateBp].join('|'),
      [tax.baseCents, tax.taxCents, tax.surchargeCents, tax.outsideCents],
    ]),
  )
  // A margin scheme with and without its cost gives two groups of the same name: those are compared by their sums.
  const named = Object.fromEntries(
    Object.entries(exact.taxes).map(([name, sums]) => [name.replace(/\|(?:true|false)$/, ''), sums]),
  )
  expect({
    taxes: totals.taxes.length === Object.keys(named).length ? taxes : named,
    baseCents: totals.baseCents,
    taxCents: totals.taxCents,
    outsideCents: totals.outsideCents,
    disbursementsCents: totals.disbursementsCents,
    totalCents: totals.totalCents,
    withholdingBaseCents: totals.withholding?.baseCents ?? 0,
    withholdingCents: totals.withholding?.amountCents ?? 0,
    lineNetsCents: totals.lineNetsCents,
  }).toEqual({ ...exact, taxes: named })
  expect(totals.taxes).toHaveLength(Object.keys(exact.taxes).length)
  expect(totals.amountDueCents).toBe(exact.totalCents - exact.withholdingCents)
  expect(totals.surchargeCents).toBe(totals.taxes.reduce((sum, tax) => sum + tax.surchargeCents, 0))
  const costs = totals.taxes.filter((tax) => tax.regimeKey === '03' || tax.regimeKey === '05')
  expect(totals.registeredTotalCents).toBe(
    totals.baseCents + totals.taxCents + costs.reduce((sum, tax) => sum + tax.outsideCents, 0),
  )
}

describe('random invoices', () => {
  const withholding = fc.constantFrom(null, 0, 1500, 700, 1900, 35)
  const lines = fc.array(lineArbitrary, { minLength: 1, maxLength: 12 })

  test.each([
    ['net', sweptCount(6_000, 1_500)],
    ['gross', sweptCount(3_000, 1_000)],
  ] as const)('%s prices: %i invoices equal the exact calculation', (priceMode, numRuns) => {
    fc.assert(
      fc.property(lines, withholding, (given, withholdingRateBp) =>
        compare(given, { priceMode, withholdingRateBp }),
      ),
      { numRuns },
    )
  })

  test.each(['net', 'gross'] as const)(
    '%s prices with a discount on the document equal it as well',
    (priceMode) => {
      fc.assert(
        fc.property(lines, withholding, discountArbitrary, (given, withholdingRateBp, discount) =>
          compare(given, { priceMode, withholdingRateBp, ...discount }),
        ),
        { numRuns: sweptCount(3_000, 800) },
      )
    },
  )

  test('the order of the lines affects only the lines', () => {
    fc.assert(
      fc.property(
        fc.array(lineArbitrary, { minLength: 2, maxLength: 8 }),
        fc.constantFrom<PriceMode>('net', 'gross'),
        (lines, priceMode) => {
          const options = { priceMode, withholdingRateBp: 1500 }
          const { lineNetsCents: _a, ...there } = computeTotals(lines, options)
          const { lineNetsCents: _b, ...back } = computeTotals(lines.toReversed(), options)
          expect(back).toEqual(there)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('prices with tax included', () => {
  test.each(RATES)(
    '%s and surcharge %s: the price is fixed, VAT and surcharge are off by at most a cent',
    (vatRateBp, surchargeRateBp) => {
      let checked = 0
      for (let grossCents = 1; grossCents <= 300_000; grossCents += grossCents < 1_000 ? 1 : 37) {
        const { taxes, registeredTotalCents } = computeTotals(
          [line({ unitPriceMicro: grossCents * 10_000, vatRateBp, surchargeRateBp })],
          { priceMode: 'gross', withholdingRateBp: null },
        )
        const [tax] = taxes
        if (!tax) throw new Error('no tax group')
        const vatOff = Math.abs(tax.taxCents * 10_000 - tax.baseCents * vatRateBp)
        const surchargeOff = Math.abs(tax.surchargeCents * 10_000 - tax.baseCents * (surchargeRateBp ?? 0))
        if (registeredTotalCents !== grossCents || vatOff > 10_000 || surchargeOff > 10_000)
          expect.fail(
            `${grossCents} cents: base ${tax.baseCents}, VAT ${tax.taxCents}, surcharge ${tax.surchargeCents}`,
          )
        checked += 1
      }
      expect(checked).toBeGreaterThan(9_000)
    },
  )

  test('several lines of one rate add up to the prices that the customer saw', () => {
    const lines = [
      line({ unitPriceMicro: 9_990_000 }),
      line({ unitPriceMicro: 4_950_000, quantityMicro: 3_000_000 }),
    ]
    const { registeredTotalCents, baseCents, taxCents, lineNetsCents } = computeTotals(lines, {
      priceMode: 'gross',
      withholdingRateBp: null,
    })
    expect(registeredTotalCents).toBe(999 + 1485)
    expect([baseCents, taxCents]).toEqual([2053, 431])
    expect(lineNetsCents).toEqual([826, 1227])
  })
})

describe('rules of invoicing', () => {
  test('rounding is per rate, not per line', () => {
    // Three times 0.333… of a cent's worth: 3 × 1.005 = 3.015, while rounded lines would give 3.03.
    const { baseCents, lineNetsCents } = computeTotals(
      [1, 2, 3].map(() => line({ unitPriceMicro: 1_005_000 })),
      net,
    )
    expect(lineNetsCents).toEqual([101, 101, 101])
    expect(baseCents).toBe(302)
  })

  test('halves are rounded away from zero, also for credits', () => {
    expect(lineNetCents(line({ unitPriceMicro: 1_005_000 }), 'net')).toBe(101)
    expect(lineNetCents(line({ unitPriceMicro: -1_005_000 }), 'net')).toBe(-101)
    expect(computeTotals([line({ unitPriceMicro: -500_000 })], net).taxCents).toBe(-11)
  })

  test('withholding applies to withholdable nets, never to VAT or disbursements', () => {
    const lines = [
      line(),
      line({ withholdable: false }),
      line({ isDisbursement: true, vatRateBp: null, unitPriceMicro: 7_000_000 }),
    ]
    const totals = computeTotals(lines, { priceMode: 'net', withholdingRateBp: 1500 })
    expect(totals.withholding).toEqual({ rateBp: 1500, baseCents: 10_000, amountCents: 1_500 })
    expect(totals).toMatchObject({
      baseCents: 20_000,
      taxCents: 4_200,
      disbursementsCents: 700,
      totalCents: 24_900,
      registeredTotalCents: 24_200,
      amountDueCents: 23_400,
    })
  })

  test('no rate of withholding, or zero, means none', () => {
    expect(computeTotals([line()], net).withholding).toBeNull()
    expect(computeTotals([line()], { priceMode: 'net', withholdingRateBp: 0 }).withholding).toBeNull()
  })

  test('withholding on every line uses the displayed bases', () => {
    const lines = [
      line({ unitPriceMicro: 200_110_000 }),
      line({ unitPriceMicro: 220_170_000, vatRateBp: 1000 }),
    ]
    const options = { ...net, withholdingRateBp: 1500, discountBp: 500 }
    const { baseCents, taxes, withholding } = computeTotals(lines, options)
    expect(taxes.map((tax) => tax.baseCents)).toEqual([19_010, 20_916])
    expect(baseCents).toBe(39_926)
    expect(withholding).toEqual({ rateBp: 1500, baseCents: 39_926, amountCents: 5989 })
    // Documents of the first builds keep their rule: one rounding over both rates.
    expect(computeTotals(lines, { ...options, roundsWithholdingOnce: true }).withholding?.baseCents).toBe(
      39_927,
    )
  })

  test('withholding on every line uses the base, whatever the lines, rates and discounts', () => {
    fc.assert(
      fc.property(
        fc.array(lineArbitrary, { minLength: 1, maxLength: 6 }),
        discountArbitrary,
        fc.constantFrom<PriceMode>('net', 'gross'),
        (given, discount, priceMode) => {
          const lines = given.map((each) => ({ ...each, withholdable: true, isDisbursement: false }))
          const totals = computeTotals(lines, { priceMode, withholdingRateBp: 1500, ...discount })
          expect(totals.withholding?.baseCents).toBe(totals.baseCents)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('surcharge accompanies VAT and is part of the tax', () => {
    const totals = computeTotals([line({ surchargeRateBp: 520 })], net)
    expect(totals.taxes).toEqual([
      {
        taxTreatment: 'S1',
        regimeKey: '01',
        vatRateBp: 2100,
        baseCents: 10_000,
        taxCents: 2_100,
        surchargeRateBp: 520,
        surchargeCents: 520,
        outsideCents: 0,
      },
    ])
    expect(totals).toMatchObject({ taxCents: 2_620, surchargeCents: 520, totalCents: 12_620 })
  })

  test('the breakdown has a fixed order whatever the order of the lines', () => {
    const lines = TAX_TREATMENTS.map((taxTreatment) =>
      line({ taxTreatment, vatRateBp: taxTreatment === 'S1' ? 400 : taxTreatment === 'S2' ? 0 : null }),
    )
    lines.push(
      line({ vatRateBp: 2100 }),
      line({ vatRateBp: 2100, surchargeRateBp: 520 }),
      line({ regimeKey: '07' }),
    )
    const shown = (given: TotalsLine[]) =>
      computeTotals(given, net).taxes.map(
        (tax) => `${tax.taxTreatment} ${tax.vatRateBp} ${tax.surchargeRateBp} ${tax.regimeKey}`,
      )
    expect(shown(lines).slice(0, 5)).toEqual([
      'S1 2100 520 01',
      'S1 2100 null 01',
      'S1 2100 null 07',
      'S1 400 null 01',
      'S2 0 null 01',
    ])
    expect(shown(lines.toReversed())).toEqual(shown(lines))
  })

  test('no lines give no amounts', () => {
    expect(computeTotals([], net)).toMatchObject({
      taxes: [],
      baseCents: 0,
      totalCents: 0,
      lineNetsCents: [],
    })
  })
})
