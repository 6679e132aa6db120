/** Columns with sealed values: each slice declares its own, so that they can be sealed again under another key. */

/** A value of a row that a place may contain. */
export type Cell = string | number | bigint | null

export interface SealedColumn {
  table: string
  column: string
  /** Columns that identify a row. */
  key: readonly string[]
  /** Further columns that `place` reads. */
  reads?: readonly string[]
  /** SQL condition for rows with a sealed value; default: the column is not null. */
  rows?: string
  /** Returns the location for which the value was sealed; the row includes the value itself. */
  place: (row: Record<string, Cell>) => string
  /** Access to the sealed text if it is only a part of the column. */
  within?: { read: (cell: string) => string; write: (cell: string, sealed: string) => string }
}
