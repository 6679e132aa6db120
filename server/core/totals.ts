/**
 * Totals of an invoice: one rule, integer arithmetic. Sums start from exact line values and are rounded once per group
 * of equal tax, half away from zero; a line's own rounded net is for display and is never added up.
 */
import { divideRounded, percentOf } from './money.ts'
import type { BasisPoints, Cents, Micro } from './money.ts'

/**
 * How an operation stands to VAT, in the registry's codes: S1 taxed, S2 taxed with reverse charge, N1 not subject
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
  taxTreatment: TaxTreatment
  regimeKey: string
  /** Null when the treatment bears no rate (N1, N2, exempt); 0 with reverse charge. */
  vatRateBp: BasisPoints | null
  surchargeRateBp: BasisPoints | null
  withholdable: boolean
  /** Paid in the customer's name (suplido): part of what is owed, never of the base. */
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
}

export interface Withholding {
  rateBp: BasisPoints
  baseCents: Cents
  amountCents: Cents
}

export interface Totals {
  /** Net of each line, for display. */
  lineNetsCents: Cents[]
  taxes: TaxTotal[]
  baseCents: Cents
  /** VAT and surcharge together: the registry's CuotaTotal. */
  taxCents: Cents
  surchargeCents: Cents
  disbursementsCents: Cents
  /** base + tax + disbursements, before withholding. */
  totalCents: Cents
  /** base + tax: the registry's ImporteTotal and the QR's amount. */
  registeredTotalCents: Cents
  withholding: Withholding | null
  /** total - withholding; payments are not known here. */
  amountDueCents: Cents
}

/** quantity (1e6) × price (1e6) × (1 - discount) (1e4), in euros × 1e16; a cent is 1e14 of these. */
const CENT = 100_000_000_000_000n
const WHOLE_BP = 10_000

function exactAmount(line: TotalsLine): bigint {
  return BigInt(line.quantityMicro) * BigInt(line.unitPriceMicro) * BigInt(WHOLE_BP - line.discountBp)
}

interface Group {
  taxTreatment: TaxTreatment
  regimeKey: string
  vatRateBp: BasisPoints | null
  surchargeRateBp: BasisPoints | null
  exact: bigint
  grossCents: Cents
}

function addToGroup(groups: Group[], line: TotalsLine, exact: bigint, grossCents: Cents): void {
  for (const group of groups) {
    if (
      group.taxTreatment === line.taxTreatment &&
      group.regimeKey === line.regimeKey &&
      group.vatRateBp === line.vatRateBp &&
      group.surchargeRateBp === line.surchargeRateBp
    ) {
      group.exact += exact
      group.grossCents += grossCents
      return
    }
  }
  const { taxTreatment, regimeKey, vatRateBp, surchargeRateBp } = line
  groups.push({ taxTreatment, regimeKey, vatRateBp, surchargeRateBp, exact, grossCents })
}

/** Taxed first, highest rate first; then the treatments without a rate in the order of their codes. */
function compareGroups(a: Group, b: Group): number {
  const byTreatment = TAX_TREATMENTS.indexOf(a.taxTreatment) - TAX_TREATMENTS.indexOf(b.taxTreatment)
  if (byTreatment !== 0) return byTreatment
  const byRate = (b.vatRateBp ?? 0) - (a.vatRateBp ?? 0)
  if (byRate !== 0) return byRate
  return (b.surchargeRateBp ?? -1) - (a.surchargeRateBp ?? -1) || (a.regimeKey < b.regimeKey ? -1 : 1)
}

/**
 * VAT's part of VAT and surcharge together: what rounding left over is shared, so that neither is off by more than a
 * cent from base times rate. Left to VAT alone it would be off by 1.1 cents at 0.12 euros with 21 % and 5.2 %.
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

function taxOfGroup(group: Group, priceMode: PriceMode): TaxTotal {
  const { taxTreatment, regimeKey, vatRateBp, surchargeRateBp } = group
  const vat = vatRateBp ?? 0
  const surcharge = surchargeRateBp ?? 0
  let baseCents: Cents
  let taxCents: Cents
  let surchargeCents: Cents
  if (priceMode === 'gross') {
    // The customer's price is the fixed point: what rounding leaves goes to the VAT, so base + VAT is that price.
    const divisor = BigInt(WHOLE_BP + vat + surcharge)
    baseCents = Number(divideRounded(BigInt(group.grossCents) * BigInt(WHOLE_BP), divisor))
    const restCents = group.grossCents - baseCents
    taxCents = surcharge === 0 ? restCents : taxShareCents(restCents, baseCents, vat, surcharge)
    surchargeCents = restCents - taxCents
  } else {
    baseCents = Number(divideRounded(group.exact, CENT))
    taxCents = percentOf(baseCents, vat)
    surchargeCents = percentOf(baseCents, surcharge)
  }
  return { taxTreatment, regimeKey, vatRateBp, baseCents, taxCents, surchargeRateBp, surchargeCents }
}

/** Net of one line in cents, rounded for display. */
export function lineNetCents(line: TotalsLine, priceMode: PriceMode): Cents {
  const exact = exactAmount(line)
  if (priceMode === 'net' || line.isDisbursement) return Number(divideRounded(exact, CENT))
  const grossCents = divideRounded(exact, CENT)
  const divisor = BigInt(WHOLE_BP + (line.vatRateBp ?? 0) + (line.surchargeRateBp ?? 0))
  return Number(divideRounded(grossCents * BigInt(WHOLE_BP), divisor))
}

/**
 * All totals of an invoice. `withholdingRateBp` is the rate of income tax the customer keeps back, on the net of the
 * withholdable lines: never on VAT, never on disbursements (RIRPF art. 93).
 * Rounding: per tax group, as EN 16931 and the authority's own check (product of base and rate) expect.
 */
export function computeTotals(
  lines: readonly TotalsLine[],
  options: { priceMode: PriceMode; withholdingRateBp: BasisPoints | null },
): Totals {
  const { priceMode, withholdingRateBp } = options
  const groups: Group[] = []
  const lineNetsCents: Cents[] = []
  let disbursements = 0n
  let withholdable = 0n
  for (const line of lines) {
    const exact = exactAmount(line)
    const netCents = lineNetCents(line, priceMode)
    lineNetsCents.push(netCents)
    if (line.isDisbursement) {
      disbursements += exact
      continue
    }
    addToGroup(groups, line, exact, priceMode === 'gross' ? Number(divideRounded(exact, CENT)) : 0)
    if (line.withholdable) withholdable += priceMode === 'net' ? exact : BigInt(netCents) * CENT
  }
  const taxes = groups.sort(compareGroups).map((group) => taxOfGroup(group, priceMode))
  let baseCents = 0
  let vatCents = 0
  let surchargeCents = 0
  for (const tax of taxes) {
    baseCents += tax.baseCents
    vatCents += tax.taxCents
    surchargeCents += tax.surchargeCents
  }
  const taxCents = vatCents + surchargeCents
  const disbursementsCents = Number(divideRounded(disbursements, CENT))
  const registeredTotalCents = baseCents + taxCents
  const totalCents = registeredTotalCents + disbursementsCents
  const withholding = withholdingOf(withholdable, withholdingRateBp)
  return {
    lineNetsCents,
    taxes,
    baseCents,
    taxCents,
    surchargeCents,
    disbursementsCents,
    totalCents,
    registeredTotalCents,
    withholding,
    amountDueCents: totalCents - (withholding?.amountCents ?? 0),
  }
}

function withholdingOf(exactBase: bigint, rateBp: BasisPoints | null): Withholding | null {
  if (rateBp === null || rateBp === 0) return null
  const baseCents = Number(divideRounded(exactBase, CENT))
  return { rateBp, baseCents, amountCents: percentOf(baseCents, rateBp) }
}
