/** The tables as Kysely sees them. Conventions (units, instants, flags) stand in the first migration. */
import type { ColumnType, Generated } from 'kysely'
import type { TaxTreatment } from '../core/totals.ts'

/** 0 or 1: SQLite has no booleans, and PostgreSQL takes smallint. */
export type Flag = number
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>
type Defaulted<T> = ColumnType<T, T | undefined, T>

export interface SettingsTable {
  name: string
  value: string
}

export interface AddressColumns {
  street: Nullable<string>
  postal_code: Nullable<string>
  city: Nullable<string>
  province: Nullable<string>
}

export interface CompaniesTable extends AddressColumns {
  id: Generated<number>
  public_id: string
  legal_name: string
  trade_name: Nullable<string>
  nif: string
  kind: 'natural' | 'legal'
  country: string
  territory: 'mainland' | 'canary' | 'ceuta_melilla'
  vat_regime: 'general' | 'surcharge' | 'simplified' | 'cash' | 'exempt' | 'used_goods' | 'travel'
  email: Nullable<string>
  phone: Nullable<string>
  iban: Nullable<string>
  registry_inscription: Nullable<string>
  default_withholding_bp: Nullable<number>
  default_payment_days: Defaulted<number>
  default_language: Defaulted<'es' | 'en'>
  version: Defaulted<number>
  created_at: number
}

export interface BooksTable {
  id: Generated<number>
  public_id: string
  company_id: number
  mode: 'live' | 'test'
  environment: Defaulted<'production' | 'preproduction'>
  created_at: number
}

export interface ContactsTable extends AddressColumns {
  id: Generated<number>
  book_id: number
  public_id: string
  name: string
  nif: Nullable<string>
  id_type: Nullable<string>
  country: string
  email: Nullable<string>
  phone: Nullable<string>
  surcharge: Defaulted<Flag>
  withholding_bp: Nullable<number>
  payment_days: Nullable<number>
  language: Nullable<'es' | 'en'>
  notes: Nullable<string>
  search: string
  used_at: Nullable<number>
  version: Defaulted<number>
  created_at: number
  updated_at: number
}

export interface PartiesTable extends AddressColumns {
  id: Generated<number>
  book_id: number
  digest: Uint8Array
  name: string
  trade_name: Nullable<string>
  nif: Nullable<string>
  id_type: Nullable<string>
  country: string
  email: Nullable<string>
  phone: Nullable<string>
  iban: Nullable<string>
  registry_inscription: Nullable<string>
  search: string
}

export interface SeriesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  code: string
  kind: 'ordinary' | 'simplified' | 'rectifying' | 'quote'
  start_number: Defaulted<number>
  next_number: number
  last_issue_date: Nullable<string>
  created_at: number
}

export type InvoiceRegistryStatus =
  | 'not_issued'
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
  state: 'draft' | 'issued'
  kind: 'F1' | 'F2'
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
  disbursements_cents: number
  total_cents: number
  withholding_bp: Nullable<number>
  withholding_base_cents: number
  withholding_cents: number
  paid_cents: Defaulted<number>
  is_owed: Defaulted<Flag>
  registry_status: InvoiceRegistryStatus
  simplified_art7273: Defaulted<Flag>
  notes: Nullable<string>
  language: 'es' | 'en'
  payment_method: Nullable<string>
  external_ref: Nullable<string>
  content_hash: Nullable<Uint8Array>
  version: Defaulted<number>
  created_at: number
  issued_at: Nullable<number>
  /** When it was annulled; null also when it was reactivated. */
  cancelled_at: Nullable<number>
}

export interface InvoiceLinesTable {
  invoice_id: number
  position: number
  description: string
  quantity_micro: number
  unit: Nullable<string>
  unit_price_micro: number
  discount_bp: number
  tax_treatment: TaxTreatment
  regime_key: string
  vat_rate_bp: Nullable<number>
  surcharge_bp: Nullable<number>
  withholdable: Flag
  is_disbursement: Flag
  net_cents: number
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
}

export interface MonthTaxesTable {
  book_id: number
  month: string
  tax_treatment: TaxTreatment
  /** -1 where the treatment bears no rate, so that the column can be part of the key. */
  vat_rate_bp: number
  surcharge_bp: number
  base_cents: number
  tax_cents: number
  surcharge_cents: number
}

export interface MonthTotalsTable {
  book_id: number
  month: string
  invoices: number
  base_cents: number
  total_cents: number
  withholding_cents: number
}

export interface DocumentsTable {
  invoice_id: number
  language: string
  sha256: Uint8Array
  bytes: Uint8Array
  signature: 'PAdES-B-B' | 'none'
  renderer: string
  rendered_at: number
}

export interface DocumentQueueTable {
  invoice_id: number
  attempts: Defaulted<number>
  next_attempt_at: Defaulted<number>
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
  superseded: Defaulted<Flag>
  used_at: Nullable<number>
}

export interface RegistryChainsTable {
  book_id: number
  installation: string
  first_sequence: Defaulted<number>
  records: Defaulted<number>
  head_hash: Nullable<Uint8Array>
  head_issuer_nif: Nullable<string>
  head_number: Nullable<string>
  head_issue_date: Nullable<string>
  head_generated_at: Nullable<number>
  verified_at: Nullable<number>
  /** Sequence of the first record that does not verify; issuing stops while it is set. */
  broken_at: Nullable<number>
  /** Why nothing may be issued until a person decided. */
  held_for: Nullable<'restored_copy'>
}

export interface RegistryInstallationsTable {
  installation: string
  book_id: number
  first_sequence: number
  reason: 'set_up' | 'restored_copy' | 'moved'
  started_at: number
}

export interface RegistryRecordsTable {
  id: Generated<number>
  book_id: number
  sequence: number
  kind: 'registration' | 'cancellation'
  turn: string
  invoice_id: number
  hash: Uint8Array
  generated_at: number
  xml: Uint8Array
}

export interface InvoiceAmendmentsTable {
  record_id: number
  invoice_id: number
  changes: string
}

export type SubmissionStatus =
  | 'pending'
  | 'sending'
  | 'accepted'
  | 'accepted_with_errors'
  | 'rejected'
  | 'unknown'

export interface RegistrySubmissionsTable {
  record_id: number
  book_id: number
  status: SubmissionStatus
  attempts: Defaulted<number>
  batch_id: Nullable<number>
  answered_at: Nullable<number>
  csv: Nullable<string>
  csv_lost: Defaulted<Flag>
  authority_code: Nullable<string>
  message: Nullable<string>
  held_state: Nullable<'active' | 'cancelled'>
  conflict: Defaulted<Flag>
  closed: Defaulted<Flag>
}

export type BatchOutcome =
  | 'running'
  | 'answered'
  | 'fault'
  | 'unreadable'
  | 'no_answer'
  | 'not_sent'
  | 'interrupted'

export interface RegistryBatchesTable {
  id: Generated<number>
  book_id: number
  kind: 'submission' | 'query'
  records: number
  incident: Defaulted<Flag>
  started_at: number
  finished_at: Nullable<number>
  outcome: BatchOutcome
  detail: Nullable<string>
  http_status: Nullable<number>
  reply: Nullable<Uint8Array>
}

export interface RegistryAttemptsTable {
  record_id: number
  attempt: number
  batch_id: number
}

export interface RegistryFlowsTable {
  book_id: number
  wait_seconds: Defaulted<number>
  last_sent_at: Nullable<number>
  failures: Defaulted<number>
  next_attempt_at: Defaulted<number>
  batch_limit: Defaulted<number>
  fault_code: Nullable<string>
  fault_message: Nullable<string>
  stopped: Defaulted<Flag>
  skew_ms: Nullable<number>
  skew_at: Nullable<number>
  skew_accepted_ms: Nullable<number>
}

export interface RegistryFindingsTable {
  book_id: number
  number: string
  issue_date: string
  held: string
  found_at: number
}

export interface SeriesGapsTable {
  series_id: number
  first: number
  last: number
  noted_at: number
}

export interface CertificatesTable {
  id: Generated<number>
  company_id: number
  public_id: string
  kind: 'person' | 'representative' | 'seal'
  subject: string
  holder_name: string
  holder_nif: Nullable<string>
  organization_nif: Nullable<string>
  issuer: string
  serial: string
  fingerprint: Uint8Array
  key_type: 'rsa' | 'ec'
  valid_from: number
  valid_to: number
  chain: string
  sealed_key: Nullable<string>
  imported_at: number
  removed_at: Nullable<number>
}

export interface CertificateWarningsTable {
  certificate_id: number
  book_id: number
  days_left: number
  warned_at: number
}

export interface RegistryCountsTable {
  book_id: number
  status: SubmissionStatus
  records: number
}

export interface SimulatorRecordsTable {
  book_id: number
  issuer_nif: string
  number: string
  issue_date: string
  arrival: number
  entry: Uint8Array
}

export interface ApiKeysTable {
  id: Generated<number>
  book_id: number
  public_id: string
  name: string
  lookup: string
  prefix: string
  secret_hash: Uint8Array
  scopes: string
  approval: 'always' | 'never'
  assistant: Flag
  per_day: Nullable<number>
  cents_per_day: Nullable<number>
  created_at: number
  last_used_at: Nullable<number>
  expires_at: Nullable<number>
  revoked_at: Nullable<number>
}

export interface KeyUsageTable {
  key_id: number
  day: string
  issued: number
  cents: number
}

export interface ActorsTable {
  id: Generated<number>
  kind: 'user' | 'key' | 'system'
  public_id: string
  name: string
}

export interface AuditEventsTable {
  book_id: number
  sequence: number
  at: number
  actor_id: number
  channel: 'ui' | 'rest' | 'mcp' | 'system'
  action: string
  target_type: Nullable<string>
  target_id: Nullable<string>
  target_label: Nullable<string>
  outcome: 'ok' | 'refused' | 'failed'
  code: Nullable<string>
  request_id: string
  hash: Uint8Array
}

export interface EventsTable {
  id: Generated<number>
  book_id: number
  type: string
  at: number
  data: string
}

export interface IdempotencyKeysTable {
  scope: string
  idempotency_key: string
  operation: string
  input_hash: Uint8Array
  status: number
  reply: string
  sealed: Defaulted<Flag>
  created_at: number
}

export interface ProposalsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  key_id: Nullable<number>
  status: 'pending_user' | 'not_applicable' | 'accepted' | 'rejected' | 'expired'
  action: string
  target_id: Nullable<string>
  reason: string
  body: string
  created_at: number
  expires_at: number
  decided_at: Nullable<number>
  decision_note: Nullable<string>
}

export interface Schema {
  settings: SettingsTable
  companies: CompaniesTable
  books: BooksTable
  contacts: ContactsTable
  parties: PartiesTable
  series: SeriesTable
  invoices: InvoicesTable
  invoice_lines: InvoiceLinesTable
  invoice_taxes: InvoiceTaxesTable
  month_taxes: MonthTaxesTable
  month_totals: MonthTotalsTable
  documents: DocumentsTable
  document_queue: DocumentQueueTable
  confirmations: ConfirmationsTable
  registry_chains: RegistryChainsTable
  registry_installations: RegistryInstallationsTable
  registry_records: RegistryRecordsTable
  invoice_amendments: InvoiceAmendmentsTable
  registry_submissions: RegistrySubmissionsTable
  registry_batches: RegistryBatchesTable
  registry_attempts: RegistryAttemptsTable
  registry_flows: RegistryFlowsTable
  registry_findings: RegistryFindingsTable
  series_gaps: SeriesGapsTable
  certificates: CertificatesTable
  certificate_warnings: CertificateWarningsTable
  registry_counts: RegistryCountsTable
  simulator_records: SimulatorRecordsTable
  api_keys: ApiKeysTable
  key_usage: KeyUsageTable
  actors: ActorsTable
  audit_events: AuditEventsTable
  events: EventsTable
  idempotency_keys: IdempotencyKeysTable
  proposals: ProposalsTable
}
