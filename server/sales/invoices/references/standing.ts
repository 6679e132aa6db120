/** Remaining sums of an invoice after all its rectifications: sums by tax, and the family of rectifications. Pure. */
import type { TaxTotal, Totals } from '../../../domain/tax/totals.ts'

export type TaxSum = Pick<
  TaxTotal,
  | 'taxTreatment'
  | 'regimeKey'
  | 'vatRateBp'
  | 'surchargeRateBp'
  | 'baseCents'
  | 'taxCents'
  | 'surchargeCents'
  | 'outsideCents'
>

/** Sums of an invoice with its rectifications, in the currency of the document. */
export interface Standing {
  taxes: TaxSum[]
  disbursementsCents: number
}

/** True when two sums have the same tax, regime and rates. */
export function sameTax(a: TaxSum, b: TaxSum): boolean {
  return (
    a.taxTreatment === b.taxTreatment &&
    a.regimeKey === b.regimeKey &&
    a.vatRateBp === b.vatRateBp &&
    a.surchargeRateBp === b.surchargeRateBp
  )
}

/** Adds two sums by tax. */
export function addStanding(a: Standing, b: Standing): Standing {
  const taxes = a.taxes.map((tax) => ({ ...tax }))
  for (const tax of b.taxes) {
    const same = taxes.find((each) => sameTax(each, tax))
    if (!same) {
      taxes.push({ ...tax })
      continue
    }
    same.baseCents += tax.baseCents
    same.taxCents += tax.taxCents
    same.surchargeCents += tax.surchargeCents
    same.outsideCents += tax.outsideCents
  }
  return { taxes, disbursementsCents: a.disbursementsCents + b.disbursementsCents }
}

export const NOTHING: Standing = { taxes: [], disbursementsCents: 0 }

/** Returns the sums of an invoice alone. */
export function ownStanding(totals: Totals): Standing {
  return {
    taxes: totals.taxes.map((tax) => ({
      taxTreatment: tax.taxTreatment,
      regimeKey: tax.regimeKey,
      vatRateBp: tax.vatRateBp,
      surchargeRateBp: tax.surchargeRateBp,
      baseCents: tax.baseCents,
      taxCents: tax.taxCents,
      surchargeCents: tax.surchargeCents,
      outsideCents: tax.outsideCents,
    })),
    disbursementsCents: totals.disbursementsCents,
  }
}

/** Returns the amount of a tax group for the customer: base, tax, surcharge and the amounts beside them. */
export function grossCents(tax: TaxSum): number {
  return tax.baseCents + tax.taxCents + tax.surchargeCents + tax.outsideCents
}

/** Returns the total for the customer, before withholding. */
export function standingTotal(standing: Standing): number {
  return standing.taxes.reduce((sum, tax) => sum + grossCents(tax), standing.disbursementsCents)
}

/** True when nothing is left: of each tax the base or the price is zero; rounding may leave a cent in the other one. */
export function isFullyRectified(standing: Standing): boolean {
  return (
    standing.disbursementsCents === 0 &&
    standing.taxes.every((tax) => tax.baseCents === 0 || grossCents(tax) === 0)
  )
}

/** Invoice with all its rectifications. */
export interface Family {
  id: number
  publicId: string
  number: string
  issueDate: string
  own: Standing
  /** In force, in the order of creation. */
  children: (Family & { method: 'S' | 'I' })[]
}

/** Rectification that replaced the whole invoice, if there is one. */
export function replacement(family: Family): Family | null {
  return family.children.findLast((child) => child.method === 'S') ?? null
}

/**
 * Returns what is left of an invoice: its sums and those of its rectifications; a substitution replaces everything
 * before it.
 */
export function standingOfFamily(family: Family): Standing {
  const replaced = replacement(family)
  if (replaced) return standingOfFamily(replaced)
  return family.children.reduce((sum, child) => addStanding(sum, standingOfFamily(child)), family.own)
}

/** Returns every invoice of a family, each once. */
export function membersOf(family: Family): Set<number> {
  const members = new Set([family.id])
  for (const child of family.children) for (const id of membersOf(child)) members.add(id)
  return members
}

type Rectified = 'no' | 'partly' | 'fully'

/** Returns the state of an invoice: not rectified, partly, or fully. */
export function rectifiedState(family: Family): Rectified {
  if (replacement(family)) return 'fully'
  if (family.children.length === 0) return 'no'
  return isFullyRectified(standingOfFamily(family)) ? 'fully' : 'partly'
}
