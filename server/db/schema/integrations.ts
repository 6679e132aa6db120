/**
 * Types of the tables of integrations/. Generated from the migrations by `npm run generate`; comments and types that SQL
 * cannot express are in build/schema/rooms/integrations.ts.
 */
import type { Generated } from 'kysely'
import type { Flag, Nullable } from './columns.ts'

export type ExchangeState =
  | 'not_due'
  | 'to_send'
  | 'sent_unknown'
  | 'admitted'
  | 'refused'
  | 'withdrawn'
  | 'open'
  | 'rejected'
  | 'paid'
  | 'paid_on_the_invoice'

export type ExchangeReportKind =
  | 'rejected'
  | 'rejection_cancelled'
  | 'paid'
  | 'payment_cancelled'
  | 'settled'
  | 'settlement_cancelled'
  | 'defaulted'
  | 'default_cancelled'
  | 'withdrawn'

export type ExchangeReportState = 'to_send' | 'unknown' | 'admitted' | 'refused' | 'dropped'

export interface ErpConnectionsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  provider: string
  state: 'connected' | 'needs_reconnection' | 'disconnected'
  sealed_key: Nullable<string>
  key_hint: Nullable<string>
  api_flavour: string
  base_url: Nullable<string>
  database: Nullable<string>
  account_id: Nullable<string>
  allow_private: Generated<Flag>
  account_name: Nullable<string>
  account_tax_id: Nullable<string>
  label: Nullable<string>
  /** JSON lists of permissions in the provider's terms. */
  granted: Generated<string>
  missing: Generated<string>
  /** JSON object of the provider. */
  notes: Generated<string>
  monthly_budget: Nullable<number>
  meter_used: Nullable<number>
  meter_limit: Nullable<number>
  meter_at: Nullable<number>
  history_from: string
  last_sync_at: Nullable<number>
  last_partial_at: Nullable<number>
  last_error_code: Nullable<string>
  last_error_at: Nullable<number>
  version: Generated<number>
  created_at: number
  updated_at: number
  wait_until: Nullable<number>
}

export interface ErpWatermarksTable {
  connection_id: number
  resource: string
  last_complete_at: Nullable<number>
  full_pass_at: Nullable<number>
  window_from: Nullable<string>
  mark: Nullable<string>
  last_count: Generated<number>
}

export interface ErpRunsTable {
  id: Generated<number>
  book_id: number
  connection_id: number
  public_id: string
  state: 'running' | 'completed' | 'partial' | 'failed' | 'cancelled'
  mode: 'window' | 'full'
  resumable: Generated<Flag>
  estimate: number
  calls: Generated<number>
  error_code: Nullable<string>
  started_at: number
  finished_at: Nullable<number>
}

export interface ErpRunResourcesTable {
  run_id: number
  resource: string
  position: number
  state: 'waiting' | 'running' | 'completed' | 'failed' | 'skipped'
  pages: Generated<number>
  fetched: Generated<number>
  created: Generated<number>
  updated: Generated<number>
  unchanged: Generated<number>
  duplicates: Generated<number>
  rejected: Generated<number>
  missing: Generated<number>
  cursor: Nullable<string>
  since: Nullable<string>
  mark: Nullable<string>
  window_from: Nullable<string>
  window_to: Nullable<string>
  restarted: Generated<Flag>
  error_code: Nullable<string>
  /** JSON. */
  error_details: Nullable<string>
}

export interface ErpCallsTable {
  id: Generated<number>
  connection_id: number
  run_id: Nullable<number>
  at: number
  month: number
  resource: string
  status: Nullable<number>
  ms: number
  bytes: number
  limit_window: Nullable<string>
  limit_remaining: Nullable<number>
}

export interface ErpContactsTable {
  id: Generated<number>
  connection_id: number
  public_id: string
  external_kind: string
  external_id: string
  /** SHA-256 of `record`. */
  content_hash: Uint8Array
  /** JSON of the neutral record. */
  record: string
  name: string
  tax_id: Nullable<string>
  email: Nullable<string>
  is_client: Flag
  is_supplier: Flag
  archived: Flag
  search: string
  contact_id: Nullable<number>
  linked_at: Nullable<number>
  first_seen_at: number
  changed_at: number
  /** The last run that read it, doubled, plus one after a restart within the run. */
  seen_pass: number
  missing_since: Nullable<number>
}

export interface ErpDocumentsTable {
  id: Generated<number>
  connection_id: number
  public_id: string
  side: 'issued' | 'received'
  external_kind: string
  external_id: string
  /** SHA-256 of `record`. */
  content_hash: Uint8Array
  /** JSON of the neutral record. */
  record: string
  doc_kind: 'invoice' | 'simplified' | 'rectifying' | 'refund'
  number: Nullable<string>
  number_key: string
  list_date: string
  due_date: Nullable<string>
  party_external_id: Nullable<string>
  party_name: string
  party_tax_id: Nullable<string>
  currency: string
  total_cents: number
  pending_cents: Nullable<number>
  eur_net_cents: Nullable<number>
  eur_tax_cents: Nullable<number>
  eur_total_cents: Nullable<number>
  state: 'draft' | 'approved' | 'cancelled'
  payment_state: 'unpaid' | 'partial' | 'paid' | 'unknown'
  amount_check: 'ok' | 'failed' | 'skipped'
  search: string
  invoice_id: Nullable<number>
  first_seen_at: number
  changed_at: number
  /** The last run that read it, doubled, plus one after a restart within the run. */
  seen_pass: number
  missing_since: Nullable<number>
}

export interface ErpDocumentTaxesTable {
  document_id: number
  vat_bp: number
  base_cents: number
  tax_cents: number
}

export interface ErpItemsTable {
  id: Generated<number>
  connection_id: number
  public_id: string
  external_kind: string
  external_id: string
  /** SHA-256 of `record`. */
  content_hash: Uint8Array
  /** JSON of the neutral record. */
  record: string
  name: string
  sku: Nullable<string>
  archived: Flag
  search: string
  first_seen_at: number
  changed_at: number
  /** The last run that read it, doubled, plus one after a restart within the run. */
  seen_pass: number
  missing_since: Nullable<number>
}

export interface ErpRejectsTable {
  id: Generated<number>
  connection_id: number
  run_id: number
  resource: string
  external_kind: string
  external_id: Nullable<string>
  position: number
  page: number
  reason: string
  field: Nullable<string>
  raw: string
  at: number
}

export interface ExchangeSettingsTable {
  book_id: number
  sending_since: Nullable<number>
  sending_by: Nullable<string>
  followed_from: Nullable<string>
  turnover: Nullable<'above' | 'up_to'>
  turnover_year: Nullable<number>
  person_kind: Nullable<'natural' | 'attribution' | 'company'>
  report_collections: Generated<Flag>
  representation: Nullable<'attorney' | 'collaborator' | 'legal'>
  representative_nif: Nullable<string>
  representative_name: Nullable<string>
  representative_certificate: Nullable<string>
  representation_since: Nullable<number>
  representation_by: Nullable<string>
  version: Generated<number>
}

export interface ExchangeFlowsTable {
  book_id: number
  event_id: Generated<number>
  position: Nullable<string>
  next_send_at: Generated<number>
  failures: Generated<number>
  batch_limit: Generated<number>
  fault_code: Nullable<string>
  fault_detail: Nullable<string>
  next_poll_at: Generated<number>
  poll_failures: Generated<number>
  polled_at: Nullable<number>
}

export interface ExchangeContactsTable {
  contact_id: number
  book_id: number
  channel: 'platform' | 'copy' | 'other' | 'none'
  platform_name: Nullable<string>
  entry_point: Nullable<string>
  agreed_on: Nullable<string>
  accepts_original_on: Nullable<string>
  version: Generated<number>
}

export interface ExchangeContentsTable {
  id: Generated<number>
  book_id: number
  sha256: Uint8Array
  size: number
  bytes: Uint8Array
}

export interface ExchangeDocumentsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  direction: 'issued' | 'received'
  invoice_id: Nullable<number>
  received_id: Nullable<number>
  incoming_id: Nullable<number>
  issuer_nif: string
  number: string
  issue_date: string
  partner_nif: Nullable<string>
  partner_name: Nullable<string>
  total_cents: Nullable<number>
  due_date: Nullable<string>
  is_copy: Generated<Flag>
  state: ExchangeState
  why: Nullable<string>
  partner_said: Nullable<'rejected' | 'paid' | 'settled' | 'defaulted'>
  partner_day: Nullable<string>
  said: Nullable<'rejected' | 'paid' | 'settled' | 'defaulted'>
  said_day: Nullable<string>
  content_id: Nullable<number>
  locator: Nullable<string>
  csv: Nullable<string>
  sent_at: Nullable<number>
  attempts: Generated<number>
  queries: Generated<number>
  next_at: Nullable<number>
  created_at: number
  changed_at: number
}

export interface ExchangeReportsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  document_id: number
  position: number
  kind: ExchangeReportKind
  day: string
  due_date: Nullable<string>
  reason: Nullable<string>
  note: Nullable<string>
  by_machine: Flag
  asked_by: string
  last_day: Nullable<string>
  state: ExchangeReportState
  code: Nullable<string>
  detail: Nullable<string>
  csv: Nullable<string>
  sent_at: Nullable<number>
  attempts: Generated<number>
  queries: Generated<number>
  next_at: Nullable<number>
  created_at: number
  settled_at: Nullable<number>
}

export interface ExchangeMessagesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  kind: 'send' | 'withdraw' | 'report'
  role: Nullable<'issuer' | 'recipient'>
  sent_at: number
  sent_by: string
  content_id: Nullable<number>
  answer_id: Nullable<number>
  outcome: 'sent' | 'answered' | 'nothing_done' | 'unknown'
  csv: Nullable<string>
  batch: Nullable<number>
  detail: Nullable<string>
  ended_at: Nullable<number>
}

export interface ExchangeItemsTable {
  message_id: number
  position: number
  document_id: number
  report_id: Nullable<number>
  code: Nullable<string>
  detail: Nullable<string>
  locator: Nullable<string>
}

export interface ExchangeFactsTable {
  id: Generated<number>
  book_id: number
  document_id: number
  at: number
  fact: string
  day: Nullable<string>
  report_id: Nullable<number>
  message_id: Nullable<number>
  code: Nullable<string>
  note: Nullable<string>
  actor: string
}

export interface SimulatedExchangeTable {
  book_id: number
  sequence: number
  issuer_nif: string
  number: string
  issue_date: string
  recipient_nif: string
  locator: string
  presented_on: string
  withdrawn: Flag
  facts: string
}

export interface ExchangeConfirmationsTable {
  token_hash: Uint8Array
  book_id: number
  actor: string
  document_id: number
  content_hash: Uint8Array
  /** JSON. */
  choices: string
  created_at: number
  expires_at: number
  used_at: Nullable<number>
  report_id: Nullable<number>
}

export interface PortalSettingsTable {
  book_id: number
  email: Nullable<string>
  live_since: Nullable<number>
  live_by: Nullable<string>
}

export interface PortalDirectoriesTable {
  id: Generated<number>
  company_id: number
  public_id: string
  name: string
  sha256: Uint8Array
  file_rows: number
  added: number
  changed: number
  unchanged: number
  faulty: number
  imported_at: number
  imported_by: string
}

export interface PortalUnitsTable {
  id: Generated<number>
  company_id: number
  code: string
  name: string
  /** Sum of 1 accounting office, 2 managing body, 4 processing unit, 8 proposing body. */
  roles: number
  administration: Nullable<string>
  nif: Nullable<string>
  street: Nullable<string>
  postal_code: Nullable<string>
  town: Nullable<string>
  province: Nullable<string>
  is_current: Flag
  /** Code, name and administration, folded. */
  search: string
}

export interface PortalRelationsTable {
  id: Generated<number>
  company_id: number
  accounting_office: string
  managing_body: string
  processing_unit: string
}

export interface PortalSubmissionsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  invoice_id: number
  environment: 'simulator' | 'test' | 'production'
  /** JSON: `Dir3`. */
  units: string
  email: string
  /** The signed file, compressed with gzip. */
  file: Uint8Array
  /** Of the bytes that are sent. */
  sha256: Uint8Array
  file_name: string
  requested_by: string
  state: 'waiting' | 'sent' | 'unknown' | 'registered' | 'refused' | 'withdrawn' | 'not_arrived'
  is_open: Flag
  created_at: number
  lease_until: Nullable<number>
  attempts: Generated<number>
  next_attempt_at: Nullable<number>
  sent_at: Nullable<number>
  settled_at: Nullable<number>
  registry_number: Nullable<string>
  /** As the portal writes it. */
  received_at: Nullable<string>
  tracking_code: Nullable<string>
  /** Code of the reason. */
  why: Nullable<string>
  /** What the portal or the connection said. */
  detail: Nullable<string>
  processing_code: Nullable<string>
  cancellation_code: Nullable<string>
  next_query_at: Nullable<number>
  queries: Generated<number>
}

export interface PortalStatesTable {
  id: Generated<number>
  submission_id: number
  kind: 'processing' | 'cancellation'
  code: string
  description: string
  reason: Nullable<string>
  seen_at: number
}

export interface PortalCancellationsTable {
  id: Generated<number>
  book_id: number
  submission_id: number
  public_id: string
  reason: string
  state: 'waiting' | 'sent' | 'unknown' | 'asked' | 'refused'
  requested_by: string
  created_at: number
  lease_until: Nullable<number>
  attempts: Generated<number>
  next_attempt_at: Nullable<number>
  sent_at: Nullable<number>
  settled_at: Nullable<number>
  why: Nullable<string>
  detail: Nullable<string>
}

export interface SimulatedPortalInvoicesTable {
  book_id: number
  registry_number: string
  facts: string
}

export interface IntegrationsTables {
  erp_connections: ErpConnectionsTable
  erp_watermarks: ErpWatermarksTable
  erp_runs: ErpRunsTable
  erp_run_resources: ErpRunResourcesTable
  erp_calls: ErpCallsTable
  erp_contacts: ErpContactsTable
  erp_documents: ErpDocumentsTable
  erp_document_taxes: ErpDocumentTaxesTable
  erp_items: ErpItemsTable
  erp_rejects: ErpRejectsTable
  exchange_settings: ExchangeSettingsTable
  exchange_flows: ExchangeFlowsTable
  exchange_contacts: ExchangeContactsTable
  exchange_contents: ExchangeContentsTable
  exchange_documents: ExchangeDocumentsTable
  exchange_reports: ExchangeReportsTable
  exchange_messages: ExchangeMessagesTable
  exchange_items: ExchangeItemsTable
  exchange_facts: ExchangeFactsTable
  simulated_exchange: SimulatedExchangeTable
  exchange_confirmations: ExchangeConfirmationsTable
  portal_settings: PortalSettingsTable
  portal_directories: PortalDirectoriesTable
  portal_units: PortalUnitsTable
  portal_relations: PortalRelationsTable
  portal_submissions: PortalSubmissionsTable
  portal_states: PortalStatesTable
  portal_cancellations: PortalCancellationsTable
  simulated_portal_invoices: SimulatedPortalInvoicesTable
}
