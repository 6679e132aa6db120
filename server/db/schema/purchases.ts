/**
 * Types of the tables of purchases/. Generated from the migrations by `npm run generate`; comments and types that SQL
 * cannot express are in build/schema/rooms/purchases.ts.
 */
import type { Generated } from 'kysely'
import type { TaxTreatment } from '../../domain/tax/totals.ts'
import type { Flag, Nullable } from './columns.ts'

export interface ReceivedInvoicesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  year: number
  sequence: Nullable<number>
  state: 'entered' | 'void' | 'history'
  kind: 'invoice' | 'simplified' | 'rectifying' | 'receipt' | 'customs' | 'reagyp' | 'self_billed'
  contact_id: Nullable<number>
  supplier_name: string
  supplier_nif: Nullable<string>
  supplier_id_type: Nullable<'02' | '03' | '04' | '05' | '06' | '07'>
  supplier_country: string
  supplier_street: Nullable<string>
  supplier_postal_code: Nullable<string>
  supplier_city: Nullable<string>
  supplier_province: Nullable<string>
  supplier_number: Nullable<string>
  number_key: string
  issue_date: string
  reception_date: string
  operation_date: Nullable<string>
  due_date: Nullable<string>
  deduction_date: Nullable<string>
  base_cents: number
  /** VAT and surcharge charged by the supplier. */
  tax_cents: number
  surcharge_cents: number
  self_assessed_cents: number
  deductible_cents: number
  total_cents: number
  withholding_bp: Nullable<number>
  withholding_base_cents: number
  withholding_cents: number
  withholding_reason: Nullable<'professional' | 'rent' | 'other'>
  payable_cents: number
  paid_cents: Generated<number>
  is_owed: Flag
  concept: string
  currency: string
  fx_rate_micro: Nullable<number>
  currency_total_cents: number
  payment_method: Nullable<string>
  cash_accounting: Flag
  property_situation: Nullable<number>
  cadastral_reference: Nullable<string>
  /** JSON list of the invoices that it rectifies. */
  rectifies: Nullable<string>
  notes: Nullable<string>
  external_ref: Nullable<string>
  files: Generated<number>
  search: string
  version: Generated<number>
  created_at: number
  updated_at: number
  voided_at: Nullable<number>
  supplier_nif_written: Nullable<string>
  has_goods: Generated<Flag>
}

export interface IncomingSourcesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  kind: 'folder' | 'mailbox'
  name: string
  /** JSON: `FolderSettings` or `MailboxSettings`. */
  settings: string
  /** JSON of a password or a refresh token, sealed for the public identifier. */
  sealed_secret: Nullable<string>
  state: 'active' | 'paused' | 'failing'
  why: Nullable<string>
  /** JSON: where reading goes on. */
  position: Nullable<string>
  next_at: Nullable<number>
  checked_at: Nullable<number>
  version: Generated<number>
  created_at: number
  updated_at: number
}

export interface IncomingSeenTable {
  source_id: number
  /** SHA-256 of what the source handed over, or of the name, size and time of a file. */
  digest: Uint8Array
  seen_at: number
}

export interface IncomingDocumentsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  source: 'window' | 'folder' | 'mailbox' | 'phone' | 'program' | 'assistant'
  source_id: Nullable<number>
  name: string
  sender: Nullable<string>
  state:
    | 'queued'
    | 'reading'
    | 'ready'
    | 'doubtful'
    | 'duplicate'
    | 'not_invoice'
    | 'failed'
    | 'entered'
    | 'rejected'
  first_page: Nullable<number>
  last_page: Nullable<number>
  pages: Nullable<number>
  pages_read: Generated<number>
  attempts: Generated<number>
  due_at: Nullable<number>
  lease_until: Nullable<number>
  engine: Nullable<number>
  /** JSON: what `received.read` answers of it. */
  reading: Nullable<string>
  /** JSON list of the fields that nothing proves. */
  doubts: Generated<string>
  why: Nullable<string>
  supplier_name: Nullable<string>
  supplier_nif: Nullable<string>
  supplier_number: Nullable<string>
  number_key: Nullable<string>
  issue_date: Nullable<string>
  total_cents: Nullable<number>
  currency: Nullable<string>
  picture_hash: Nullable<Uint8Array>
  /** JSON: `{type, id, label}`, by public identifier. */
  duplicate_of: Nullable<string>
  received_id: Nullable<number>
  received_at: number
  decided_at: Nullable<number>
  decided_by: Nullable<string>
  version: Generated<number>
  updated_at: number
}

export interface PurchaseArrivalsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  channel: 'platform' | 'mail' | 'folder' | 'drop' | 'program'
  form: 'facturae' | 'ubl' | 'cii' | 'facturx' | 'document'
  name: string
  /** Of the document as it came. */
  sha256: Uint8Array
  incoming_id: number
  /** JSON: `ArrivalFacts`. */
  facts: Nullable<string>
  /** JSON list of `ArrivalDifference`. */
  differences: Generated<string>
  is_conflict: Generated<Flag>
  arrived_at: number
}

export interface SupplierMemoryTable {
  book_id: number
  nif: string
  /** JSON: see purchases/memory/shape.ts. */
  memory: string
  documents: Generated<number>
  updated_at: number
}

export interface IncomingRulesTable {
  book_id: number
  known_suppliers_only: Flag
  highest_total_cents: number
  set_at: number
  set_by: string
  version: Generated<number>
}

export interface IncomingSettingsTable {
  book_id: number
  /** JSON list of `OcrLanguage`. */
  languages: string
  version: Generated<number>
}

export interface ReceivedLinesTable {
  received_id: number
  position: number
  description: Nullable<string>
  tax_treatment: TaxTreatment
  nature:
    | 'domestic'
    | 'reverse_charge'
    | 'eu_goods'
    | 'eu_services'
    | 'foreign_services'
    | 'import'
    | 'reagyp'
  regime_key: string
  vat_rate_bp: Nullable<number>
  base_cents: number
  tax_cents: number
  self_assessed: Flag
  surcharge_bp: Nullable<number>
  surcharge_cents: number
  deductible_bp: number
  deductible_cents: number
  concept: string
  account: string
  investment_good: Flag
  document_base_cents: number
  document_tax_cents: number
  document_surcharge_cents: number
}

export interface PurchasesTables {
  received_invoices: ReceivedInvoicesTable
  incoming_sources: IncomingSourcesTable
  incoming_seen: IncomingSeenTable
  incoming_documents: IncomingDocumentsTable
  purchase_arrivals: PurchaseArrivalsTable
  supplier_memory: SupplierMemoryTable
  incoming_rules: IncomingRulesTable
  incoming_settings: IncomingSettingsTable
  received_lines: ReceivedLinesTable
}
