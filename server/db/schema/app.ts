/**
 * Types of the tables of app/. Generated from the migrations by `npm run generate`; comments and types that SQL
 * cannot express are in build/schema/rooms/app.ts.
 */
import type { Generated } from 'kysely'
import type { Flag, Nullable } from './columns.ts'

export type BulkKind = 'pack' | 'export' | 'close' | 'remind' | 'certificate' | 'assign'

export type UnitState = 'queued' | 'running' | 'done' | 'failed' | 'skipped' | 'cancelled'

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

/** What the console shows of a company; derived from the facts of its live book. */
export interface CompanySummariesTable {
  company_id: number
  /** `SummaryFacts` as JSON. */
  facts: Nullable<string>
  computed_at: Nullable<number>
  computed_on: Nullable<string>
  stale_since: Nullable<number>
  taken: Generated<Flag>
}

export interface CompanyCareTable {
  company_id: number
  assignee_id: Nullable<string>
  assignee_name: Nullable<string>
  assigned_at: Nullable<number>
  note_text: Nullable<string>
  note_by: Nullable<string>
  note_at: Nullable<number>
  notes: Generated<number>
}

export interface CompanyNotesTable {
  id: Generated<number>
  company_id: number
  public_id: string
  text: string
  author_id: string
  author_name: string
  created_at: number
}

export interface BulkUnitsTable {
  id: Generated<number>
  company_id: number
  run_id: string
  position: number
  kind: BulkKind
  input: string
  secret: Nullable<string>
  asked_by: string
  asked_by_name: string
  state: Generated<UnitState>
  attempts: Generated<number>
  code: Nullable<string>
  outcome: Nullable<string>
  file_bytes: Nullable<number>
  created_at: number
  started_at: Nullable<number>
  ended_at: Nullable<number>
}

export interface BulkFilesTable {
  unit_id: number
  name: string
  sha256: Uint8Array
  bytes: Uint8Array
}

export interface BundlePairingsTable {
  id: Generated<number>
  company_id: number
  public_id: string
  side: 'client' | 'adviser'
  state: Generated<'invited' | 'joined' | 'active' | 'ended'>
  secret_keys: string
  own_keys: string
  peer_keys: Nullable<string>
  client_name: string
  client_nif: Nullable<string>
  client_company: string
  adviser_name: Nullable<string>
  adviser_person: Nullable<string>
  sent: Generated<number>
  received: Generated<number>
  received_hash: Nullable<string>
  changes: Generated<number>
  files_there: Generated<number>
  created_at: number
  ended_at: Nullable<number>
}

export interface BundleFilesTable {
  pairing_id: number
  number: number
  hash: string
  files_upto: number
  size: number
  at: number
  note: Nullable<string>
}

export interface BundleChangesTable {
  id: Generated<number>
  pairing_id: number
  public_id: string
  number: number
  book: string
  operation: string
  input: string
  created: Nullable<string>
  created_there: Nullable<string>
  person_id: string
  person_name: string
  made_at: number
  state: Generated<'waiting' | 'taken' | 'rejected'>
  summary: Generated<string>
  problem: Nullable<string>
  sent_in: Nullable<number>
  decided_at: Nullable<number>
  decided_by: Nullable<string>
  note: Nullable<string>
}

export interface NotesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  target_type: 'invoice' | 'quote' | 'received' | 'contact' | 'return' | 'transaction'
  /** Public identifier; of a return its model and period. */
  target_id: string
  target_label: string
  /** Empty once the note is removed. */
  text: string
  author_id: string
  author_name: string
  created_at: number
  edited_at: Nullable<number>
  deleted_at: Nullable<number>
  version: Generated<number>
}

export interface NoteMentionsTable {
  note_id: number
  person_id: string
  name: string
}

export interface TasksTable {
  id: Generated<number>
  book_id: number
  public_id: string
  target_type: Nullable<'invoice' | 'quote' | 'received' | 'contact' | 'return' | 'transaction'>
  target_id: Nullable<string>
  target_label: Nullable<string>
  title: string
  due_on: Nullable<string>
  /** Null: whoever has the time. */
  assignee_id: Nullable<string>
  assignee_name: Nullable<string>
  created_by: string
  created_by_name: string
  created_at: number
  done_at: Nullable<number>
  done_by: Nullable<string>
  done_by_name: Nullable<string>
  version: Generated<number>
}

export interface MovingRunsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  state: 'draft' | 'applying' | 'applied' | 'done' | 'undoing' | 'undone'
  /** YYYY-MM-DD. */
  first_day: string
  /** JSON: `MovingSettings` of app/moving-in. */
  settings: string
  /** JSON list of the totals of filed returns, and why a difference stands. */
  proof: string
  documents: Generated<number>
  created: Generated<number>
  skipped: Generated<number>
  removed: Generated<number>
  created_at: number
  finished_at: Nullable<number>
}

export interface MovingFilesTable {
  id: Generated<number>
  run_id: number
  public_id: string
  position: number
  name: string
  sha256: Uint8Array
  bytes: number
  state: 'reading' | 'read' | 'refused'
  /** JSON: what the file is, of which program, and how sure that is. */
  recognition: string
  /** JSON: columns and questions that a person decided. */
  answers: string
  /** JSON: sums by side and month. */
  summary: string
  waiting: Generated<number>
  failed: Generated<number>
  created: Generated<number>
  skipped: Generated<number>
  created_at: number
}

export interface MovingRowsTable {
  file_id: number
  position: number
  kind: Generated<'contact' | 'item' | 'document' | 'open' | 'bank' | 'account' | 'asset'>
  /** JSON: `HistoryDocument`, or a row of another list by `kind`. */
  document: Nullable<string>
  document_key: Nullable<string>
  label: string
  outcome: Nullable<'created' | 'skipped' | 'failed'>
  faults: Nullable<string>
}

export interface MovingRecordsTable {
  run_id: number
  kind: 'contact' | 'item' | 'payment' | 'open' | 'bank' | 'account' | 'entry' | 'filing' | 'asset'
  record_id: number
  version: Nullable<number>
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
  company_summaries: CompanySummariesTable
  company_care: CompanyCareTable
  company_notes: CompanyNotesTable
  bulk_units: BulkUnitsTable
  bulk_files: BulkFilesTable
  bundle_pairings: BundlePairingsTable
  bundle_files: BundleFilesTable
  bundle_changes: BundleChangesTable
  notes: NotesTable
  note_mentions: NoteMentionsTable
  tasks: TasksTable
  moving_runs: MovingRunsTable
  moving_files: MovingFilesTable
  moving_rows: MovingRowsTable
  moving_records: MovingRecordsTable
}
