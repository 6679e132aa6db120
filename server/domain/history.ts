/**
 * A document of an earlier program, as its files say it: what readers of files produce, and what the books of invoices
 * take in as history. History is never registered and never numbered by Sello; it counts in the figures of its period.
 */
import type { BusinessDate } from './dates.ts'
import type { BasisPoints, Cents } from './money.ts'
import type { TaxTreatment } from './tax/totals.ts'

/** One tax of a document, signed like the document: a credit has negative amounts. */
export interface HistoryTax {
  taxTreatment: TaxTreatment
  /** Operation key of the VAT books: of the issued book, or of the received one (01, 02 farmers, 09 EU, 13 import …). */
  regimeKey: string
  /** Null if the treatment has no rate. */
  vatRateBp: BasisPoints | null
  baseCents: Cents
  /** VAT without surcharge; of a received document with `selfAssessed`, the tax that the buyer declares. */
  taxCents: Cents
  surchargeRateBp: BasisPoints | null
  surchargeCents: Cents
  /** Received only: deductible part of tax and surcharge; 0 if issued. */
  deductibleCents: Cents
  /** Received only: the buyer declares the tax (reverse charge, acquisitions in the Union). */
  selfAssessed: boolean
  /** Received only: an investment good. */
  investment: boolean
  /** Received: nature of the operation, as in `received_lines`. Issued: `goods`, `services`, or null for the usual one. */
  nature:
    | 'domestic'
    | 'reverse_charge'
    | 'eu_goods'
    | 'eu_services'
    | 'foreign_services'
    | 'import'
    | 'reagyp'
    | 'goods'
    | 'services'
    | null
  /** Concept of the unified books (I01, G01 to G46); null if the file has none. */
  concept: string | null
  /** Ledger account, if the file names it. */
  account: string | null
  /** Income or expense for income tax; null: derived from base and deductible tax. */
  incomeCents: Cents | null
}

export interface HistoryParty {
  /** Without separators; null if the document names none. */
  nif: string | null
  name: string
  /** 02 to 07 as in the registry; null for a Spanish NIF. */
  idType: '02' | '03' | '04' | '05' | '06' | '07' | null
  /** ISO 3166. */
  country: string
  street: string | null
  postalCode: string | null
  city: string | null
  province: string | null
}

/**
 * Documents that a rectification by substitution, or an invoice in place of tickets, takes back, with the amounts that
 * they had.
 */
export interface HistoryReplaced {
  number: string
  /** Null: the customer of the invoice that takes it back. */
  party: HistoryParty | null
  taxes: readonly HistoryTax[]
  /** Not null with a rate, also if the amount is 0: it is declared elsewhere than with third parties. */
  withholding: HistoryWithholding | null
}

export interface HistoryPayment {
  date: BusinessDate
  cents: Cents
  /** Codes of the books: 01 transfer, 02 cheque, 03 not collected, 04 other, 05 direct debit. */
  method: string
}

export interface HistoryWithholding {
  rateBp: BasisPoints
  baseCents: Cents
  amountCents: Cents
  /** Received only: what it was withheld for, which decides the return it belongs to. No layout has it. */
  reason: 'professional' | 'rent' | 'other' | null
}

/** Where a document stands in a file, to name faults. Rows are numbered from 1. */
export interface HistorySource {
  file: string
  sheet: string | null
  rows: readonly number[]
}

interface HistoryFacts {
  source: HistorySource
  /** As printed, series included. Of a summary of tickets, the first one. */
  number: string
  /** Last number of a summary of tickets. */
  lastNumber: string | null
  issueDate: BusinessDate
  operationDate: BusinessDate | null
  party: HistoryParty
  taxes: readonly HistoryTax[]
  /** Amounts of income tax withheld: by the customer if issued, by us if received. */
  withholding: HistoryWithholding | null
  /** Amount of the document, tax included, before withholding. */
  totalCents: Cents
  /** Of cash accounting (key 07): what was collected or paid, and when. */
  payments: readonly HistoryPayment[]
  property: { situation: string; cadastralRef: string | null } | null
  externalRef: string | null
  dueDate: BusinessDate | null
  /** What is still open of it, if the file says so; null: not said. */
  openCents: Cents | null
  description: string | null
}

/** What is open of one due date of an invoice. */
export interface HistoryInstalment {
  dueDate: BusinessDate
  cents: Cents
}

export interface IssuedHistory extends HistoryFacts {
  side: 'issued'
  /** What is open of it, if it is due on several days; left out for one. */
  instalments?: readonly HistoryInstalment[]
  kind: 'F1' | 'F2' | 'F3' | 'R1' | 'R2' | 'R3' | 'R4' | 'R5'
  replaced: readonly HistoryReplaced[]
}

export interface ReceivedHistory extends HistoryFacts {
  side: 'received'
  kind: 'invoice' | 'simplified' | 'rectifying' | 'receipt' | 'customs' | 'reagyp' | 'self_billed'
  receptionDate: BusinessDate
  /** Reception number that the earlier program gave; null if the file has none. */
  reception: string | null
  /** First day of the period of the deduction, if it is later than the reception's. */
  deductionDate: BusinessDate | null
}

export type HistoryDocument = IssuedHistory | ReceivedHistory

/** An investment good, as the book of investment goods of the unified books describes it for one year. */
export interface HistoryAsset {
  source: HistorySource
  /** Year of the row. */
  year: number
  /** Type of good of the unified books: 11 to 49. */
  type: string
  identifier: string
  description: string
  inUseFrom: BusinessDate | null
  valueCents: Cents
  depreciableCents: Cents | null
  /** Method of depreciation of the unified books, as written. */
  depreciationMethod: string | null
  depreciationRateBp: BasisPoints | null
  /** Accumulated at the start of the year, of the year, and accumulated at its end. */
  accumulatedBeforeCents: Cents | null
  depreciationCents: Cents | null
  accumulatedCents: Cents | null
  pendingCents: Cents | null
  acquisition: {
    issueDate: BusinessDate | null
    number: string | null
    reception: string | null
    party: HistoryParty
    baseCents: Cents
    vatRateBp: BasisPoints | null
  }
  /** Definitive prorata of the year in which its use began, and the tax deducted then. */
  firstProRataBp: BasisPoints | null
  firstDeductibleCents: Cents | null
  /** The same of the year of the row, and the tax to adjust. */
  proRataBp: BasisPoints | null
  deductibleCents: Cents | null
  adjustmentCents: Cents | null
  disposal: { date: BusinessDate; cause: string | null; invoiceNumber: string | null } | null
}
