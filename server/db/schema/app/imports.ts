/** Types of the tables of migrations/0001/imports.ts. */
import type { Generated } from 'kysely'
import type { Defaulted, Nullable } from '../columns.ts'

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
  taken: Defaulted<number>
  created: Defaulted<number>
  updated: Defaulted<number>
  skipped: Defaulted<number>
  failed: Defaulted<number>
  restored: Defaulted<number>
  kept: Defaulted<number>
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

export interface ImportsTables {
  import_runs: ImportRunsTable
  import_chunks: ImportChunksTable
  import_rows: ImportRowsTable
}
