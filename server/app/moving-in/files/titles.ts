/** Titles of columns, and rows that are no data: titles above a table, subtotals, repeated headers. Pure. */
import { searchText } from '../../../domain/text.ts'
import { isBlank } from '../../../platform/spreadsheets/cells.ts'
import type { FileRow } from '../../../platform/spreadsheets/cells.ts'
import { textOf } from '../../../platform/spreadsheets/values.ts'

/** Returns a title without capitals, accents and punctuation. */
export function foldedTitle(title: string): string {
  return searchText(title)
    .replace(/[ºª°]/g, '')
    .replace(/[*:()"'^.,;?¿[\]]/g, ' ')
    .replace(/[_/\\-]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Returns the folded titles of a row. */
export const foldedRow = ({ cells }: FileRow): string[] => cells.map((cell) => foldedTitle(textOf(cell)))

/** Words with which a row of sums begins: `TOTAL`, `Subtotal enero`, `Suma y sigue`, `Totales`, `Sumas:`. */
const SUM_WORDS =
  /^(sub ?total(es)?|total(es)?|sumas?|suma y sigue|suma anterior|total general|grand total)\b/

/**
 * Returns true for a row of sums: a cell says so, and no cell is a date. `numberColumn` is that of the document's
 * number, which such a row has not.
 */
export function isSumRow(row: FileRow, numberColumn: number | undefined): boolean {
  const { cells } = row
  const first = cells.find((cell) => !isBlank(cell))
  if (first === undefined || first === null) return false
  const says = cells.some((cell) => typeof cell === 'string' && SUM_WORDS.test(foldedTitle(cell)))
  if (!says) return false
  const number = numberColumn === undefined ? '' : textOf(cells[numberColumn] ?? null)
  const hasNumber = number !== '' && !SUM_WORDS.test(foldedTitle(number))
  const hasDate = cells.some(
    (cell) => typeof cell === 'string' && /^\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}$/.test(cell.trim()),
  )
  return !hasNumber && !hasDate
}

/** Returns true for a row that repeats the header, as printed lists do on each page. */
export function isRepeatedHeader(row: FileRow, header: readonly string[]): boolean {
  const folded = foldedRow(row)
  let equal = 0
  let filled = 0
  for (const [index, title] of folded.entries()) {
    if (title === '') continue
    filled += 1
    if (title === header[index]) equal += 1
  }
  return filled >= 2 && equal >= 2 && equal >= filled * 0.8
}

/** Returns true for a row of words in one or two cells, such as a title between groups. */
export function isTitleRow({ cells }: FileRow, width: number): boolean {
  const filled = cells.filter((cell) => !isBlank(cell))
  return (
    width > 3 &&
    filled.length <= 2 &&
    filled.every((cell) => typeof cell === 'string' && !/^-?[\d.,]+$/.test(cell.trim()))
  )
}
