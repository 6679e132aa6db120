/**
 * The content of TicketBAI's files as data, one field for each element: what the writer writes and the reader returns.
 * Tax rules and the facts of an invoice are elsewhere.
 */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { BasisPoints, Cents } from '../../../domain/money.ts'
import type {
  Amendment,
  Exemption,
  IdType,
  Maker,
  NotSubjectCause,
  RectificationCode,
  TaxedType,
} from './lists.ts'

/** Hundred-millionths of a unit or of a euro: the eight decimals of a line. */
export type Fine = bigint

/** Identification without a Spanish tax number. */
interface ForeignIdentity {
  /** Null where the number itself names its country (02). */
  country: string | null
  idType: IdType
  id: string
}

export type Identity = { nif: string } | ForeignIdentity

export interface ContentRecipient {
  identity: Identity
  name: string
  postcode: string | null
  address: string | null
}

/** Series and number stand in separate elements. */
export interface ContentKey {
  series: string | null
  number: string
  issueDate: BusinessDate
}

export interface ContentLine {
  description: string
  quantity: Fine
  /** Without tax. */
  unitPrice: Fine
  /** An amount without tax, not a percentage; null when there is none. */
  discount: Fine | null
  /** With tax. */
  total: Fine
}

export interface VatDetail {
  baseCents: Cents
  rateBp: BasisPoints | null
  taxCents: Cents | null
  surchargeRateBp: BasisPoints | null
  surchargeCents: Cents | null
  /** The issuer is under the equivalence surcharge or the simplified regime. */
  isRetail: boolean | null
}

/** Breakdown of an invoice, or of its goods or its services. */
export interface ContentBreakdown {
  exempt: { cause: Exemption; baseCents: Cents }[]
  taxed: { type: TaxedType; details: VatDetail[] }[]
  notSubject: { cause: NotSubjectCause; amountCents: Cents }[]
}

export interface ContentRectification {
  code: RectificationCode
  /** S replaces the original, I states the difference. */
  method: 'S' | 'I'
  /** Amounts of the replaced invoices; only with S. */
  replaced: { baseCents: Cents; taxCents: Cents; surchargeCents: Cents | null } | null
}

/** The invoice before this one in the chain. */
export interface TicketBaiLink extends ContentKey {
  /** First 100 characters of its signature's value in base 64. */
  signature: string
}

/** The program as every file names it. */
export interface SoftwareFacts {
  /** Given by the treasury when the program is registered there. */
  licence: string
  developer: Identity
  name: string
  version: string
}

/** HuellaTBAI. A cancellation has no previous invoice: it is no link of the chain. */
export interface Footprint {
  previous: TicketBaiLink | null
  software: SoftwareFacts
  /** Serial number of the device. */
  device: string | null
}

/** What an issued invoice and its correction have in common. */
export interface InvoiceContent {
  issuer: { nif: string; name: string }
  recipients: ContentRecipient[]
  hasSeveralRecipients: boolean | null
  maker: Maker | null
  key: ContentKey
  /** Local time of Spain, hh:mm:ss. */
  issueTime: string
  isSimplified: boolean | null
  /** A full invoice in place of simplified ones. */
  replacesSimplified: boolean | null
  rectification: ContentRectification | null
  /** Rectified or replaced invoices. */
  originals: ContentKey[]
  operationDate: BusinessDate | null
  description: string
  lines: ContentLine[]
  /** Before withholding. */
  totalCents: Cents
  withholdingCents: Cents | null
  costBaseCents: Cents | null
  regimeKeys: string[]
  /** Goods and services are apart when a customer has no Spanish tax number. */
  breakdown:
    | { by: 'invoice'; whole: ContentBreakdown }
    | { by: 'supply'; services: ContentBreakdown | null; goods: ContentBreakdown | null }
  footprint: Footprint
}

export interface CancellationContent {
  issuer: { nif: string; name: string }
  key: ContentKey
  footprint: Footprint
}

/** A correction (Zuzendu) is not signed; it names the signature of the file that it corrects. */
export type TicketBaiContent =
  | { kind: 'issue'; invoice: InvoiceContent }
  | { kind: 'cancellation'; cancellation: CancellationContent }
  | { kind: 'amended_issue'; action: Amendment; invoice: InvoiceContent; signature: string }
  | { kind: 'amended_cancellation'; cancellation: CancellationContent; signature: string }

export const isForeign = (identity: Identity): identity is ForeignIdentity => 'idType' in identity

const SPLIT = /^(.{1,20})-(\d{4,20})$/u

/**
 * Splits a printed number into series and number: ours is the code of the series, a hyphen, and at least four digits. A
 * number of another form, as other programs make it, has no series.
 */
export function splitNumber(printed: string): { series: string | null; number: string } {
  const [, series, number] = SPLIT.exec(printed) ?? []
  return series === undefined || number === undefined ? { series: null, number: printed } : { series, number }
}

/** Returns the number as printed. */
export function printedNumber({ series, number }: Pick<ContentKey, 'series' | 'number'>): string {
  return series === null ? number : `${series}-${number}`
}
