/** Facts that sales and purchases pass to the ledger: the content of an entry before accounts are chosen. */
import type { BusinessDate } from './dates.ts'
import type { BasisPoints, Cents } from './money.ts'

export interface IssuedTax {
  taxTreatment: string
  regimeKey: string
  vatRateBp: BasisPoints | null
  baseCents: Cents
  taxCents: Cents
  surchargeRateBp: BasisPoints | null
  surchargeCents: Cents
  /**
   * Charged in addition to base and tax: the cost under a margin scheme, another country's VAT under the one-stop
   * shop.
   */
  outsideCents: Cents
}

/** An issued invoice as the ledger books it. */
export interface IssuedFacts {
  /** Day of the entry; see `ledgerDate` in accounting/ledger. */
  date: BusinessDate
  /** Row of the contact, if the customer is one. */
  contactId: number | null
  taxes: readonly IssuedTax[]
  disbursementsCents: Cents
  /** Before withholding. */
  totalCents: Cents
  withholdingCents: Cents
  /**
   * Split of the revenue over accounts, as weights (the lines' net amounts are suitable): the revenue itself comes
   * from the invoice's taxes and is shared to the cent. Lines without an account have null.
   */
  sales?: readonly { account: string | null; netCents: Cents }[]
  /** Account of sales without one of their own; default 705 (services). */
  defaultAccount?: string
  /**
   * R1 to R5. Reductions of a sale are booked on 708. R2 and R3 (art. 80.3 and 80.4 LIVA) recover only the VAT: the
   * claim for the price remains and becomes a loss only when it is written off.
   */
  kind?: string
  /** Under cash accounting VAT becomes due with the payment. */
  cashAccounting?: boolean
  /** Paid before the goods or services are supplied: a debt to the customer, not yet a sale. */
  advance?: boolean
  /**
   * Booked documents that this invoice replaces: the tickets of an F3, the original of a rectification by
   * substitution. Reversed in the same entry.
   */
  takesBack?: readonly Omit<IssuedFacts, 'date' | 'takesBack'>[]
}

/**
 * The creditor of a line's VAT: the supplier, as part of the invoice; the buyer itself (reverse charge, purchases
 * from other member states), as output and input VAT at once; or customs, with the return (deferred VAT on imports).
 */
type VatOwedTo = 'supplier' | 'self' | 'customs'

export interface ReceivedTax {
  /** Account of the expense (6xx) or of the asset (2xx). */
  account: string
  vatRateBp: BasisPoints | null
  baseCents: Cents
  taxCents: Cents
  /** Surcharge charged by the supplier; never deductible. */
  surchargeCents: Cents
  /** The deductible part of `taxCents`; the rest is cost. */
  deductibleCents: Cents
  vatOwedTo?: VatOwedTo
}

/** A purchase invoice as the ledger books it. */
export interface ReceivedFacts {
  date: BusinessDate
  contactId: number | null
  taxes: readonly ReceivedTax[]
  withholdingCents: Cents
  /** 400 for suppliers of goods, 410 for services, 523 for assets; default 410. */
  payableAccount?: string
  /** The supplier's total before withholding. */
  totalCents: Cents
  /** Cash accounting of the supplier or of the buyer: VAT is deductible when paid. */
  cashAccounting?: boolean
}
