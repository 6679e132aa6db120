/**
 * Totals of an invoice in integer arithmetic. Sums start from exact line values and are rounded once per group of
 * equal tax, half away from zero; the rounded net of a line is for display only and never added up.
 */
import { divideRounded, percentOf } from '../money.ts'
import type { BasisPoints, Cents, Micro } from '../money.ts'

/**
 * VAT treatment of an operation, in the registry's codes: S1 taxed, S2 taxed with reverse charge, N1 not subject
 * (arts. 7, 14 and others), N2 not subject by the place of supply, E1 to E8 exempt (E1 art. 20, E2 art. 21 exports,
 * E3 art. 22, E4 arts. 23-24, E5 art. 25 intra-Community, E6 other, E7 and E8 only IGIC).
 */
export const TAX_TREATMENTS = [
  'S1',
  'S2',
  'N1',
  'N2',
  'E1',
  'E2',
  'E3',
  'E4',
  'E5',
  'E6',
  'E7',
  'E8',
] as const
export type TaxTreatment = (typeof TAX_TREATMENTS)[number]

export type PriceMode = 'net' | 'gross'

export interface TotalsLine {
  quantityMicro: Micro
  unitPriceMicro: Micro
  discountBp: BasisPoints
  /** Deducted from the line after its percentage. */
  discountCents: Cents
  taxTreatment: TaxTreatment
  regimeKey: string
  /**
   * Null if the treatment has no rate (N1, N2, exempt); 0 with reverse charge. Under the one-stop shop (N2 with
   * regime 17) the rate of the customer's country.
   */
  vatRateBp: BasisPoints | null
  surchargeRateBp: BasisPoints | null
  /**
   * Margin schemes (used goods, travel): the cost of the goods or services. The price then includes the tax, in both
   * modes.
   */
  costCents: Cents | null
  withholdable: boolean
  /** Paid in the customer's name (suplido): part of the amount due, never of the base. */
  isDisbursement: boolean
}

export interface TaxTotal {
  taxTreatment: TaxTreatment
  regimeKey: string
  vatRateBp: BasisPoints | null
  baseCents: Cents
  /** VAT without the surcharge. */
  taxCents: Cents
  surchargeRateBp: BasisPoints | null
  surchargeCents: Cents
  /**
   * Charged in addition to base and tax: the cost under a margin scheme, another country's VAT under the one-stop
   * shop.
   */
  outsideCents: Cents
}

interface Withholding {
  rateBp: BasisPoints
  baseCents: Cents
  amountCents: Cents
}

export interface Totals {
  /** Net of each line before the document's discount, for display. */
  lineNetsCents: Cents[]
  taxes: TaxTotal[]
  /** Reduction of the bases by the document's discount, for display. */
  documentDiscountCents: Cents
  baseCents: Cents
  /** VAT and surcharge together: CuotaTotal of the registry. */
  taxCents: Cents
  surchargeCents: Cents
  /** Sum over all lines: neither base nor tax, but part of the price. */
  outsideCents: Cents
  disbursementsCents: Cents
  /** base + tax + outside + disbursements, before withholding. */
  totalCents: Cents
  /** ImporteTotal of the registry and the amount in the QR code: base, tax and the cost under a margin scheme. */
  registeredTotalCents: Cents
  withholding: Withholding | null
  /** total - withholding; payments are not included. */
  amountDueCents: Cents
}

interface TotalsOptions {
  priceMode: PriceMode
  withholdingRateBp: BasisPoints | null
  /** Applied to every line that is not a disbursement. */
  discountBp?: BasisPoints
  /** Applied to all of them together, shared by the tax groups in proportion. */
  discountCents?: Cents
  /**
   * The withholding base is rounded once over all rates: the rule of the first builds, kept for documents that they
   * issued.
   */
  roundsWithholdingOnce?: boolean
}

/**
 * Regimes that tax only the margin: used goods, art and antiques (03), travel agencies (05). LIVA arts. 135-139 and
 * 141-147.
 */
export const MARGIN_REGIMES: readonly string[] = ['03', '05']

/**
 * Returns the income, for income tax, of one tax row of an issued invoice. Under a margin scheme it is the whole
 * price without its VAT: the cost is an expense of its own. R2 and R3 for an insolvent or uncollectible claim recover
 * VAT, not income (LIVA art. 80.Tres and Cuatro).
 */
export function incomeOfTax(
  kind: string,
  tax: Pick<TaxTotal, 'regimeKey' | 'baseCents' | 'outsideCents'>,
): Cents {
  if (kind === 'R2' || kind === 'R3') return 0
  return tax.baseCents + (MARGIN_REGIMES.includes(tax.regimeKey) ? tax.outsideCents : 0)
}
/** The one-stop shop: another member state's VAT (LIVA arts. 163 unvicies and following). */
export const ONE_STOP_SHOP = '17'

/** Returns true under a margin scheme with a known cost: only the margin is taxed. */
export function taxesMargin(line: Pick<TotalsLine, 'regimeKey' | 'costCents' | 'taxTreatment'>): boolean {
  return line.costCents !== null && isMarginScheme(line)
}

/** Treatment and regime key of a line; the key may be left to the company's own regime. */
interface Regime {
  taxTreatment: TaxTreatment
  regimeKey: string | null
}

/** True for a line under the one-stop shop, whose rate is the customer's country's. */
export function isOneStopShop({ taxTreatment, regimeKey }: Regime): boolean {
  return taxTreatment === 'N2' && regimeKey === ONE_STOP_SHOP
}

/** True under a scheme that taxes the margin only (used goods, travel): the line must state its cost. */
export function isMarginScheme({ taxTreatment, regimeKey }: Regime): boolean {
  return taxTreatment === 'S1' && regimeKey !== null && MARGIN_REGIMES.includes(regimeKey)
}

/** Returns the regime key of a treatment when neither the line nor the company names one: exports have their own. */
export function usualRegime(treatment: TaxTreatment): string {
  return treatment === 'E2' || treatment === 'E3' ? '02' : '01'
}

/** quantity (1e6) × price (1e6) × (1 - discount) (1e4) × (1 - document's discount) (1e4), in euros × 1e20; a cent is 1e18 of these. */
const CENT = 1_000_000_000_000_000_000n
const LINE_CENT = 100_000_000_000_000n
const WHOLE_BP = 10_000

/** Returns a line's amount before the document's discount, in euros × 1e16. */
function lineAmount(line: TotalsLine): bigint {
  const listed = BigInt(line.quantityMicro) * BigInt(line.unitPriceMicro) * BigInt(WHOLE_BP - line.discountBp)
  return listed - BigInt(line.discountCents) * LINE_CENT
}

/** Returns the amount of a line as priced (with its tax in gross mode), before the document's discount. */
export function listedCents(line: TotalsLine): Cents {
  return Number(divideRounded(lineAmount(line), LINE_CENT))
}

/** A unit price without tax may have as many decimals as any price, but four are enough to recover the base. */
const UNIT_PRICE_STEP = 100n

/** Returns the price of one unit without tax, as a complete invoice must state it (RD 1619/2012 art. 6.1.f). */
export function netUnitPrice(line: TotalsLine, priceMode: PriceMode): Micro {
  if (priceMode === 'net' || taxesMargin(line)) return line.unitPriceMicro
  const rate = BigInt(WHOLE_BP + (line.vatRateBp ?? 0) + (line.surchargeRateBp ?? 0))
  const net = divideRounded(BigInt(line.unitPriceMicro) * BigInt(WHOLE_BP), rate * UNIT_PRICE_STEP)
  return Number(net * UNIT_PRICE_STEP)
}

interface Group {
  taxTreatment: TaxTreatment
  regimeKey: string
  vatRateBp: BasisPoints | null
  surchargeRateBp: BasisPoints | null
  margin: boolean
  abroad: boolean
  /** Before the document's discount (1e16), and after it (1e20). */
  priced: bigint
  exact: bigint
  /** Rounded amounts of the lines before the document's discount: the fixed values with gross prices. */
  grossCents: Cents
  costCents: Cents
  /** Exact amounts of the lines subject to withholding, and whether these are all lines. */
  withholdable: bigint
  whollyWithholdable: boolean
}

function groupOf(groups: Group[], line: TotalsLine): Group {
  const margin = taxesMargin(line)
  for (const group of groups) {
    if (
      group.taxTreatment === line.taxTreatment &&
      group.regimeKey === line.regimeKey &&
      group.vatRateBp === line.vatRateBp &&
      group.surchargeRateBp === line.surchargeRateBp &&
      group.margin === margin
    )
      return group
  }
  const { taxTreatment, regimeKey, vatRateBp, surchargeRateBp } = line
  const group: Group = {
    taxTreatment,
    regimeKey,
    vatRateBp,
    surchargeRateBp,
    margin,
    abroad: isOneStopShop(line),
    priced: 0n,
    exact: 0n,
    grossCents: 0,
    costCents: 0,
    withholdable: 0n,
    whollyWithholdable: true,
  }
  groups.push(group)
  return group
}

/** Orders groups: taxed first, highest rate first; then the treatments without a rate by code. */
function compareGroups(a: Group, b: Group): number {
  const byTreatment = TAX_TREATMENTS.indexOf(a.taxTreatment) - TAX_TREATMENTS.indexOf(b.taxTreatment)
  if (byTreatment !== 0) return byTreatment
  const byRate = (b.vatRateBp ?? 0) - (a.vatRateBp ?? 0)
  if (byRate !== 0) return byRate
  return (b.surchargeRateBp ?? -1) - (a.surchargeRateBp ?? -1) || (a.regimeKey < b.regimeKey ? -1 : 1)
}

/**
 * Returns the VAT part of VAT and surcharge together. The rounding difference is shared, so that neither is off by
 * more than a cent from base times rate. Assigned to VAT alone, it would be off by 1.1 cents at 0.12 euros with 21 %
 * and 5.2 %.
 */
function taxShareCents(
  restCents: Cents,
  baseCents: Cents,
  vatBp: BasisPoints,
  surchargeBp: BasisPoints,
): Cents {
  const twice = BigInt(restCents) * BigInt(WHOLE_BP) + BigInt(baseCents) * BigInt(vatBp - surchargeBp)
  return Number(divideRounded(twice, BigInt(2 * WHOLE_BP)))
}

/**
 * Splits an amount that includes base, tax and surcharge. The rounding difference goes to the tax, so that the parts
 * add up to the amount.
 */
function partsOf(
  grossCents: Cents,
  vat: BasisPoints,
  surcharge: BasisPoints,
): Pick<TaxTotal, 'baseCents' | 'taxCents' | 'surchargeCents'> {
  const baseCents = Number(
    divideRounded(BigInt(grossCents) * BigInt(WHOLE_BP), BigInt(WHOLE_BP + vat + surcharge)),
  )
  const restCents = grossCents - baseCents
  const taxCents = surcharge === 0 ? restCents : taxShareCents(restCents, baseCents, vat, surcharge)
  return { baseCents, taxCents, surchargeCents: restCents - taxCents }
}

/**
 * Shares `amountCents` in proportion to `weights`, to the cent: the largest remainders receive the cents left by
 * rounding.
 */
export function shareCents(amountCents: Cents, weights: readonly bigint[]): Cents[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  if (whole === 0n) return weights.map((_, index) => (index === 0 ? amountCents : 0))
  const shares = weights.map((weight) => {
    const exact = BigInt(amountCents) * weight
    const cents = exact / whole
    return { cents: Number(cents), rest: exact - cents * whole }
  })
  let left = amountCents - shares.reduce((sum, share) => sum + share.cents, 0)
  const step = Math.sign(left)
  const size = (value: bigint) => (value < 0n ? -value : value)
  const byRest = shares
    .map((_, index) => index)
    .sort((a, b) => {
      const [one, other] = [size(shares[a]?.rest ?? 0n), size(shares[b]?.rest ?? 0n)]
      return one === other ? a - b : one > other ? -1 : 1
    })
  for (const index of byRest) {
    if (left === 0) break
    const share = shares[index]
    if (share) share.cents += step
    left -= step
  }
  return shares.map((share) => share.cents)
}

/**
 * Returns the cost that counts for one operation, from zero to its price: a loss on one operation does not reduce the
 * margin of another (LIVA art. 137).
 */
function countedCost(costCents: Cents, priceCents: Cents): Cents {
  if (priceCents < 0) return Math.min(0, Math.max(costCents, priceCents))
  return Math.max(0, Math.min(costCents, priceCents))
}

/** Amounts of a group after the document's discounts; gross amounts are whole cents. */
interface Reduced {
  exact: bigint
  grossCents: Cents
}

function reduce(groups: readonly Group[], discountBp: BasisPoints, discountCents: Cents): Reduced[] {
  const kept = BigInt(WHOLE_BP - discountBp)
  const reduced = groups.map((group) => ({
    exact: group.exact,
    grossCents: Number(divideRounded(BigInt(group.grossCents) * kept, BigInt(WHOLE_BP))),
  }))
  if (discountCents === 0) return reduced
  const shares = shareCents(
    discountCents,
    reduced.map(({ exact }) => exact),
  )
  return reduced.map((one, index) => ({
    exact: one.exact - BigInt(shares[index] ?? 0) * CENT,
    grossCents: one.grossCents - (shares[index] ?? 0),
  }))
}

function taxOfGroup(group: Group, { exact, grossCents }: Reduced, priceMode: PriceMode): TaxTotal {
  const { taxTreatment, regimeKey, vatRateBp, surchargeRateBp } = group
  const vat = vatRateBp ?? 0
  const surcharge = surchargeRateBp ?? 0
  const kind = { taxTreatment, regimeKey, vatRateBp, surchargeRateBp }
  if (group.margin) {
    const margin = grossCents - group.costCents
    const marginCents = grossCents < 0 ? Math.min(0, margin) : Math.max(0, margin)
    const parts = partsOf(marginCents, vat, surcharge)
    return { ...kind, ...parts, outsideCents: grossCents - marginCents }
  }
  let parts: Pick<TaxTotal, 'baseCents' | 'taxCents' | 'surchargeCents'>
  // With gross prices the customer's price is fixed: the rounding difference goes to the VAT, so that base + VAT
  // equals the price.
  if (priceMode === 'gross') parts = partsOf(grossCents, vat, surcharge)
  else {
    const baseCents = Number(divideRounded(exact, CENT))
    parts = {
      baseCents,
      taxCents: percentOf(baseCents, vat),
      surchargeCents: percentOf(baseCents, surcharge),
    }
  }
  if (!group.abroad) return { ...kind, ...parts, outsideCents: 0 }
  return { ...kind, ...parts, taxCents: 0, outsideCents: parts.taxCents }
}

/** Returns the net in whole cents of a line whose amount as priced is `priced`. */
function netOf(line: TotalsLine, priced: bigint, priceMode: PriceMode): Cents {
  if (priceMode === 'net' || line.isDisbursement || taxesMargin(line)) return Number(priced)
  const divisor = BigInt(WHOLE_BP + (line.vatRateBp ?? 0) + (line.surchargeRateBp ?? 0))
  return Number(divideRounded(priced * BigInt(WHOLE_BP), divisor))
}

/** Returns the net of one line in cents, rounded for display; under a margin scheme its price. */
export function lineNetCents(line: TotalsLine, priceMode: PriceMode): Cents {
  return netOf(line, divideRounded(lineAmount(line), LINE_CENT), priceMode)
}

/**
 * Computes all totals of an invoice. `withholdingRateBp` is the rate of income tax withheld by the customer, on the
 * net of the withholdable lines: never on VAT, never on disbursements (RIRPF art. 93). Rounding: per tax group, as EN
 * 16931 and the authority's own check (product of base and rate) require.
 */
export function computeTotals(lines: readonly TotalsLine[], options: TotalsOptions): Totals {
  const { priceMode, discountBp = 0, discountCents = 0 } = options
  const groups: Group[] = []
  const lineNetsCents: Cents[] = []
  let disbursements = 0n
  for (const line of lines) {
    const amount = lineAmount(line)
    const priced = divideRounded(amount, LINE_CENT)
    lineNetsCents.push(netOf(line, priced, priceMode))
    if (line.isDisbursement) {
      disbursements += amount
      continue
    }
    const group = groupOf(groups, line)
    group.priced += amount
    const cents = Number(priced)
    group.grossCents += cents
    if (group.margin) group.costCents += countedCost(line.costCents ?? 0, cents)
    if (line.withholdable) group.withholdable += amount
    else group.whollyWithholdable = false
  }
  const kept = BigInt(WHOLE_BP - discountBp)
  for (const group of groups) {
    group.exact = group.priced * kept
    group.withholdable *= kept
  }
  groups.sort(compareGroups)
  const reduced = reduce(groups, discountBp, discountCents)
  const taxes = groups.map((group, index) => taxOfGroup(group, reduced[index] as Reduced, priceMode))
  const sums = sumOf(taxes)
  const disbursementsCents = Number(divideRounded(disbursements, LINE_CENT))
  const withholding = withholdingOf(groups, reduced, taxes, options)
  const hasDiscount = discountBp !== 0 || discountCents !== 0
  const listedCents = hasDiscount ? listedBase(groups, priceMode) : 0
  return {
    lineNetsCents,
    taxes,
    documentDiscountCents: hasDiscount ? listedCents - sums.baseCents : 0,
    ...withTotals(sums, disbursementsCents, withholding),
  }
}

/** Returns the bases without the document's discount. */
function listedBase(groups: readonly Group[], priceMode: PriceMode): Cents {
  return groups.reduce(
    (sum, group) =>
      sum +
      taxOfGroup(group, { exact: group.priced * BigInt(WHOLE_BP), grossCents: group.grossCents }, priceMode)
        .baseCents,
    0,
  )
}

type Sums = Pick<Totals, 'baseCents' | 'taxCents' | 'surchargeCents' | 'outsideCents'> & {
  marginCostCents: Cents
}

function sumOf(taxes: readonly TaxTotal[]): Sums {
  const sums: Sums = { baseCents: 0, taxCents: 0, surchargeCents: 0, outsideCents: 0, marginCostCents: 0 }
  for (const tax of taxes) {
    sums.baseCents += tax.baseCents
    sums.taxCents += tax.taxCents + tax.surchargeCents
    sums.surchargeCents += tax.surchargeCents
    sums.outsideCents += tax.outsideCents
    if (MARGIN_REGIMES.includes(tax.regimeKey)) sums.marginCostCents += tax.outsideCents
  }
  return sums
}

function withTotals(
  { marginCostCents, ...sums }: Sums,
  disbursementsCents: Cents,
  withholding: Withholding | null,
): Omit<Totals, 'lineNetsCents' | 'taxes' | 'documentDiscountCents'> {
  const totalCents = sums.baseCents + sums.taxCents + sums.outsideCents + disbursementsCents
  return {
    ...sums,
    disbursementsCents,
    totalCents,
    registeredTotalCents: sums.baseCents + sums.taxCents + marginCostCents,
    withholding,
    amountDueCents: totalCents - (withholding?.amountCents ?? 0),
  }
}

/** Returns the share of the withholdable lines in the base of a group, in euros × 1e20, as a fraction. */
function withholdablePart(
  group: Group,
  reduced: Reduced | undefined,
  tax: TaxTotal | undefined,
  priceMode: PriceMode,
): [top: bigint, bottom: bigint] {
  const { withholdable, exact } = group
  const net = priceMode === 'net' && !group.margin
  // If lines cancel out, the group has no base to share: the amounts of the lines are used instead.
  if (exact === 0n) {
    const divisor = BigInt(WHOLE_BP + (group.vatRateBp ?? 0) + (group.surchargeRateBp ?? 0))
    return net ? [withholdable, 1n] : [withholdable * BigInt(WHOLE_BP), divisor]
  }
  if (net && reduced?.exact === exact) return [withholdable, 1n]
  const base = net ? (reduced?.exact ?? 0n) : BigInt(tax?.baseCents ?? 0) * CENT
  return [base * withholdable, exact]
}

/**
 * Returns the withholding base: for each group its base, or the share of its withholdable lines. Rounded per group
 * like the bases, so that it equals their sum if all lines are withholdable.
 */
function withholdingOf(
  groups: readonly Group[],
  reduced: readonly Reduced[],
  taxes: readonly TaxTotal[],
  { priceMode, withholdingRateBp: rateBp, roundsWithholdingOnce = false }: TotalsOptions,
): Withholding | null {
  if (rateBp === null || rateBp === 0) return null
  if (roundsWithholdingOnce) return withholdingRoundedOnce(groups, reduced, taxes, priceMode, rateBp)
  const baseCents = groups.reduce((sum, group, index) => {
    const tax = taxes[index]
    if (tax && group.whollyWithholdable) return sum + tax.baseCents
    if (group.withholdable === 0n) return sum
    const [top, bottom] = withholdablePart(group, reduced[index], tax, priceMode)
    const sign = bottom < 0n ? -1n : 1n
    return sum + Number(divideRounded(sign * top, sign * bottom * CENT))
  }, 0)
  return { rateBp, baseCents, amountCents: percentOf(baseCents, rateBp) }
}

function withholdingRoundedOnce(
  groups: readonly Group[],
  reduced: readonly Reduced[],
  taxes: readonly TaxTotal[],
  priceMode: PriceMode,
  rateBp: BasisPoints,
): Withholding {
  let top = 0n
  let bottom = 1n
  for (const [index, group] of groups.entries()) {
    if (group.withholdable === 0n) continue
    const [partTop, partBottom] = withholdablePart(group, reduced[index], taxes[index], priceMode)
    top = top * partBottom + partTop * bottom
    bottom *= partBottom
  }
  if (bottom < 0n) [top, bottom] = [-top, -bottom]
  const baseCents = Number(divideRounded(top, bottom * CENT))
  return { rateBp, baseCents, amountCents: percentOf(baseCents, rateBp) }
}

/** Units of the document's currency per euro, in millionths. */
type FxMicro = number

/**
 * Converts the totals of a document in another currency to euros, as the registry, the books and VAT require (RD
 * 1619/2012 art. 12.1). Bases are converted and rounded, and taxes computed from them, so that also in euros they are
 * base times rate.
 */
export function inEuros(totals: Totals, fxMicro: FxMicro, roundsWithholdingOnce = false): Totals {
  const euros = (cents: Cents): Cents => Number(divideRounded(BigInt(cents) * 1_000_000n, BigInt(fxMicro)))
  const taxes = totals.taxes.map((tax) => {
    const baseCents = euros(tax.baseCents)
    const abroad = isOneStopShop(tax)
    return {
      ...tax,
      baseCents,
      taxCents: abroad ? 0 : percentOf(baseCents, tax.vatRateBp ?? 0),
      surchargeCents: percentOf(baseCents, tax.surchargeRateBp ?? 0),
      outsideCents: abroad ? percentOf(baseCents, tax.vatRateBp ?? 0) : euros(tax.outsideCents),
    }
  })
  const sums = sumOf(taxes)
  const isWhole = totals.withholding?.baseCents === totals.baseCents && !roundsWithholdingOnce
  const keptBase = isWhole ? sums.baseCents : euros(totals.withholding?.baseCents ?? 0)
  const withholding = totals.withholding && {
    rateBp: totals.withholding.rateBp,
    baseCents: keptBase,
    amountCents: percentOf(keptBase, totals.withholding.rateBp),
  }
  return {
    lineNetsCents: totals.lineNetsCents.map(euros),
    taxes,
    documentDiscountCents: euros(totals.documentDiscountCents),
    ...withTotals(sums, euros(totals.disbursementsCents), withholding),
  }
}
