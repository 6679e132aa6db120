/** Dated facts: rows with their validity and their source, read by day. Nothing of the law is a constant in an `if`. */
import type { BusinessDate } from '../../domain/dates.ts'

export interface Dated {
  from: BusinessDate
  /** Last day, included; null while it is in force. */
  to: BusinessDate | null
  /** Law, article and where it was published. */
  source: string
  /** False where the row comes from memory of the law or the press, and the official gazette could not be read. */
  certain?: false
}

/** The rows in force on a day, in the order of the table. */
export function inForce<Row extends Pick<Dated, 'from' | 'to'>>(
  rows: readonly Row[],
  date: BusinessDate,
): Row[] {
  return rows.filter((row) => row.from <= date && (row.to === null || date <= row.to))
}

/** The row of a day among rows that follow each other; the first one before the table begins. */
export function rowAt<Row extends Dated>(rows: readonly [Row, ...Row[]], date: BusinessDate): Row {
  return inForce(rows, date)[0] ?? (date < rows[0].from ? rows[0] : (rows.at(-1) ?? rows[0]))
}
