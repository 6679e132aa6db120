/**
 * Types of the tables of integrations/. Generated from the migrations by `npm run generate`; comments and types that SQL
 * cannot express are in build/schema/rooms/integrations.ts.
 */
import type { Generated } from 'kysely'
import type { Flag, Nullable } from './columns.ts'

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
}
