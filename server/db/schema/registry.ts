/**
 * Types of the tables of registry/. Generated from the migrations by `npm run generate`; comments and types that SQL
 * cannot express are in build/schema/rooms/registry.ts.
 */
import type { Generated } from 'kysely'
import type { Flag, Nullable } from './columns.ts'

export type SubmissionStatus =
  | 'pending'
  | 'sending'
  | 'accepted'
  | 'accepted_with_errors'
  | 'rejected'
  | 'unknown'

export type BatchOutcome =
  | 'running'
  | 'answered'
  | 'fault'
  | 'unreadable'
  | 'no_answer'
  | 'not_sent'
  | 'interrupted'

export interface RegistryChainsTable {
  book_id: number
  installation: string
  first_sequence: Generated<number>
  records: Generated<number>
  head_hash: Nullable<Uint8Array>
  head_issuer_nif: Nullable<string>
  head_number: Nullable<string>
  head_issue_date: Nullable<string>
  head_generated_at: Nullable<number>
  verified_at: Nullable<number>
  /** Sequence of the first record that fails verification; issuing stops while it is set. */
  broken_at: Nullable<number>
  /** Reason why issuing is suspended until a person decides. */
  held_for: Nullable<'restored_copy'>
  head_link: Nullable<string>
}

export interface RegistryInstallationsTable {
  installation: string
  book_id: number
  first_sequence: number
  reason: 'set_up' | 'restored_copy' | 'moved' | 'clock'
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
  link: Nullable<string>
}

export interface RegistrySubmissionsTable {
  record_id: number
  book_id: number
  status: SubmissionStatus
  attempts: Generated<number>
  batch_id: Nullable<number>
  answered_at: Nullable<number>
  csv: Nullable<string>
  csv_lost: Generated<Flag>
  authority_code: Nullable<string>
  message: Nullable<string>
  held_state: Nullable<'active' | 'cancelled'>
  conflict: Generated<Flag>
  closed: Generated<Flag>
}

export interface RegistryBatchesTable {
  id: Generated<number>
  book_id: number
  kind: 'submission' | 'query'
  records: number
  incident: Generated<Flag>
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
  wait_seconds: Generated<number>
  last_sent_at: Nullable<number>
  failures: Generated<number>
  next_attempt_at: Generated<number>
  batch_limit: Generated<number>
  fault_code: Nullable<string>
  fault_message: Nullable<string>
  stopped: Generated<Flag>
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

export interface RegistryTables {
  registry_chains: RegistryChainsTable
  registry_installations: RegistryInstallationsTable
  registry_records: RegistryRecordsTable
  registry_submissions: RegistrySubmissionsTable
  registry_batches: RegistryBatchesTable
  registry_attempts: RegistryAttemptsTable
  registry_flows: RegistryFlowsTable
  registry_findings: RegistryFindingsTable
  registry_counts: RegistryCountsTable
  simulator_records: SimulatorRecordsTable
}
