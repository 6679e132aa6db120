/** Cells and rows of tables, as the readers of CSV and Excel files return them. Cells are data: formulas are never evaluated. */

/** A parsed cell; a spreadsheet date is YYYY-MM-DD. */
export type Cell = string | number | boolean | null

export interface FileRow {
  /** Row of the file, from 1. */
  row: number
  cells: Cell[]
}

export const isBlank = (cell: Cell): boolean =>
  cell === null || (typeof cell === 'string' && cell.trim() === '')

/** Reason why a file is no table that can be read. */
export type SpreadsheetFault =
  | 'unknown'
  | 'too_large'
  | 'too_many_rows'
  | 'old_excel'
  /** Encrypted with a password: as an Excel file, or as an archive. */
  | 'protected'

export class UnreadableSpreadsheet extends Error {
  readonly why: SpreadsheetFault
  constructor(why: SpreadsheetFault) {
    super(why)
    this.name = 'UnreadableSpreadsheet'
    this.why = why
  }
}
