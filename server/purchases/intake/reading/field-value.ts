/** What a reading says of each field: the value, how far it is proven, by what, and what else it could be. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { BasisPoints, Cents } from '../../../domain/money.ts'
import type { PAYMENT_METHODS } from '../../../domain/payment-methods.ts'
import type { Box } from '../pages/page.ts'
import type { ReadCategory, ReadReason } from '../contract.ts'
import type { Layout } from './layout.ts'
import type { Veto } from './money/money.ts'

/**
 * `proven`: by arithmetic, a control digit, a QR or an XML; `known`: as in the confirmed layout of this supplier;
 * `read`: exact text, or two readings alike, at a label; `guess`: anything weaker. Only the first two are sure.
 */
export type Level = 'proven' | 'known' | 'read' | 'guess' | 'missing'

export interface Evidence {
  /** From 0. */
  page: number
  box: Box
  reason: ReadReason
  /** What the reason names, such as the printed label; amounts with two decimals and a point. */
  args: Record<string, string>
}

export interface FieldValue<T> {
  value: T | null
  level: Level
  evidence: Evidence[]
  rivals: T[]
}

export interface ReadTaxLine {
  baseCents: Cents
  rateBp: BasisPoints
  taxCents: Cents
  surchargeBp: BasisPoints | null
  surchargeCents: Cents
  /** Null for a line with VAT. `cost`: a tax that cannot be deducted, such as IGIC or that of a margin, is part of the base. */
  untaxed: 'exempt' | 'reverse_charge' | 'cost' | null
}

export interface ReadWithholding {
  rateBp: BasisPoints
  baseCents: Cents
  amountCents: Cents
}

export type DocumentKind = 'invoice' | 'credit' | 'simplified' | 'not_invoice'

export interface Fields {
  supplierName: FieldValue<string>
  supplierNif: FieldValue<string>
  supplierCountry: FieldValue<string>
  customerNif: FieldValue<string>
  number: FieldValue<string>
  issueDate: FieldValue<BusinessDate>
  dueDate: FieldValue<BusinessDate>
  currency: FieldValue<string>
  taxLines: FieldValue<ReadTaxLine[]>
  withholding: FieldValue<ReadWithholding>
  /** Disbursements and other amounts without VAT on top of the total. */
  supplied: FieldValue<Cents>
  /** Sum of the tax lines. */
  total: FieldValue<Cents>
  /** Total less withholding and prepayments, plus `supplied`. */
  payable: FieldValue<Cents>
  prepaid: FieldValue<Cents>
  paymentMethod: FieldValue<(typeof PAYMENT_METHODS)[number]>
  iban: FieldValue<string>
  category: FieldValue<ReadCategory>
}

/** Why an invoice of a file begins at its first page: another number, another supplier, or "page 1 of n" again. */
export type CutReason = 'number' | 'supplier' | 'first_page'

/** What was read of one invoice. */
export interface Reading {
  kind: DocumentKind
  kindEvidence: Evidence[]
  /** First and last page, from 0. */
  pages: [from: number, to: number]
  /** Why the file is cut before it; null for its first invoice. */
  cut: CutReason | null
  fields: Fields
  /** True when the lines make the printed amount to pay and nothing contradicts it. */
  closes: boolean
  vetoes: Veto[]
  layout: Layout
}

export function missing<T>(): FieldValue<T> {
  return { value: null, level: 'missing', evidence: [], rivals: [] }
}
