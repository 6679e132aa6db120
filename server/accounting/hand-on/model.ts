/** What formats of other programs write: entries with the office's accounts, and the invoice behind an entry. Types only. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import type { BasisPoints, Cents } from '../../domain/money.ts'
import type { SourceType } from '../ledger/index.ts'

export type HandOnFormat = 'a3' | 'contaplus' | 'contasol' | 'holded' | 'odoo' | 'csv'
export type HandOnEncoding = 'windows-1252' | 'utf-8'

/** How a book is handed on, as the office has it in its own program. */
export interface HandOnSettings {
  format: HandOnFormat
  /** Digits of every account of the office. */
  digits: number
  /** Number of the first customer's account, after 430. */
  firstCustomer: number
  /** Number of the first supplier's account, after 400 and 410. */
  firstSupplier: number
  /** Code of the company in the office's program; empty where the format has none. */
  companyCode: string
  encoding: HandOnEncoding
  /** Bytes or characters of a record of fixed width; null where the format has none. */
  recordLength: number | null
  /** Journal of the office's program; empty where the format has none. */
  journal: string
  /** Regularisation and closing of the year go into the file. */
  closingEntries: boolean
  /** The office has confirmed digits, codes and length. */
  confirmed: boolean
}

/** A contact as the office keeps it. */
export interface HandOnParty {
  /** Public identifier; empty for somebody who is no contact. */
  id: string
  name: string
  nif: string
  country: string
  street: string
  postalCode: string
  city: string
  province: string
}

export interface HandOnLine {
  /** Code in the ledger. */
  code: string
  /** Code in the office's program, with all its digits. */
  account: string
  /** Name of the account, or of the contact that has it. */
  name: string
  /** Positive for debit, negative for credit. */
  amountCents: Cents
  party: HandOnParty | null
}

/** VAT of an invoice at one rate. Amounts are signed as in the document. */
export interface VatPart {
  /** Treatment of the VAT books: S1, S2, E1 … N2. */
  treatment: string
  nature: string
  rateBp: BasisPoints | null
  baseCents: Cents
  taxCents: Cents
  surchargeBp: BasisPoints | null
  surchargeCents: Cents
  /** Received only: the part of the tax that may be deducted. */
  deductibleCents: Cents
  /** Owed by the buyer: reverse charge, purchases from the Union. */
  isSelfAssessed: boolean
  isInvestment: boolean
  /** Received only: account of the expense in the ledger. */
  code: string | null
}

/** The invoice behind an entry. */
export interface VatDocument {
  side: 'issued' | 'received'
  /** F1 to R5 of an issued one; kind of a received one. */
  kind: string
  isRectifying: boolean
  number: string
  /** Own number of a received one. */
  receptionNumber: string
  issueDate: BusinessDate
  operationDate: BusinessDate
  party: HandOnParty
  parts: VatPart[]
  totalCents: Cents
  disbursementsCents: Cents
  withholdingBp: BasisPoints | null
  withholdingCents: Cents
  isRent: boolean
  isCashAccounting: boolean
  /** Its entry takes back the documents that it replaces: F3, and rectifications by substitution. */
  isReplacing: boolean
  /** First document that it rectifies. */
  rectifies: { number: string; date: BusinessDate | null } | null
}

export interface HandOnEntry {
  /** Row in the journal. */
  row: number
  /** Public identifier. */
  id: string
  /** Number in the file. */
  number: number
  date: BusinessDate
  source: SourceType
  /** Source of the entry that this one reverses. */
  undoes: SourceType | null
  text: string
  /** Number of the document, or an empty text. */
  label: string
  lines: HandOnLine[]
  document: VatDocument | null
}

/** An account of the office that a file names. */
export interface HandOnAccount {
  account: string
  /** Code in the ledger. */
  code: string
  name: string
  party: HandOnParty | null
}

/** What a file does not say as the ledger does, or cannot say. */
export interface HandOnFault extends Fault {
  /** Null for what is not of one entry. */
  entry: { id: string; date: BusinessDate; label: string } | null
}

export interface HandOnFile {
  name: string
  /** Text is UTF-8; bytes are as they are. */
  parts: AsyncIterable<string | Uint8Array>
}

/** Everything that a format needs to write its files. Entries can be read more than once, in the same order. */
export interface HandOnWork {
  settings: HandOnSettings
  /** First day of the file. */
  from: BusinessDate
  accounts: readonly HandOnAccount[]
  /** Time of the files in an archive. */
  writtenAt: Date
  entries(): AsyncIterable<readonly HandOnEntry[]>
}

/** How sure a layout is: by its vendor, because a public program reads it, or by what others write. */
type Sureness = 'published' | 'reader' | 'believed'

interface FormatFacts {
  id: HandOnFormat
  /** Name of the program. */
  name: string
  sureness: Sureness
  /** Where the layout comes from, for people. */
  source: string
  digits: { min: number; max: number; usual: number }
  encodings: readonly [HandOnEncoding, ...HandOnEncoding[]]
  /** Possible lengths of a record, the usual one first; empty where lines have no fixed width. */
  recordLengths: readonly number[]
  /** Pattern of the company's code; null where the format has none. */
  companyCode: RegExp | null
  /** Pattern of the journal and its usual value; null where the format has none. */
  journal: { pattern: RegExp; usual: string } | null
}

export interface Format extends FormatFacts {
  /** Returns what the file cannot say of an entry. */
  check(entry: HandOnEntry, settings: HandOnSettings): HandOnFault[]
  /** Returns the lines that the written entry posts, by account of the office: compared with the ledger. */
  posted(entry: HandOnEntry): readonly { account: string; amountCents: Cents }[]
  files(work: HandOnWork): HandOnFile[]
}
