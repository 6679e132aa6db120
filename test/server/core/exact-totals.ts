/** The totals of an invoice worked out a second time, with fractions that are never rounded before the law says so. */
import fc from 'fast-check'
import { TAX_TREATMENTS } from '../../../server/core/totals.ts'
import type { PriceMode, TotalsLine } from '../../../server/core/totals.ts'

interface Fraction {
  top: bigint
  bottom: bigint
}

const whole = (value: number | bigint): Fraction => ({ top: BigInt(value), bottom: 1n })
const over = (top: number | bigint, bottom: number | bigint): Fraction => ({
  top: BigInt(top),
  bottom: BigInt(bottom),
})
const plus = (a: Fraction, b: Fraction): Fraction => ({
  top: a.top * b.bottom + b.top * a.bottom,
  bottom: a.bottom * b.bottom,
})
const times = (a: Fraction, b: Fraction): Fraction => ({ top: a.top * b.top, bottom: a.bottom * b.bottom })
const by = (a: Fraction, b: Fraction): Fraction => ({ top: a.top * b.bottom, bottom: a.bottom * b.top })

/** Half away from zero: the size plus a half, cut off, with its sign. */
function rounded({ top, bottom }: Fraction): number {
  const negative = top < 0n
  const size = negative ? -top : top
  const cut = (2n * size + bottom) / (2n * bottom)
  return cut === 0n ? 0 : Number(negative ? -cut : cut)
}

const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { top: -b.top, bottom: b.bottom })
const size = ({ top, bottom }: Fraction): Fraction => ({ top: top < 0n ? -top : top, bottom })
const isLess = (a: Fraction, b: Fraction): boolean => a.top * b.bottom < b.top * a.bottom
const larger = (a: Fraction, b: Fraction): Fraction => (isLess(a, b) ? b : a)

/** The VAT for which neither it nor the surcharge is further off than need be; of two as good, the larger in size. */
function fairestTax(restCents: number, tax: Fraction, surcharge: Fraction): number {
  if (surcharge.top === 0n) return restCents
  let best: { cents: number; off: Fraction } | null = null
  const near = rounded(tax)
  for (let cents = near - 3; cents <= near + 3; cents++) {
    const off = larger(size(minus(whole(cents), tax)), size(minus(whole(restCents - cents), surcharge)))
    const asGood = best !== null && !isLess(best.off, off) && !isLess(off, best.off)
    if (best === null || isLess(off, best.off) || (asGood && Math.abs(cents) > Math.abs(best.cents)))
      best = { cents, off }
  }
  return best?.cents ?? 0
}

export interface ExactTotals {
  /** By `treatment|regime|rate|surcharge`: base, VAT and surcharge in cents. */
  taxes: Record<string, [baseCents: number, taxCents: number, surchargeCents: number]>
  baseCents: number
  taxCents: number
  disbursementsCents: number
  totalCents: number
  withholdingBaseCents: number
  withholdingCents: number
  lineNetsCents: number[]
}

const amountInCents = (line: TotalsLine): Fraction =>
  times(
    times(over(line.quantityMicro, 1_000_000), over(line.unitPriceMicro, 1_000_000)),
    times(over(10_000 - line.discountBp, 10_000), whole(100)),
  )

const rateOf = (basisPoints: number | null): Fraction => over(basisPoints ?? 0, 10_000)

/** Per tax group from exact values in net mode; in gross mode from the group's rounded gross, which stays what it is. */
export function exactTotals(
  lines: readonly TotalsLine[],
  priceMode: PriceMode,
  withholdingBp: number | null,
): ExactTotals {
  const groups = new Map<string, { line: TotalsLine; exact: Fraction; grossCents: number }>()
  const lineNetsCents: number[] = []
  let disbursements = whole(0)
  let withheld = whole(0)
  for (const line of lines) {
    const amount = amountInCents(line)
    const divisor = plus(whole(1), plus(rateOf(line.vatRateBp), rateOf(line.surchargeRateBp)))
    const net =
      priceMode === 'net' || line.isDisbursement
        ? rounded(amount)
        : rounded(by(whole(rounded(amount)), divisor))
    lineNetsCents.push(net)
    if (line.isDisbursement) {
      disbursements = plus(disbursements, amount)
      continue
    }
    const key = [line.taxTreatment, line.regimeKey, line.vatRateBp, line.surchargeRateBp].join('|')
    const group = groups.get(key) ?? { line, exact: whole(0), grossCents: 0 }
    groups.set(key, {
      line,
      exact: plus(group.exact, amount),
      grossCents: group.grossCents + rounded(amount),
    })
    if (line.withholdable) withheld = plus(withheld, priceMode === 'net' ? amount : whole(net))
  }
  const taxes: ExactTotals['taxes'] = {}
  for (const [key, { line, exact, grossCents }] of groups) {
    const vat = rateOf(line.vatRateBp)
    const surcharge = rateOf(line.surchargeRateBp)
    const base =
      priceMode === 'net'
        ? rounded(exact)
        : rounded(by(whole(grossCents), plus(whole(1), plus(vat, surcharge))))
    const exactTax = times(whole(base), vat)
    const exactSurcharge = times(whole(base), surcharge)
    const taxCents =
      priceMode === 'net' ? rounded(exactTax) : fairestTax(grossCents - base, exactTax, exactSurcharge)
    const surchargeCents = priceMode === 'net' ? rounded(exactSurcharge) : grossCents - base - taxCents
    taxes[key] = [base, taxCents, surchargeCents]
  }
  const sums = Object.values(taxes)
  const baseCents = sums.reduce((sum, [base]) => sum + base, 0)
  const taxCents = sums.reduce((sum, [, tax, surcharge]) => sum + tax + surcharge, 0)
  const disbursementsCents = rounded(disbursements)
  const withholdingBaseCents = withholdingBp ? rounded(withheld) : 0
  return {
    taxes,
    baseCents,
    taxCents,
    disbursementsCents,
    totalCents: baseCents + taxCents + disbursementsCents,
    withholdingBaseCents,
    withholdingCents: withholdingBp ? rounded(times(whole(withholdingBaseCents), rateOf(withholdingBp))) : 0,
    lineNetsCents,
  }
}

/** VAT rates with the surcharges that may stand beside them. */
export const RATES: readonly (readonly [vatRateBp: number, surchargeRateBp: number | null])[] = [
  [2100, null],
  [2100, 520],
  [2100, 175],
  [1000, null],
  [1000, 140],
  [400, null],
  [400, 50],
  [500, null],
  [500, 62],
  [500, 50],
  [750, null],
  [750, 100],
  [200, null],
  [200, 26],
  [0, null],
]

const taxed = fc
  .constantFrom(...RATES)
  .map(([vatRateBp, surchargeRateBp]) => ({ taxTreatment: 'S1' as const, vatRateBp, surchargeRateBp }))
const untaxed = fc
  .constantFrom(...TAX_TREATMENTS.filter((treatment) => treatment !== 'S1'))
  .map((taxTreatment) => ({
    taxTreatment,
    vatRateBp: taxTreatment === 'S2' ? 0 : null,
    surchargeRateBp: null,
  }))

/** Everyday and awkward lines: small and fine quantities, credits, discounts up to everything. */
export const lineArbitrary: fc.Arbitrary<TotalsLine> = fc
  .record({
    quantityMicro: fc.oneof(
      fc.integer({ min: 1, max: 100 }).map((n) => n * 1_000_000),
      fc.integer({ min: -5_000_000, max: 50_000_000 }),
    ),
    unitPriceMicro: fc.oneof(
      fc.integer({ min: 0, max: 1_000_000 }).map((cents) => cents * 10_000),
      fc.integer({ min: -900_000_000, max: 9_000_000_000 }),
    ),
    discountBp: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10_000 })),
    tax: fc.oneof({ weight: 5, arbitrary: taxed }, { weight: 1, arbitrary: untaxed }),
    regimeKey: fc.constantFrom('01', '01', '01', '07'),
    withholdable: fc.boolean(),
    isDisbursement: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  })
  .map(({ tax, ...line }) => ({ ...line, ...tax }))
