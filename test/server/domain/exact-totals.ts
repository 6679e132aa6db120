/** A second calculation of an invoice's totals, with fractions that are rounded only where the law requires. */
import fc from 'fast-check'
import { TAX_TREATMENTS } from '../../../server/domain/tax/totals.ts'
import type { PriceMode, TotalsLine } from '../../../server/domain/tax/totals.ts'

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
const by = (a: Fraction, b: Fraction): Fraction => {
  const sign = b.top < 0n ? -1n : 1n
  return { top: sign * a.top * b.bottom, bottom: sign * a.bottom * b.top }
}

/** Rounds half away from zero: the absolute value plus a half, truncated, with its sign. */
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

/** Returns the VAT with the smallest deviation of VAT and surcharge; of two equal ones, the larger absolute value. */
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

interface ExactTotals {
  /** By `treatment|regime|rate|surcharge|margin`: base, VAT, surcharge and the amount outside, in cents. */
  taxes: Record<string, [baseCents: number, taxCents: number, surchargeCents: number, outsideCents: number]>
  baseCents: number
  taxCents: number
  outsideCents: number
  disbursementsCents: number
  totalCents: number
  withholdingBaseCents: number
  withholdingCents: number
  lineNetsCents: number[]
}

const amountInCents = (line: TotalsLine): Fraction =>
  minus(
    times(
      times(over(line.quantityMicro, 1_000_000), over(line.unitPriceMicro, 1_000_000)),
      times(over(10_000 - line.discountBp, 10_000), whole(100)),
    ),
    whole(line.discountCents),
  )

const rateOf = (basisPoints: number | null): Fraction => over(basisPoints ?? 0, 10_000)
const isMargin = (line: TotalsLine): boolean =>
  line.costCents !== null &&
  line.taxTreatment === 'S1' &&
  (line.regimeKey === '03' || line.regimeKey === '05')
const isAbroad = (line: TotalsLine): boolean => line.taxTreatment === 'N2' && line.regimeKey === '17'

export interface ExactOptions {
  priceMode: PriceMode
  withholdingRateBp: number | null
  discountBp?: number
  discountCents?: number
}

interface ExactGroup {
  line: TotalsLine
  /** After the document's percentage. */
  exact: Fraction
  /** Rounded amounts before it. */
  grossCents: number
  /** For a margin scheme: the taxed part of each line, gross. */
  marginCents: number
  withheld: Fraction
  isWhollyWithheld: boolean
}

/**
 * Shares the document's discount in whole cents by group: truncated first, then a cent each to the largest
 * remainders.
 */
function sharesOf(discountCents: number, groups: readonly ExactGroup[]): number[] {
  const sum = groups.reduce((total, group) => plus(total, group.exact), whole(0))
  if (sum.top === 0n) return groups.map((_, index) => (index === 0 ? discountCents : 0))
  const exact = groups.map((group) => by(times(whole(discountCents), group.exact), sum))
  const cut = exact.map(({ top, bottom }) => Number(top / bottom))
  const missing = discountCents - cut.reduce((total, cents) => total + cents, 0)
  const order = exact
    .map((share, index) => ({ index, rest: size(minus(share, whole(cut[index] ?? 0))) }))
    .sort((a, b) => (isLess(b.rest, a.rest) ? -1 : isLess(a.rest, b.rest) ? 1 : a.index - b.index))
  for (let given = 0; given < Math.abs(missing); given++) {
    const at = order[given]?.index ?? 0
    cut[at] = (cut[at] ?? 0) + Math.sign(missing)
  }
  return cut
}

const ORDER = (line: TotalsLine): string =>
  [
    String(TAX_TREATMENTS.indexOf(line.taxTreatment)).padStart(2, '0'),
    String(99_999 - (line.vatRateBp ?? 0)),
    String(99_999 - (line.surchargeRateBp ?? -1)).padStart(6, '0'),
    line.regimeKey,
  ].join('|')

/** Computes each tax group from exact values in net mode; in gross mode from its rounded gross amount, which is fixed. */
export function exactTotals(lines: readonly TotalsLine[], options: ExactOptions): ExactTotals {
  const { priceMode, withholdingRateBp, discountBp = 0, discountCents = 0 } = options
  const kept = over(10_000 - discountBp, 10_000)
  const byKey = new Map<string, ExactGroup>()
  const lineNetsCents: number[] = []
  let disbursements = whole(0)
  for (const line of lines) {
    const amount = amountInCents(line)
    const cents = rounded(amount)
    const divisor = plus(whole(1), plus(rateOf(line.vatRateBp), rateOf(line.surchargeRateBp)))
    lineNetsCents.push(
      priceMode === 'net' || line.isDisbursement || isMargin(line)
        ? cents
        : rounded(by(whole(cents), divisor)),
    )
    if (line.isDisbursement) {
      disbursements = plus(disbursements, amount)
      continue
    }
    const key = `${ORDER(line)}|${String(isMargin(line))}`
    const group = byKey.get(key) ?? {
      line,
      exact: whole(0),
      grossCents: 0,
      marginCents: 0,
      withheld: whole(0),
      isWhollyWithheld: true,
    }
    group.exact = plus(group.exact, times(amount, kept))
    group.grossCents += cents
    const gain = cents - (line.costCents ?? 0)
    // At most the price, and never with the opposite sign.
    const within = Math.sign(gain) === Math.sign(cents) ? Math.min(Math.abs(gain), Math.abs(cents)) : 0
    if (isMargin(line)) group.marginCents += Math.sign(cents) * within
    if (line.withholdable) group.withheld = plus(group.withheld, times(amount, kept))
    else group.isWhollyWithheld = false
    byKey.set(key, group)
  }
  const groups = [...byKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
  const shares = discountCents === 0 ? groups.map(() => 0) : sharesOf(discountCents, groups)
  const taxes: ExactTotals['taxes'] = {}
  let withheldCents = 0
  for (const [index, group] of groups.entries()) {
    const { line, exact, grossCents, marginCents, withheld: part } = group
    const vat = rateOf(line.vatRateBp)
    const surcharge = rateOf(line.surchargeRateBp)
    const divisor = plus(whole(1), plus(vat, surcharge))
    const share = shares[index] ?? 0
    const paid = rounded(times(whole(grossCents), kept)) - share
    const net = priceMode === 'net' && !isMargin(line)
    const left = minus(exact, whole(share))
    let gross = paid
    if (isMargin(line)) {
      const gain = paid - (grossCents - marginCents)
      gross = paid < 0 ? Math.min(0, gain) : Math.max(0, gain)
    }
    const base = net ? rounded(left) : rounded(by(whole(gross), divisor))
    const exactTax = times(whole(base), vat)
    const exactSurcharge = times(whole(base), surcharge)
    const taxCents = net ? rounded(exactTax) : fairestTax(gross - base, exactTax, exactSurcharge)
    const surchargeCents = net ? rounded(exactSurcharge) : gross - base - taxCents
    const outside = isMargin(line) ? paid - gross : isAbroad(line) ? taxCents : 0
    const name = [
      line.taxTreatment,
      line.regimeKey,
      line.vatRateBp,
      line.surchargeRateBp,
      isMargin(line),
    ].join('|')
    taxes[name] = [base, isAbroad(line) ? 0 : taxCents, surchargeCents, outside]
    if (group.isWhollyWithheld) {
      withheldCents += base
      continue
    }
    if (part.top === 0n) continue
    // Rounded by group like the bases: the withholding base is a sum of displayed amounts.
    if (exact.top === 0n) withheldCents += rounded(net ? part : by(part, divisor))
    else withheldCents += rounded(by(times(net ? left : whole(base), part), exact))
  }
  const sums = Object.values(taxes)
  const add = (pick: (sum: ExactTotals['taxes'][string]) => number): number =>
    sums.reduce((total, sum) => total + pick(sum), 0)
  const baseCents = add(([base]) => base)
  const taxCents = add(([, tax, surcharge]) => tax + surcharge)
  const outsideCents = add(([, , , outside]) => outside)
  const disbursementsCents = rounded(disbursements)
  const withholdingBaseCents = withholdingRateBp ? withheldCents : 0
  return {
    taxes,
    baseCents,
    taxCents,
    outsideCents,
    disbursementsCents,
    totalCents: baseCents + taxCents + outsideCents + disbursementsCents,
    withholdingBaseCents,
    withholdingCents: withholdingRateBp
      ? rounded(times(whole(withholdingBaseCents), rateOf(withholdingRateBp)))
      : 0,
    lineNetsCents,
  }
}

/** VAT rates with the surcharges that may accompany them. */
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

const plain = fc
  .record({
    tax: fc.oneof({ weight: 5, arbitrary: taxed }, { weight: 1, arbitrary: untaxed }),
    regimeKey: fc.constantFrom('01', '01', '01', '07'),
  })
  .map(({ tax, regimeKey }) => ({ ...tax, regimeKey, costCents: null as number | null }))
/** Used goods and travel with their cost; another country's VAT. */
const special = fc.oneof(
  fc
    .record({
      regimeKey: fc.constantFrom('03', '05'),
      costCents: fc.integer({ min: -500_000, max: 5_000_000 }),
    })
    .map((one) => ({ ...one, taxTreatment: 'S1' as const, vatRateBp: 2100, surchargeRateBp: null })),
  fc.constantFrom(1900, 2000, 2500).map((vatRateBp) => ({
    taxTreatment: 'N2' as const,
    vatRateBp,
    surchargeRateBp: null,
    regimeKey: '17',
    costCents: null as number | null,
  })),
)

/** Ordinary and unusual lines: small and fine quantities, credits, discounts up to the whole amount. */
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
    discountCents: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 50_000 })),
    tax: fc.oneof({ weight: 6, arbitrary: plain }, { weight: 1, arbitrary: special }),
    withholdable: fc.boolean(),
    isDisbursement: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  })
  .map(({ tax, ...line }) => ({ ...line, ...tax }))

/** Discounts on the whole document. */
export const discountArbitrary = fc.record({
  discountBp: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 10_000 })),
  discountCents: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 100_000 })),
})
