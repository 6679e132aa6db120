/** The invoice as it is drawn: plain data with everything the paper says, fixed at issue. Nothing here is calculated. */
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { BasisPoints, Cents, Micro } from '../../domain/money.ts'
import type { PriceMode, TaxTreatment } from '../../domain/tax/totals.ts'
import type { InvoiceKindCode } from '../../db/schema.ts'

export type { TaxTreatment } from '../../domain/tax/totals.ts'

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
  /** Taken off after the percentage. */
  discountCents: Cents
  taxTreatment: TaxTreatment
  vatRateBp: BasisPoints | null
  surchargeRateBp: BasisPoints | null
  isDisbursement: boolean
  /** Only its margin is taxed: no VAT is shown (LIVA arts. 138 and 146). */
  isMargin: boolean
  /** Without tax in both price modes. */
  netCents: Cents
  /** As priced: with its tax in gross mode. */
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
  /** Beside base and tax: the cost under a margin scheme, another country's VAT. */
  outsideCents: Cents
  isMargin: boolean
}

/** An invoice named on the paper: rectified by this one, or a simplified one it stands for. */
export interface PaperReference {
  role: 'rectifies' | 'substitutes'
  number: string
  issueDate: string
}

/** What a document in another currency says in euros (RD 1619/2012 art. 12.1). */
export interface PaperEuros {
  fxMicro: Micro
  fxDate: string | null
  taxCents: Cents
  totalCents: Cents
}

export interface PaperWithholding {
  rateBp: BasisPoints
  baseCents: Cents
  amountCents: Cents
}

export interface PaperRegistry {
  qrUrl: string
}

/** How the money is to come; nothing of it on papers that ask for none. */
export interface PaperPayment {
  /** In the document's language; null when it says nothing worth printing. */
  method: string | null
  /** Of a direct debit: the day the bank takes it, as printed, or empty. Null for any other method. */
  chargedOn: string | null
  /** The company's IBAN, when money comes to it. */
  account: string | null
  /** What the payer writes on the transfer. */
  reference: string | null
  /** The code a bank's app reads (EPC069-12), or the place it has on the real invoice. */
  qr: { kind: 'code'; text: string } | { kind: 'placeholder' } | null
}

/** Opaque, in RGB or grey: an archive keeps no transparency, and printers differ over it. */
export interface PaperLogo {
  bytes: Uint8Array
  /** Pixels. */
  width: number
  height: number
}

/** What the customer calls its order. */
export interface PaperCustomerReferences {
  order: string | null
  contract: string | null
  file: string | null
}

export interface InvoicePaper {
  language: DocumentLanguage
  document: 'invoice' | 'quote' | 'proforma' | 'delivery_note'
  /** A4, or the 80 mm roll of a ticket printer. */
  format: 'a4' | 'ticket'
  /** Of a delivery note: quantities only. */
  hidesPrices: boolean
  kind: InvoiceKindCode
  /** The tax's name: IVA, IGIC, IPSI. */
  taxName: string
  /** ISO 4217; all amounts but those of `inEuros` are in it. */
  currency: string
  inEuros: PaperEuros | null
  references: PaperReference[]
  /** Why it rectifies; null on other documents. */
  rectification: { method: 'S' | 'I'; reason: string | null } | null
  state: 'draft' | 'issued'
  /** Where its record goes: anything but production is said on every page. */
  environment: 'production' | 'preproduction' | 'sandbox' | 'simulated'
  priceMode: PriceMode
  /** As printed; null in a draft. */
  number: string | null
  issueDate: string
  operationDate: string | null
  dueDate: string | null
  /** Of a quote. */
  validUntil: string | null
  issuer: PaperParty & { registryInscription?: string | null }
  client: PaperParty | null
  customerReferences: PaperCustomerReferences | null
  lines: PaperLine[]
  taxes: PaperTax[]
  /** What the document's own discount takes off the bases, and how it was stated: a rate, an amount, or both. */
  documentDiscountCents: Cents
  documentDiscount: { rateBp: BasisPoints; cents: Cents }
  baseCents: Cents
  taxCents: Cents
  surchargeCents: Cents
  outsideCents: Cents
  disbursementsCents: Cents
  totalCents: Cents
  withholding: PaperWithholding | null
  /** What the invoices in whose place it stands asked for already. */
  replacedCents: Cents
  amountDueCents: Cents
  legalMentions: string[]
  notes: string | null
  payment: PaperPayment
  registry: PaperRegistry | null
  /** Instant written as the document's creation date, so that equal input gives equal bytes. */
  createdAt: string
  /** `#RRGGBB`; one that cannot be read on white is replaced by the house's. */
  accent: string | null
  logo: PaperLogo | null
  /** What the company wants at the foot of every page. */
  footer: string | null
}
