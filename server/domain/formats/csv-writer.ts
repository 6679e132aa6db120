/** Tables as text for a spreadsheet set to Spanish: semicolons, decimal commas, and no text that is taken for a formula. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** What a spreadsheet drops or skips before it decides whether a cell is a formula. */
const SKIPPED = /^[\s\u0000-\u0020\p{Cf}]*/u

/**
 * A text that a spreadsheet would run as a formula, with the mark that keeps it from doing so: also behind blanks, and where
 * its first character is the full-width or another form of one that begins formulas. Source: OWASP, CSV Injection.
 */
export function neutral(text: string): string {
  if (/^[\t\r\n]/.test(text)) return `'${text}`
  const [first = ''] = text.replace(SKIPPED, '')
  return /^[=+\-@|%]/.test(first.normalize('NFKC')) ? `'${text}` : text
}

/** A cell of text that somebody wrote. */
export function textCell(text: string): string {
  const safe = neutral(text)
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Two decimals after a comma. */
export function spanishNumber(value: number): string {
  return value.toFixed(2).replace('.', ',')
}

/** As many decimals as it has, at least two: prices have up to six. */
export function spanishPrice(value: number): string {
  const [whole = '', fraction = ''] = String(value).split('.')
  return `${whole},${fraction.padEnd(2, '0')}`
}

/** Percent as people write them: 21, and 5,2. */
export function spanishPercent(value: number): string {
  return String(value).replace('.', ',')
}

/** DD/MM/YYYY of a day written YYYY-MM-DD. */
export function spanishDate(day: string): string {
  return day.split('-').toReversed().join('/')
}

/** The file of rows whose cells are ready. The byte order mark says that it is UTF-8, so that a double click opens it right. */
export function csvFile(rows: readonly (readonly string[])[]): Buffer {
  return Buffer.from(`\ufeff${rows.map((row) => row.join(';')).join('\r\n')}\r\n`, 'utf8')
}

/** A column of a list that is exported; its cells are ready, as `textCell` and the others leave them. */
export interface CsvColumn<Row> {
  title: string
  cell: (row: Row) => string
}

/** The same file in pieces: a stretch of rows is in memory at a time, and none is read before it is asked for. */
export async function* csvStream<Row>(
  columns: readonly CsvColumn<Row>[],
  stretches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield csvFile([columns.map(({ title }) => title)])
  for await (const rows of stretches) {
    if (rows.length === 0) continue
    const lines = rows.map((row) => `${columns.map(({ cell }) => cell(row)).join(';')}\r\n`)
    yield Buffer.from(lines.join(''), 'utf8')
    // The store answers at once, so a fast reader would keep everybody else waiting.
    await nextTurn()
  }
}
