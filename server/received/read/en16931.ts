/** Words that the two syntaxes of EN 16931 share: categories of VAT, means of payment, types of document. */
import { isInUnion } from '../../core/places.ts'
import type { Cents } from '../../core/money.ts'
import type { TaxLineInput } from '../contract.ts'
import { eurosOrNull } from './amounts.ts'
import type { FoundProposal } from './found.ts'

/** UNTDID 4461. */
export const PAYMENT_MEANS: Record<string, FoundProposal['paymentMethod']> = {
  '10': 'cash',
  '20': 'cheque',
  '30': 'transfer',
  '31': 'transfer',
  '42': 'transfer',
  '48': 'card',
  '49': 'direct_debit',
  '54': 'card',
  '55': 'card',
  '57': 'other',
  '58': 'transfer',
  '59': 'direct_debit',
}

/** UNTDID 1001: credit notes, whose amounts are positive although they give back. */
export const CREDIT_NOTES: readonly string[] = [
  '81',
  '83',
  '261',
  '262',
  '296',
  '308',
  '381',
  '396',
  '420',
  '458',
  '532',
]
const CORRECTED = '384'

export function kindOf(typeCode: string | null): { kind: 'invoice' | 'rectifying'; sign: 1 | -1 } {
  if (typeCode !== null && CREDIT_NOTES.includes(typeCode)) return { kind: 'rectifying', sign: -1 }
  return { kind: typeCode === CORRECTED ? 'rectifying' : 'invoice', sign: 1 }
}

export interface CategoryTax {
  /** UNTDID 5305 as EN 16931 limits it. */
  category: string | null
  rate: number | null
  baseCents: Cents | null
  taxCents: Cents | null
}

/** A group of VAT as a tax line; null when it says no base. `notVat`: another tax, added to the base. */
export function taxLineOf(
  tax: CategoryTax,
  { country, sign }: { country: string | null; sign: 1 | -1 },
): { line: TaxLineInput; notVat: boolean } | null {
  const { category, rate, baseCents, taxCents } = tax
  const base = eurosOrNull(baseCents === null ? null : sign * baseCents)
  if (base === null || baseCents === null) return null
  const abroad = country !== null && country !== 'ES'
  const plain = (line: TaxLineInput) => ({ line, notVat: false })
  switch (category) {
    case 'AE':
      return plain({
        base,
        taxTreatment: 'S2',
        nature: !abroad ? 'reverse_charge' : isInUnion(country) ? 'eu_services' : 'foreign_services',
      })
    case 'K':
      return plain({ base, taxTreatment: 'S2', nature: 'eu_goods' })
    case 'E':
      return plain({ base, taxTreatment: 'E1' })
    case 'G':
    case 'O':
      return plain({ base, taxTreatment: 'N1' })
    case 'L':
    case 'M': {
      const cost = eurosOrNull(sign * (baseCents + (taxCents ?? 0))) ?? base
      return { line: { base: cost, taxTreatment: 'N1' }, notVat: true }
    }
    default:
      break
  }
  // Another country's VAT cannot be deducted here: it is part of what the purchase costs.
  if (abroad && (taxCents ?? 0) !== 0) {
    const cost = eurosOrNull(sign * (baseCents + (taxCents ?? 0))) ?? base
    return { line: { base: cost, taxTreatment: 'N2' }, notVat: true }
  }
  const amount = eurosOrNull(taxCents === null ? null : sign * taxCents)
  return plain({ base, vatRate: rate ?? 0, ...(amount === null ? {} : { tax: amount }) })
}
