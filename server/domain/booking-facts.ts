/** Facts that sales and purchases hand to the ledger: what an entry is made of, before accounts are chosen. */
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
  /** Charged beside base and tax: the cost under a margin scheme, another country's VAT under the one-stop shop. */
  outsideCents: Cents
}

/** An issued invoice as the ledger books it. */
export interface IssuedFacts {
  /** Day of the entry: see `ledgerDate` of accounting/ledger. */
  date: BusinessDate
  /** Row of the contact, when the customer is one. */
  contactId: number | null
  taxes: readonly IssuedTax[]
  disbursementsCents: Cents
  /** Before withholding. */
  totalCents: Cents
  withholdingCents: Cents
  /**
   * How the revenue spreads over accounts, as weights (the nets of the lines will do): the revenue itself is what the
   * invoice's taxes say, shared to the cent. Lines without an account carry null.
   */
  sales?: readonly { account: string | null; netCents: Cents }[]
  /** Account of sales that name none; 705 (services) when not said. */
  defaultAccount?: string
  /**
   * R1 to R5. What lowers a sale goes to 708. R2 and R3 (art. 80.3 and 80.4 LIVA) take back the VAT alone: the claim for the
   * price stays, and is a loss only once it is given up.
   */
  kind?: string
  /** Under cash accounting the VAT waits for the payment. */
  cashAccounting?: boolean
  /** Paid before the goods or services: a debt to the customer, no sale yet. */
  advance?: boolean
  /**
   * What this invoice takes the place of, already booked: the tickets of an F3, the original of a rectification by
   * substitution. Booked back in the same entry.
   */
  takesBack?: readonly Omit<IssuedFacts, 'date' | 'takesBack'>[]
}

/**
 * To whom the VAT of a line is owed: to the supplier, as part of the invoice; by ourselves (reverse charge, purchases from
 * other member states), as output and input VAT at once; or to customs, with the return (deferred VAT on imports).
 */
export type VatOwedTo = 'supplier' | 'self' | 'customs'

export interface ReceivedTax {
  /** Account of the expense (6xx) or of the asset (2xx). */
  account: string
  vatRateBp: BasisPoints | null
  baseCents: Cents
  taxCents: Cents
  /** Surcharge charged by the supplier; never deductible. */
  surchargeCents: Cents
  /** The part of `taxCents` that may be deducted; the rest is cost. */
  deductibleCents: Cents
  vatOwedTo?: VatOwedTo
}

/** A received invoice as the ledger books it. */
export interface ReceivedFacts {
  date: BusinessDate
  contactId: number | null
  taxes: readonly ReceivedTax[]
  withholdingCents: Cents
  /** 400 for suppliers of goods, 410 for services, 523 for assets; 410 when not said. */
  payableAccount?: string
  /** The supplier's total before withholding. */
  totalCents: Cents
  /** Of the supplier or our own: VAT is deductible when paid. */
  cashAccounting?: boolean
}
