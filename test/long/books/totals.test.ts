/** Totals in the numbers of the test plan: every gross price to 3,000 euros, and a million random invoices. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeTotals } from '../../../server/domain/tax/totals.ts'
import type { TotalsLine } from '../../../server/domain/tax/totals.ts'
import { discountArbitrary, exactTotals, lineArbitrary, RATES } from '../../server/domain/exact-totals.ts'

test.each(RATES)('every price to 3,000 euros at %s and surcharge %s', (vatRateBp, surchargeRateBp) => {
  for (let grossCents = 1; grossCents <= 300_000; grossCents++) {
    const line: TotalsLine = {
      quantityMicro: 1_000_000,
      unitPriceMicro: grossCents * 10_000,
      discountBp: 0,
      taxTreatment: 'S1',
      regimeKey: '01',
      vatRateBp,
      surchargeRateBp,
      discountCents: 0,
      costCents: null,
      withholdable: true,
      isDisbursement: false,
    }
    const { taxes, registeredTotalCents } = computeTotals([line], {
      priceMode: 'gross',
      withholdingRateBp: null,
    })
    const [tax] = taxes
    const vatOff = Math.abs((tax?.taxCents ?? 0) * 10_000 - (tax?.baseCents ?? 0) * vatRateBp)
    const surchargeOff = Math.abs(
      (tax?.surchargeCents ?? 0) * 10_000 - (tax?.baseCents ?? 0) * (surchargeRateBp ?? 0),
    )
    if (registeredTotalCents !== grossCents || vatOff > 10_000 || surchargeOff > 10_000)
      expect.fail(`${grossCents} cents: ${JSON.stringify(tax)}`)
  }
})

test('a million random invoices equal the exact calculation', () => {
  fc.assert(
    fc.property(
      fc.array(lineArbitrary, { minLength: 1, maxLength: 8 }),
      fc.constantFrom('net' as const, 'gross' as const),
      discountArbitrary,
      (lines, priceMode, discount) => {
        const options = { priceMode, withholdingRateBp: 1500, ...discount }
        const totals = computeTotals(lines, options)
        const exact = exactTotals(lines, options)
        return (
          totals.totalCents === exact.totalCents &&
          totals.baseCents === exact.baseCents &&
          totals.taxCents === exact.taxCents &&
          totals.withholding?.amountCents === exact.withholdingCents
        )
      },
    ),
    { numRuns: 1_000_000 },
  )
})
