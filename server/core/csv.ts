/** Tables as text for a spreadsheet set to Spanish: semicolons, decimal commas, and no text that is taken for a formula. */

/** A text that a spreadsheet would run as a formula, with the mark that keeps it from doing so. */
export function neutral(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
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

/** DD/MM/YYYY of a day written YYYY-MM-DD. */
export function spanishDate(day: string): string {
  return day.split('-').toReversed().join('/')
}

/** The file of rows whose cells are ready. The byte order mark says that it is UTF-8, so that a double click opens it right. */
export function csvFile(rows: readonly (readonly string[])[]): Buffer {
  return Buffer.from(`\ufeff${rows.map((row) => row.join(';')).join('\r\n')}\r\n`, 'utf8')
}
