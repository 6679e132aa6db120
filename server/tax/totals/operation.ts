/**
 * An operation (an invoice issued or received) as counted in the totals of its period: the type that every slice
 * uses.
 */
import type { BusinessDate } from '../../domain/dates.ts'
import type { BasisPoints, Cents } from '../../domain/money.ts'
import type { TaxTreatment } from '../../domain/tax/totals.ts'
import type { TaxFamily as SystemFamily } from '../systems/contract.ts'
import { TAX_SYSTEMS, VAT_SYSTEM } from '../systems/index.ts'
import type { TaxSystem } from '../systems/index.ts'

export type Side = 'issued' | 'received'

/** A tax with a system of its own, and any other. */
type TaxFamily = SystemFamily | 'other'

/**
 * Territory of the other party: `outside` is the Canary Islands, Ceuta and Melilla, in Spain but outside the
 * territory of VAT.
 */
export type PartyTerritory = 'domestic' | 'outside' | 'eu' | 'non_eu'

type Nature = 'goods' | 'services'

/** Keys of the recapitulative statement of intra-Community operations (model 349, Orden EHA/769/2010). */
export type EuKey = 'E' | 'M' | 'H' | 'A' | 'T' | 'S' | 'I' | 'R' | 'D' | 'C'

/**
 * Reason for withholding. `professional` and `work` belong to model 111 (and 190), `rent` to 115 (and 180), `capital`
 * to 123; `other` to none.
 */
export type WithholdingReason = 'professional' | 'work' | 'rent' | 'capital' | 'other'

/** One tax group of an operation. Signed: amounts deducted by a rectifying invoice are negative. */
export interface OperationTax {
  /** Default `vat`. */
  tax?: TaxFamily
  /**
   * Received only: S1 charged by the supplier (also customs), S2 self-assessed (reverse charge, intra-Community
   * acquisitions).
   */
  taxTreatment: TaxTreatment
  /**
   * Operation key of the VAT books. Received ones as in the received book: 01 general, 02 farmers' compensation
   * (REAGYP), 03 used goods, 05 travel, 07 cash accounting, 09 intra-Community acquisition of goods or services, 12
   * rent of premises, 13 import.
   */
  regimeKey: string
  vatRateBp: BasisPoints | null
  surchargeRateBp: BasisPoints | null
  baseCents: Cents
  /**
   * Tax without the surcharge. Received with S2 or key 09: the tax that the buyer assesses, which the supplier does
   * not charge.
   */
  taxCents: Cents
  surchargeCents: Cents
  /** Received only: deductible part of tax and surcharge; default none. */
  deductibleCents?: Cents
  /**
   * For income tax: the income, or the deductible expense. Default when issued: the base; when received: the base
   * plus non-deductible tax, and nothing for an investment good (it is depreciated).
   */
  incomeCents?: Cents
  /** Received only: an investment good (LIVA art. 108), which the return lists separately. */
  investment?: boolean
  /** Goods or services; required when the other party is in the EU. */
  nature?: Nature
  /** Default: derived from the party. */
  place?: PartyTerritory
  /** Key of model 349; derived by default (E, S for sales; A, I for purchases). `null` excludes it. */
  euKey?: EuKey | null
}

export interface OperationParty {
  /** Tax number as on the document, without the country when that is not part of it; null when there is none. */
  nif: string | null
  name: string
  /** ISO 3166 code of the country. */
  country: string
  postalCode?: string | null
  /** 02 for a VAT number (NIF-IVA), 03 to 07 as in the registry; null for a Spanish NIF. */
  idType: string | null
}

/** Source document of an entry, to list the documents behind a box. */
export interface OperationSource {
  type: 'invoice' | 'received'
  /** Row id in that slice's table. */
  id: number
  /**
   * Distinguishes several operations of one document (for example a ticket deducted by the invoice that replaces it);
   * default 0.
   */
  part?: number
}

export interface Operation {
  source: OperationSource
  side: Side
  /** Date of accrual: of the operation, else of the issue. It is counted in the month of this date. */
  date: BusinessDate
  /** Received only: deducted in the period of this day instead of that of the accrual (LIVA art. 99.Tres). */
  deductionDate?: BusinessDate
  /** It corrects others, so the return lists it separately (boxes 14 and 15, 25 and 26, 40 and 41). */
  rectifying: boolean
  /** Cash accounting (LIVA arts. 163 decies and following): the tax accrues with the payments, counted by `countCash`. */
  cash: boolean
  taxes: readonly OperationTax[]
  party: OperationParty
  /** Amount payable of the document, tax included, without disbursements and self-assessed tax, before withholding. */
  totalCents: Cents
  withholding: {
    rateBp: BasisPoints
    baseCents: Cents
    amountCents: Cents
    reason: WithholdingReason
  } | null
  /** Income or expense for income tax of the whole document, when it is not the sum over its taxes. */
  incomeCents?: Cents
  /** Excluded from the return of operations with third parties (model 347) for a reason not known here. */
  outsideThirdParties?: boolean
  /** A complete invoice whose other party has no tax number. */
  missingNif?: boolean
  /** Received only: no file is attached. */
  withoutFile?: boolean
}

const EU = new Set(
  'AT BE BG CY CZ DE DK EE EL ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
)
/** Postal codes of the Canary Islands, Ceuta and Melilla, where VAT does not apply (LIVA art. 3.Dos). */
const OUTSIDE = /^(35|38|51|52)/

/** Returns the territory of a party for VAT. Northern Ireland (XI) belongs to the Union for goods only. */
export function partyTerritoryOf(party: OperationParty, nature: Nature | null): PartyTerritory {
  if (party.country === 'ES') return OUTSIDE.test(party.postalCode ?? '') ? 'outside' : 'domestic'
  if (party.country === 'XI') return nature === 'services' ? 'non_eu' : 'eu'
  return EU.has(party.country) ? 'eu' : 'non_eu'
}

const SYSTEMS: ReadonlyMap<string, TaxSystem> = new Map(TAX_SYSTEMS.map((system) => [system.family, system]))

/** Returns the system of the tax of an operation; undefined for a tax without one. */
export function systemOf({ tax }: Pick<OperationTax, 'tax'>): TaxSystem | undefined {
  return tax === undefined ? VAT_SYSTEM : SYSTEMS.get(tax)
}

/** Returns the key of model 349 of a tax of an operation; null when it is not declared there. */
export function euKeyOf(operation: Operation, tax: OperationTax): EuKey | null {
  if (tax.euKey !== undefined) return tax.euKey
  if (!systemOf(tax)?.supply.recapitulative) return null
  if (operation.side === 'received') {
    if (tax.regimeKey !== '09') return null
    return tax.nature === 'services' ? 'I' : 'A'
  }
  if (tax.taxTreatment === 'E5') return 'E'
  const place = tax.place ?? partyTerritoryOf(operation.party, tax.nature ?? 'services')
  const isBusiness = operation.party.idType === '02'
  return tax.taxTreatment === 'N2' && place === 'eu' && isBusiness ? 'S' : null
}

/** Returns true when the buyer assesses the tax, so that it is not part of what is paid to the supplier. */
export function isSelfAssessed(side: Side, tax: Pick<OperationTax, 'taxTreatment' | 'regimeKey'>): boolean {
  return side === 'received' && (tax.taxTreatment === 'S2' || tax.regimeKey === '09')
}
