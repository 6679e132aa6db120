/**
 * The invoice as plain data for drawing, with everything that the document shows, fixed at issue. Nothing is
 * calculated.
 */
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { BasisPoints, Cents, Micro } from '../../domain/money.ts'
import type { PriceMode, TaxTreatment } from '../../domain/tax/totals.ts'
import type { InvoiceKindCode } from '../../db/schema.ts'

export interface PaperParty {
  name: string
  tradeName?: string | null
  nif: string | null
  street?: string | null
  postalCode?: string | null
  city?: string | null
  province?: string | null
  /** ISO 3166-1 alpha-2. */
  country?: string | null
  email?: string | null
  phone?: string | null
}

export interface PaperLine {
  description: string
  quantityMicro: Micro
  unit: string | null
  unitPriceMicro: Micro
  discountBp: BasisPoints
  /** Deducted after the percentage. */
  discountCents: Cents
  taxTreatment: TaxTreatment
  vatRateBp: BasisPoints | null
  surchargeRateBp: BasisPoints | null
  isDisbursement: boolean
  /** Only the margin is taxed: no VAT is shown (LIVA arts. 138 and 146). */
  isMargin: boolean
  /** Without tax in both price modes. */
  netCents: Cents
  /** As entered: with its tax in gross mode. */
  listedCents: Cents
  /** Without tax in both price modes. */
  netUnitPriceMicro: Micro
}

export interface PaperTax {
  taxTreatment: TaxTreatment
  vatRateBp: BasisPoints | null
  baseCents: Cents
  /** VAT without the surcharge. */
  taxCents: Cents
  surchargeRateBp: BasisPoints | null
  surchargeCents: Cents
  /** Amounts besides base and tax: the cost under a margin scheme, another country's VAT. */
  outsideCents: Cents
  isMargin: boolean
}

/** An invoice named on the document: one that it rectifies, or a simplified one that it replaces. */
export interface PaperReference {
  role: 'rectifies' | 'substitutes'
  number: string
  issueDate: string
}

/** Amounts in euros of a document in another currency (RD 1619/2012 art. 12.1). */
interface PaperEuros {
  fxMicro: Micro
  fxDate: string | null
  taxCents: Cents
  totalCents: Cents
}

interface PaperWithholding {
  rateBp: BasisPoints
  baseCents: Cents
  amountCents: Cents
}

/** What the registry of the book wants printed beside the invoice. */
interface PaperRegistry {
  qrUrl: string
  /** Line above the QR in place of the usual text; null or absent: that text. */
  identifier?: string | null
  /** Texts below the QR; absent: those of the first registry. */
  lines?: readonly string[]
}

/** Payment facts of the document; empty on documents that request no payment. */
export interface PaperPayment {
  /** In the document's language; null when there is nothing worth printing. */
  method: string | null
  /** Date on which the bank collects a direct debit, as printed, or empty. Null for any other method. */
  chargedOn: string | null
  /** The company's IBAN, when the money goes to it. */
  account: string | null
  /** Reference that the payer writes on the transfer. */
  reference: string | null
  /** The code that a banking app reads (EPC069-12), or its placeholder before the final invoice. */
  qr: { kind: 'code'; text: string } | { kind: 'placeholder' } | null
}

/** Opaque, in RGB or grey: archives forbid transparency, and printers render it differently. */
export interface PaperLogo {
  bytes: Uint8Array
  /** Pixels. */
  width: number
  height: number
}

/** The customer's own references of its order. */
interface PaperCustomerReferences {
  order: string | null
  contract: string | null
  file: string | null
}

export interface InvoicePaper {
  language: DocumentLanguage
  document: 'invoice' | 'quote' | 'proforma' | 'delivery_note'
  /** A4, or the 80 mm roll of a ticket printer. */
  format: 'a4' | 'ticket'
  /** True for a delivery note: quantities only. */
  hidesPrices: boolean
  kind: InvoiceKindCode
  /** The tax's name: IVA, IGIC, IPSI. */
  taxName: string
  /** ISO 4217: currency of all amounts except `inEuros`. */
  currency: string
  inEuros: PaperEuros | null
  references: PaperReference[]
  /** Reason for the rectification; null on other documents. */
  rectification: { method: 'S' | 'I'; reason: string | null } | null
  state: 'draft' | 'issued'
  /** Destination of its record: anything except production is stated on every page. */
  environment: 'production' | 'preproduction' | 'sandbox' | 'simulated'
  priceMode: PriceMode
  /** As printed; null in a draft. */
  number: string | null
  issueDate: string
  operationDate: string | null
  dueDate: string | null
  /** Several due dates; empty for one. */
  instalments: { dueDate: string; cents: Cents }[]
  /** Set for quotes only. */
  validUntil: string | null
  issuer: PaperParty & { registryInscription?: string | null }
  client: PaperParty | null
  customerReferences: PaperCustomerReferences | null
  lines: PaperLine[]
  taxes: PaperTax[]
  /**
   * Amount that the document's own discount deducts from the bases, and how it was stated: a rate, an amount, or
   * both.
   */
  documentDiscountCents: Cents
  documentDiscount: { rateBp: BasisPoints; cents: Cents }
  baseCents: Cents
  taxCents: Cents
  surchargeCents: Cents
  outsideCents: Cents
  disbursementsCents: Cents
  totalCents: Cents
  withholding: PaperWithholding | null
  /** Amount already requested by the invoices that this one replaces. */
  replacedCents: Cents
  amountDueCents: Cents
  legalMentions: string[]
  notes: string | null
  payment: PaperPayment
  registry: PaperRegistry | null
  /** Instant written as the document's creation date, so that equal input gives equal bytes. */
  createdAt: string
  /** `#RRGGBB`; one that is not readable on white is replaced by the default. */
  accent: string | null
  logo: PaperLogo | null
  /** The company's text at the foot of every page. */
  footer: string | null
}
