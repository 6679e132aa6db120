/**
 * Rows of any table in bulk, for work that copies whole companies from one store to another: read in pages in the
 * order of their key, and written many at a time. Implemented by each engine.
 */
import type { EngineName } from './engines.ts'

/** A value of a row: whole numbers are safe integers. */
export type BulkValue = number | string | Buffer | null
export type BulkRow = BulkValue[]

export interface BulkColumn {
  name: string
  storage: 'integer' | 'text' | 'blob'
}

export interface BulkTable {
  name: string
  columns: readonly BulkColumn[]
  /** Names of the columns of the primary key, in its order. */
  key: readonly string[]
}

/** Bytes of values that are written with one statement, unless a single row has more. */
const BATCH_BYTES = 4 * 1024 * 1024
/** Rows that are read or written at a time; fewer of those with large values. */
const PAGE_ROWS = 500
const PAGE_ROWS_WITH_BYTES = 4

/** Returns the number of rows of a table to read at a time. */
export function pageRows({ columns }: Pick<BulkTable, 'columns'>): number {
  return columns.some(({ name, storage }) => storage === 'blob' && name === 'bytes')
    ? PAGE_ROWS_WITH_BYTES
    : PAGE_ROWS
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Reads rows. All reads of one reader see the same state. */
export interface BulkReader {
  readonly engine: EngineName
  /** Yields the rows that fulfil an SQL condition, with the columns of the table in their order. */
  pages(table: BulkTable, condition: string): AsyncIterable<BulkRow[]>
  /** Runs a query; for few rows. */
  select<Row extends object>(text: string, values?: readonly BulkValue[]): Promise<Row[]>
}

/** Writes rows in one transaction. */
export interface BulkWriter extends BulkReader {
  insert(table: BulkTable, rows: readonly BulkRow[]): Promise<void>
  /** Sets columns of rows; each row has the value of `id` first. */
  update(table: string, id: string, columns: readonly BulkColumn[], rows: readonly BulkRow[]): Promise<void>
  /** Runs a statement and returns the number of its rows. */
  execute(text: string, values?: readonly BulkValue[]): Promise<number>
}

/** Splits rows so that no batch has too many bytes. */
export function* batches(rows: readonly BulkRow[]): Generator<BulkRow[]> {
  let batch: BulkRow[] = []
  let bytes = 0
  for (const row of rows) {
    const size = row.reduce<number>((sum, value) => sum + sizeOf(value), 0)
    if (batch.length > 0 && bytes + size > BATCH_BYTES) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(row)
    bytes += size
  }
  if (batch.length > 0) yield batch
}

function sizeOf(value: BulkValue): number {
  return value === null || typeof value === 'number' ? 8 : value.length
}
