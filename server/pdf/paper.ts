/** The invoice as it is drawn: plain data with everything the paper says, fixed at issue. Nothing here is calculated. */
import type { BasisPoints, Cents, Micro } from '../core/money.ts'
import type { PriceMode, TaxTreatment } from '../core/totals.ts'

export type { TaxTreatment } from '../core/totals.ts'

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
  taxTreatment: TaxTreatment
  vatRateBp: BasisPoints | null
  surchargeRateBp: BasisPoints | null
  isDisbursement: boolean
  /** Without tax in both price modes. */
  netCents: Cents
}

export interface PaperTax {
  taxTreatment: TaxTreatment
  vatRateBp: BasisPoints | null
  baseCents: Cents
  /** VAT without the surcharge. */
  taxCents: Cents
  surchargeRateBp: BasisPoints | null
  surchargeCents: Cents
}

export interface PaperWithholding {
  rateBp: BasisPoints
  baseCents: Cents
  amountCents: Cents
}

export interface PaperRegistry {
  qrUrl: string
  hash: string
  recordId: string
  /** Instant of the record, with its offset. */
  generatedAt: string
}

export type PaperLanguage = 'es' | 'en'

export interface InvoicePaper {
  language: PaperLanguage
  kind: 'F1' | 'F2'
  state: 'draft' | 'issued'
  /** Where its record goes: anything but production is said on every page. */
  environment: 'production' | 'preproduction' | 'sandbox' | 'simulated'
  priceMode: PriceMode
  /** As printed; null in a draft. */
  number: string | null
  issueDate: string
  operationDate: string | null
  dueDate: string | null
  issuer: PaperParty & { iban?: string | null; registryInscription?: string | null }
  client: PaperParty | null
  lines: PaperLine[]
  taxes: PaperTax[]
  baseCents: Cents
  taxCents: Cents
  surchargeCents: Cents
  disbursementsCents: Cents
  totalCents: Cents
  withholding: PaperWithholding | null
  amountDueCents: Cents
  legalMentions: string[]
  notes: string | null
  paymentMethod: string | null
  registry: PaperRegistry | null
  /** Instant written as the document's creation date, so that equal input gives equal bytes. */
  createdAt: string
  /** `#RRGGBB`; one that cannot be read on white is replaced by the house's. */
  accent: string | null
}
