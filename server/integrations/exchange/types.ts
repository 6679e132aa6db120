/** What travels between a company and the public e-invoice platform, in our words: the types of the documents. */
export type {
  AnswerItem,
  InvoiceCode,
  NamedInvoice,
  PlatformAnswer,
  StatusKind,
  StatusMessage,
  StatusReport,
  StatusRole,
} from '../../documents/e-invoice/index.ts'
