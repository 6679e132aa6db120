/**
 * Types of the tables of sales/. Generated from the migrations by `npm run generate`; comments and types that SQL
 * cannot express are in build/schema/rooms/sales.ts.
 */
import type { Generated, GeneratedAlways } from 'kysely'
import type { TaxTreatment } from '../../domain/tax/totals.ts'
import type { Flag, Nullable } from './columns.ts'

/** F1 complete, F2 simplified, F3 replacing simplified ones, R1 to R4 rectifying, R5 rectifying a simplified one. */
export type InvoiceKindCode = 'F1' | 'F2' | 'F3' | 'R1' | 'R2' | 'R3' | 'R4' | 'R5'

export type InvoiceRegistryStatus =
  | 'not_issued'
  | 'not_registered'
  | 'pending'
  | 'sending'
  | 'accepted'
  | 'accepted_with_errors'
  | 'rejected'
  | 'unknown'
  | 'cancelled'

export interface InvoicesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  state: 'draft' | 'issued' | 'history'
  kind: InvoiceKindCode
  tax: Generated<'01' | '02' | '03'>
  series_id: Nullable<number>
  sequence: Nullable<number>
  number: Nullable<string>
  issue_date: Nullable<string>
  list_date: string
  operation_date: Nullable<string>
  due_date: Nullable<string>
  party_id: number
  contact_id: Nullable<number>
  issuer_id: Nullable<number>
  price_mode: 'net' | 'gross'
  base_cents: number
  tax_cents: number
  surcharge_cents: number
  outside_cents: Generated<number>
  disbursements_cents: number
  total_cents: number
  withholding_bp: Nullable<number>
  withholding_base_cents: number
  withholding_cents: number
  replaced_cents: Generated<number>
  paid_cents: Generated<number>
  /** Amount still to be paid, even if annulled. */
  due_cents: GeneratedAlways<number>
  is_owed: Generated<Flag>
  registry_status: InvoiceRegistryStatus
  uncollectible_at: Nullable<number>
  discount_bp: Generated<number>
  discount_cents: Generated<number>
  currency: Generated<string>
  fx_micro: Nullable<number>
  fx_date: Nullable<string>
  fx_source: Nullable<string>
  rectification_method: Nullable<'S' | 'I'>
  rectification_cause: Nullable<string>
  rectification_reason: Nullable<string>
  rectified_base_cents: Nullable<number>
  rectified_tax_cents: Nullable<number>
  rectified_surcharge_cents: Nullable<number>
  property_situation: Nullable<'1' | '2' | '3' | '4'>
  cadastral_ref: Nullable<string>
  simplified_art7273: Generated<Flag>
  notes: Nullable<string>
  language: 'es' | 'ca' | 'eu' | 'gl' | 'en' | 'fr' | 'de' | 'pt'
  payment_method: Nullable<string>
  external_ref: Nullable<string>
  customer_order: Nullable<string>
  customer_contract: Nullable<string>
  customer_file: Nullable<string>
  content_hash: Nullable<Uint8Array>
  version: Generated<number>
  created_at: number
  issued_at: Nullable<number>
  /** Time of annulment; null also after a reactivation. */
  cancelled_at: Nullable<number>
  metadata: Generated<string>
  /** Last change of the invoice or of its amount due: set by a trigger on its events. */
  updated_at: Generated<number>
  /** Agreed instalments; null for one due date. */
  instalments: Nullable<string>
  issued_by: Nullable<'third_party' | 'recipient'>
  issued_by_name: Nullable<string>
  issued_by_nif: Nullable<string>
  issued_by_id_type: Nullable<string>
  issued_by_country: Nullable<string>
  issued_by_street: Nullable<string>
  issued_by_postal_code: Nullable<string>
  issued_by_city: Nullable<string>
  issued_by_province: Nullable<string>
}

export interface InvoiceLinesTable {
  invoice_id: number
  position: number
  description: string
  quantity_micro: number
  unit: Nullable<string>
  unit_price_micro: number
  discount_bp: number
  discount_cents: Generated<number>
  tax_treatment: TaxTreatment
  regime_key: string
  vat_rate_bp: Nullable<number>
  surcharge_bp: Nullable<number>
  withholdable: Flag
  is_disbursement: Flag
  cost_cents: Nullable<number>
  cause: Nullable<string>
  item_id: Nullable<number>
  account: Nullable<string>
  net_cents: number
  /** Amounts that a draft still lacks, separated by commas. */
  missing: Nullable<string>
  supply: Nullable<'goods' | 'services'>
}

export interface InvoiceInstalmentsTable {
  invoice_id: number
  position: number
  book_id: number
  due_date: string
  cents: number
  paid_cents: Generated<number>
  /** Amount of it still to be paid. */
  open_cents: GeneratedAlways<number>
}

export interface InvoiceTaxesTable {
  invoice_id: number
  position: number
  tax_treatment: TaxTreatment
  regime_key: string
  vat_rate_bp: Nullable<number>
  base_cents: number
  tax_cents: number
  surcharge_bp: Nullable<number>
  surcharge_cents: number
  outside_cents: Generated<number>
}

export interface InvoiceReferencesTable {
  invoice_id: number
  position: number
  role: 'rectifies' | 'substitutes'
  target_id: Nullable<number>
  number: string
  issue_date: string
}

export interface InvoiceReplacementsTable {
  invoice_id: number
  replaced_id: number
}

export interface DocumentsTable {
  id: Generated<number>
  invoice_id: number
  format: 'a4' | 'ticket' | 'facturae'
  language: string
  sha256: Uint8Array
  bytes: Uint8Array
  renderer: string
  rendered_at: number
}

export interface DocumentSignaturesTable {
  document_id: number
  level: 'PAdES-B-B' | 'XAdES-EPES'
  certificate_id: number
  appended: Uint8Array
  sha256: Uint8Array
  signed_at: number
}

export interface DocumentQueueTable {
  invoice_id: number
  attempts: Generated<number>
  next_attempt_at: Generated<number>
}

export interface UnsignedDocumentsTable {
  book_id: number
  invoice_id: number
  document_id: number
}

export interface ConfirmationsTable {
  token_hash: Uint8Array
  book_id: number
  actor: string
  action: 'issue' | 'cancel' | 'amend'
  invoice_id: number
  draft_version: number
  content_hash: Uint8Array
  details: Nullable<string>
  created_at: number
  expires_at: number
  superseded: Generated<Flag>
  used_at: Nullable<number>
}

export interface InvoiceAmendmentsTable {
  record_id: number
  invoice_id: number
  changes: string
}

/** The customer named by an amendment, if it differs from the one in the document. */
export interface AmendedPartiesTable {
  invoice_id: number
  party_id: number
}

export interface QuotesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  kind: 'quote' | 'proforma' | 'delivery_note'
  state: 'draft' | 'sent' | 'accepted' | 'rejected'
  series_id: Nullable<number>
  sequence: Nullable<number>
  number: Nullable<string>
  date: string
  valid_until: Nullable<string>
  contact_id: Nullable<number>
  client_name: string
  client_nif: Nullable<string>
  search: string
  content: string
  hide_prices: Generated<Flag>
  currency: Generated<string>
  base_cents: number
  tax_cents: number
  total_cents: number
  is_spent: Generated<Flag>
  revision: Generated<number>
  version: Generated<number>
  created_at: number
  updated_at: number
  sent_at: Nullable<number>
  decided_at: Nullable<number>
}

export interface QuoteRevisionsTable {
  quote_id: number
  revision: number
  date: string
  valid_until: Nullable<string>
  content: string
  base_cents: number
  tax_cents: number
  total_cents: number
  replaced_at: number
}

export interface QuoteConversionsTable {
  id: Generated<number>
  quote_id: number
  invoice_id: number
  kind: 'lines' | 'deposit'
  percent_bp: Nullable<number>
  lines: Generated<string>
  deposits: Generated<string>
  discount_cents: Generated<number>
  is_released: Generated<Flag>
  created_at: number
}

export interface ReplySecretsTable {
  book_id: number
  public_id: string
  /** 32 bytes, sealed for the public identifier. */
  sealed_secret: string
  created_at: number
}

export interface ReplyPagesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  invoice_id: number
  language: 'es' | 'ca' | 'eu' | 'gl' | 'en' | 'fr' | 'de' | 'pt'
  /** JSON: `PageFacts`. */
  facts: string
  /** SHA-256 of what the invoice says in it. */
  facts_digest: Uint8Array
  offered_by: string
  offered_at: number
  superseded_at: Nullable<number>
}

export interface ReplyAnswersTable {
  id: Generated<number>
  book_id: number
  public_id: string
  page_id: number
  invoice_id: number
  kind: 'received' | 'accepted' | 'rejected' | 'will_pay'
  reason: Nullable<'amount' | 'not_ordered' | 'not_received' | 'wrong_data' | 'paid_already' | 'other'>
  pay_on: Nullable<string>
  words: Nullable<string>
  said_by: Nullable<string>
  /** By the customer's clock, not after `taken_at`. */
  said_at: number
  taken_at: number
  taken_by: string
  channel: 'paste' | 'file' | 'mailbox' | 'program'
  sender: Nullable<string>
  /** SHA-256 of the answer. */
  digest: Uint8Array
  emptied_at: Nullable<number>
}

export interface TemplatesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  name: string
  content: string
  used_at: Nullable<number>
  version: Generated<number>
  created_at: number
  updated_at: number
}

export interface RecurrencesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  name: string
  state: 'active' | 'paused'
  contact_id: Nullable<number>
  client_name: string
  search: string
  content: string
  currency: Generated<string>
  total_cents: number
  rule: string
  start_date: string
  due_days: Nullable<number>
  price_updates: Generated<string>
  next_date: Nullable<string>
  trouble: Nullable<string>
  version: Generated<number>
  created_at: number
  updated_at: number
}

export interface RecurrenceDaysTable {
  recurrence_id: number
  date: string
  outcome: 'draft' | 'skipped'
  invoice_id: Nullable<number>
  at: number
}

export interface SalesTables {
  invoices: InvoicesTable
  invoice_lines: InvoiceLinesTable
  invoice_instalments: InvoiceInstalmentsTable
  invoice_taxes: InvoiceTaxesTable
  invoice_references: InvoiceReferencesTable
  invoice_replacements: InvoiceReplacementsTable
  documents: DocumentsTable
  document_signatures: DocumentSignaturesTable
  document_queue: DocumentQueueTable
  unsigned_documents: UnsignedDocumentsTable
  confirmations: ConfirmationsTable
  invoice_amendments: InvoiceAmendmentsTable
  amended_parties: AmendedPartiesTable
  quotes: QuotesTable
  quote_revisions: QuoteRevisionsTable
  quote_conversions: QuoteConversionsTable
  reply_secrets: ReplySecretsTable
  reply_pages: ReplyPagesTable
  reply_answers: ReplyAnswersTable
  templates: TemplatesTable
  recurrences: RecurrencesTable
  recurrence_days: RecurrenceDaysTable
}
