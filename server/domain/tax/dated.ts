/** Dated rules: rows with validity and source, read by day. No legal value is a constant in an `if`. */
import type { BusinessDate } from '../dates.ts'

export interface Dated {
  from: BusinessDate
  /** Last day, included; null while it is in force. */
  to: BusinessDate | null
  /** Law, article and place of publication. */
  source: string
  /** False when the row comes from secondary sources and was not checked in the official gazette. */
  certain?: false
}

/** Returns the rows in force on a day, in table order. */
export function inForce<Row extends Pick<Dated, 'from' | 'to'>>(
  rows: readonly Row[],
  date: BusinessDate,
): Row[] {
  return rows.filter((row) => row.from <= date && (row.to === null || date <= row.to))
}

/** Returns the row of a day among consecutive rows; the first one for days before the table begins. */
export function rowAt<Row extends Dated>(rows: readonly [Row, ...Row[]], date: BusinessDate): Row {
  return inForce(rows, date)[0] ?? (date < rows[0].from ? rows[0] : (rows.at(-1) ?? rows[0]))
}
