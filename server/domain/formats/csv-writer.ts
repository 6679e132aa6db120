/** CSV tables for a spreadsheet set to Spanish: semicolons, decimal commas, and protection against formula injection. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Characters that a spreadsheet drops or skips before it decides whether a cell is a formula. */
const SKIPPED = /^[\s\u0000-\u0020\p{Cf}]*/u

/**
 * Prefixes a text that a spreadsheet would run as a formula with the mark that prevents it, also after blanks and for
 * full-width or other variants of the characters that begin a formula. Source: OWASP, CSV Injection.
 */
export function neutralizeFormula(text: string): string {
  if (/^[\t\r\n]/.test(text)) return `'${text}`
  const [first = ''] = text.replace(SKIPPED, '')
  return /^[=+\-@|%]/.test(first.normalize('NFKC')) ? `'${text}` : text
}

/** Returns a cell of user-supplied text. */
export function textCell(text: string): string {
  const safe = neutralizeFormula(text)
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Formats a number with two decimals after a comma. */
export function spanishNumber(value: number): string {
  return value.toFixed(2).replace('.', ',')
}

/** Formats a number with all its decimals, at least two: prices have up to six. */
export function spanishPrice(value: number): string {
  const [whole = '', fraction = ''] = String(value).split('.')
  return `${whole},${fraction.padEnd(2, '0')}`
}

/** Formats a percentage without trailing zeros: 21, and 5,2. */
export function spanishPercent(value: number): string {
  return String(value).replace('.', ',')
}

/** Formats a day written YYYY-MM-DD as DD/MM/YYYY. */
export function spanishDate(day: string): string {
  return day.split('-').toReversed().join('/')
}

/**
 * Returns the file of rows whose cells are ready. The byte order mark declares UTF-8, so that a double click opens it
 * correctly.
 */
export function csvFile(rows: readonly (readonly string[])[]): Buffer {
  return Buffer.from(`\ufeff${rows.map((row) => row.join(';')).join('\r\n')}\r\n`, 'utf8')
}

/** A column of an exported list; its cells are ready for the file, as returned by `textCell` and the other functions. */
export interface CsvColumn<Row> {
  title: string
  cell: (row: Row) => string
}

/** Returns the same file in pieces: one batch of rows is in memory at a time, and none is read before it is requested. */
export async function* csvStream<Row>(
  columns: readonly CsvColumn<Row>[],
  stretches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield csvFile([columns.map(({ title }) => title)])
  for await (const rows of stretches) {
    if (rows.length === 0) continue
    const lines = rows.map((row) => `${columns.map(({ cell }) => cell(row)).join(';')}\r\n`)
    yield Buffer.from(lines.join(''), 'utf8')
    // The store answers synchronously, so that a fast reader would block all other work.
    await nextTurn()
  }
}
