/** What a fact of business (an invoice issued or received) adds to the figures of its period: the words every slice says it in. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { BasisPoints, Cents } from '../../domain/money.ts'
import type { TaxTreatment } from '../../domain/tax/totals.ts'

export const SIDES = ['issued', 'received'] as const
export type Side = (typeof SIDES)[number]

/** VAT (IVA), the Canary Islands' tax, that of Ceuta and Melilla, and any other. */
export const TAX_FAMILIES = ['vat', 'igic', 'ipsi', 'other'] as const
export type TaxFamily = (typeof TAX_FAMILIES)[number]

/** Where the other party stands: `outside` are the Canary Islands, Ceuta and Melilla, Spain but not of the VAT's territory. */
export const PARTY_TERRITORIES = ['domestic', 'outside', 'eu', 'non_eu'] as const
export type PartyTerritory = (typeof PARTY_TERRITORIES)[number]

export const NATURES = ['goods', 'services'] as const
export type Nature = (typeof NATURES)[number]

/** Keys of the return of intra-Community operations (model 349, Orden EHA/769/2010). */
export const EU_KEYS = ['E', 'M', 'H', 'A', 'T', 'S', 'I', 'R', 'D', 'C'] as const
export type EuKey = (typeof EU_KEYS)[number]

/**
 * Why tax is withheld. `professional` and `work` go into model 111 (and 190), `rent` into 115 (and 180), `capital` into
 * 123; `other` into none.
 */
export const WITHHOLDING_REASONS = ['professional', 'work', 'rent', 'capital', 'other'] as const
export type WithholdingReason = (typeof WITHHOLDING_REASONS)[number]

/** One group of equal tax of an operation. Signed: what a rectifying invoice takes back is negative. */
export interface OperationTax {
  /** `vat` when not said. */
  tax?: TaxFamily
  /** Of received ones: S1 charged by the supplier (also customs), S2 self-assessed (reverse charge, acquisitions in the EU). */
  taxTreatment: TaxTreatment
  /**
   * The books' operation key. Of received ones as in the received book: 01 general, 02 farmers' compensation (REAGYP),
   * 03 used goods, 05 travel, 07 cash accounting, 09 acquisition of goods or services in the EU, 12 rent of premises,
   * 13 import.
   */
  regimeKey: string
  vatRateBp: BasisPoints | null
  surchargeRateBp: BasisPoints | null
  baseCents: Cents
  /** Tax without the surcharge. Of received S2 and key 09: the tax the buyer assesses, which the supplier does not charge. */
  taxCents: Cents
  surchargeCents: Cents
  /** Received only: how much of tax and surcharge may be deducted; nothing when not said. */
  deductibleCents?: Cents
  /**
   * Of income tax: the income, or the expense that may be deducted. When not said: the base of what was issued; of what was
   * received the base with the tax that may not be deducted, nothing of an investment good (it is depreciated).
   */
  incomeCents?: Cents
  /** Received only: an investment good (LIVA art. 108), which the return tells apart. */
  investment?: boolean
  /** Goods or services; needed where the other party is in the EU. */
  nature?: Nature
  /** Derived from the party when not said. */
  place?: PartyTerritory
  /** Key of model 349; derived when not said (E, S for sales; A, I for purchases). `null` keeps it out. */
  euKey?: EuKey | null
}

export interface OperationParty {
  /** Tax number as it stands on the document, without the country where it is not part of it; null when there is none. */
  nif: string | null
  name: string
  /** ISO 3166 code of the country. */
  country: string
  postalCode?: string | null
  /** 02 NIF-IVA, 03 to 07 as in the registry; null for a Spanish NIF. */
  idType: string | null
}

/** Where a figure comes from, for the way back from a box to its documents. */
export interface OperationSource {
  type: 'invoice' | 'received'
  /** Row id in that slice's table. */
  id: number
  /** Tells apart several operations of one document (a ticket taken back by the invoice that replaces it); 0 when not said. */
  part?: number
}

export interface Operation {
  source: OperationSource
  side: Side
  /** The day the tax accrues: of the operation, else of the issue. Its month is the month it counts in. */
  date: BusinessDate
  /** Received only: deducted in the period of this day instead of the one it accrued in (LIVA art. 99.Tres). */
  deductionDate?: BusinessDate
  /** It rectifies others, so the return tells it apart (boxes 14 and 15, 25 and 26, 40 and 41). */
  rectifying: boolean
  /** Cash accounting (LIVA arts. 163 decies and following): the tax accrues with the payments, told by `countCash`. */
  cash: boolean
  taxes: readonly OperationTax[]
  party: OperationParty
  /** What the document asks to be paid, tax included, disbursements and self-assessed tax left out, before withholding. */
  totalCents: Cents
  withholding: {
    rateBp: BasisPoints
    baseCents: Cents
    amountCents: Cents
    reason: WithholdingReason
  } | null
  /** Income or expense of income tax of the whole document, where it is not the sum of its taxes'. */
  incomeCents?: Cents
  /** Kept out of the return of operations with third parties (model 347) for another reason than those known here. */
  outsideThirdParties?: boolean
  /** A complete document whose other party has no tax number. */
  missingNif?: boolean
  /** Received only: no file is kept with it. */
  withoutFile?: boolean
}

const EU = new Set(
  'AT BE BG CY CZ DE DK EE EL ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
)
/** Postal codes of the Canary Islands, Ceuta and Melilla, where VAT does not apply (LIVA art. 3.Dos). */
const OUTSIDE = /^(35|38|51|52)/

/** Where a party stands for VAT. Northern Ireland (XI) counts as the Union for goods only. */
export function partyTerritoryOf(party: OperationParty, nature: Nature | null): PartyTerritory {
  if (party.country === 'ES') return OUTSIDE.test(party.postalCode ?? '') ? 'outside' : 'domestic'
  if (party.country === 'XI') return nature === 'services' ? 'non_eu' : 'eu'
  return EU.has(party.country) ? 'eu' : 'non_eu'
}

/** The key of model 349 of a tax of an operation; null when it is not told there. */
export function euKeyOf(operation: Operation, tax: OperationTax): EuKey | null {
  if (tax.euKey !== undefined) return tax.euKey
  if (operation.side === 'received') {
    if (tax.regimeKey !== '09') return null
    return tax.nature === 'services' ? 'I' : 'A'
  }
  if (tax.taxTreatment === 'E5') return 'E'
  const place = tax.place ?? partyTerritoryOf(operation.party, tax.nature ?? 'services')
  const isBusiness = operation.party.idType === '02'
  return tax.taxTreatment === 'N2' && place === 'eu' && isBusiness ? 'S' : null
}

/** The tax is assessed by the buyer, so it is no part of what is paid to the supplier. */
export function isSelfAssessed(side: Side, tax: Pick<OperationTax, 'taxTreatment' | 'regimeKey'>): boolean {
  return side === 'received' && (tax.taxTreatment === 'S2' || tax.regimeKey === '09')
}
