/** What travels between a company and the public e-invoice platform, in our words: the types of the documents. */
import type { InvoiceCode, PlatformAnswer, StatusMessage } from '../../documents/e-invoice/index.ts'

export type {
  AnswerItem,
  InvoiceCode,
  PlatformAnswer,
  StatusKind,
  StatusMessage,
  StatusReport,
  StatusRole,
} from '../../documents/e-invoice/index.ts'

/** What an invoice's document says of it. */
export interface ReadInvoice extends InvoiceCode {
  issuerName: string | null
  recipientTaxId: string | null
  typeCode: string
  copy: boolean
  total: string
  /** Day on which it was paid, if the invoice itself says so. */
  paidOn: string | null
}

/** A file of the platform. */
export type PlatformFile =
  | { kind: 'invoice'; invoice: ReadInvoice }
  | { kind: 'statuses'; message: StatusMessage }
  | { kind: 'answer'; answer: PlatformAnswer }
