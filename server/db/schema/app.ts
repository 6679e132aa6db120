/**
 * Types of the tables of app/. Generated from the migrations by `npm run generate`; comments and types that SQL
 * cannot express are in build/schema/rooms/app.ts.
 */
import type { Generated } from 'kysely'
import type { Flag, Nullable } from './columns.ts'

export interface ApprovalsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  key_id: number
  channel: 'rest' | 'mcp'
  action: 'issue' | 'cancel' | 'amend'
  invoice_id: number
  content_hash: Uint8Array
  token_hash: Uint8Array
  summary: string
  status: Generated<'pending' | 'approved' | 'denied' | 'withdrawn'>
  created_at: number
  expires_at: number
  decided_at: Nullable<number>
  note: Nullable<string>
}

export interface ToolCallsTable {
  id: Generated<number>
  key_id: number
  at: number
  client: Nullable<string>
  tool: string
  arguments: string
  outcome: 'ok' | 'refused' | 'failed'
  code: Nullable<string>
  answer: string
  invoice_id: Nullable<string>
  seen: string
  ms: number
  request_id: string
}

export interface KeyClientsTable {
  key_id: number
  name: string
  version: Nullable<string>
  at: number
}

export interface ImportRunsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  kind: 'contacts' | 'items' | 'received'
  state: 'draft' | 'running' | 'done' | 'undoing' | 'undone'
  file_name: string
  sha256: Uint8Array
  format: 'csv' | 'xlsx'
  titles: string
  mapping: string
  options: string
  first_row: number
  rows: number
  taken: Generated<number>
  created: Generated<number>
  updated: Generated<number>
  skipped: Generated<number>
  failed: Generated<number>
  restored: Generated<number>
  kept: Generated<number>
  created_at: number
  finished_at: Nullable<number>
}

export interface ImportChunksTable {
  run_id: number
  position: number
  cells: string
}

export interface ImportRowsTable {
  run_id: number
  row: number
  outcome: 'created' | 'updated' | 'skipped' | 'failed'
  target_id: Nullable<number>
  target_version: Nullable<number>
  before: Nullable<string>
  faults: Nullable<string>
  undo: Nullable<'restored' | 'kept'>
}

export interface SecondPersonRulesTable {
  company_id: number
  issue_above_cents: Nullable<number>
  closing: Generated<Flag>
  bank_accounts: Generated<Flag>
  version: Generated<number>
  set_at: number
  set_by: string
}

export interface SecondPersonRequestsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  operation: string
  input: string
  summary: string
  content_hash: Uint8Array
  asked_by: string
  asked_by_name: string
  status: Generated<'pending' | 'approved' | 'denied' | 'withdrawn'>
  created_at: number
  expires_at: number
  decided_at: Nullable<number>
  decided_by: Nullable<string>
  decided_by_name: Nullable<string>
  note: Nullable<string>
}

export interface AppTables {
  approvals: ApprovalsTable
  tool_calls: ToolCallsTable
  key_clients: KeyClientsTable
  import_runs: ImportRunsTable
  import_chunks: ImportChunksTable
  import_rows: ImportRowsTable
  second_person_rules: SecondPersonRulesTable
  second_person_requests: SecondPersonRequestsTable
}
