/** Business statuses of invoices: their codes on the wire, who reports each, and what a report states. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { InvoiceCode } from '../exchange/invoice-code.ts'

export type StatusRole = 'issuer' | 'recipient'

/** Codes of Annex II, and of the withdrawal in Annex I (Orden HAC/1028/2026), with the role that reports them. */
export const STATUSES = {
  paid: { code: 'PAYMENT', role: 'recipient' },
  payment_cancelled: { code: 'CANCELPAYMENT', role: 'recipient' },
  rejected: { code: 'REJECTION', role: 'recipient' },
  rejection_cancelled: { code: 'CANCELREJECTION', role: 'recipient' },
  settled: { code: 'SETTLEMENT', role: 'issuer' },
  settlement_cancelled: { code: 'CANCELSETTLEMENT', role: 'issuer' },
  defaulted: { code: 'DEFAULT', role: 'issuer' },
  default_cancelled: { code: 'CANCELDEFAULT', role: 'issuer' },
  withdrawn: { code: 'CANCELINVOICE', role: 'issuer' },
} as const satisfies Record<string, { code: string; role: StatusRole }>

export type StatusKind = keyof typeof STATUSES

const KINDS = new Map<string, StatusKind>(
  Object.entries(STATUSES).map(([kind, { code }]) => [code, kind as StatusKind]),
)

/** Returns the status of a code; undefined for an unknown one. */
export function kindOfCode(code: string): StatusKind | undefined {
  return KINDS.get(code)
}

/** Reasons of a rejection (list L1 of Annex II): commercial, or private use. */
export const REJECTION_REASONS: Readonly<Record<string, string>> = { commercial: '01', private: '02' }

/** Further dates of a report, by their marks in the message. */
export const STATUS_DATES = {
  /** End of the payment term; required with a payment. */
  dueDate: 'DueDate',
  /** Goods or services received. */
  deliveredOn: 'ShipmentDate',
  /** Invoice received. */
  receivedOn: 'ReceptionDate',
  /** Collected through a financing scheme of the issuer. */
  financedOn: 'FinancingArrangement',
} as const
export type StatusDate = keyof typeof STATUS_DATES

export interface StatusReport extends Partial<Record<StatusDate, BusinessDate>> {
  kind: StatusKind
  invoice: InvoiceCode
  /** Day on which it happened; empty where a report that takes another one back states none. */
  date: BusinessDate
  /** Of a rejection; another code as it was read. */
  reason?: 'commercial' | 'private' | (string & {})
  note?: string
}

/** Statuses of up to 100 invoices, reported by one side. */
export interface StatusMessage {
  id: string
  role: StatusRole
  /** NIF without prefix. */
  senderTaxId: string
  senderName?: string
  /** Instant in UTC. */
  issuedAt: string
  reports: StatusReport[]
}

/** Most statuses of one message. */
export const MOST_REPORTS = 100
