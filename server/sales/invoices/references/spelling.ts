/**
 * Spellings of invoice numbers: every spelling of a number of this book, and the printed number of another program.
 * Pure.
 */
import type { Mode } from '../../../context.ts'
import { TEST_PREFIX } from '../../../company/series/index.ts'

/** True when a number of this book belongs to a series; in a test book the `T-` may be left out. */
export function isOfSeries(series: string, number: string): boolean {
  return holdsSeries(series, number) || holdsSeries(TEST_PREFIX + series, number)
}

/** True when a number includes its series: `A2024-0007` of the series `A2024`. */
function holdsSeries(series: string, number: string): boolean {
  return number.toLowerCase().startsWith(series.toLowerCase())
}

/**
 * Returns the printed numbers of this book that a series and a number may mean, the likeliest first. The number may
 * include the series, as in every answer of the API; in a test book the `T-` may be left out.
 */
export function ownSpellings(series: string | null, number: string, mode: Mode): string[] {
  const texts = series === null ? [number] : [number, `${series}-${number}`, `${series}${number}`]
  const prefixed = mode === 'test' ? texts.map((text) => TEST_PREFIX + text) : []
  const all = [...texts, ...prefixed]
  // Series created by this program are in capitals; an imported one may not be.
  return [...new Set([...all, ...all.map((text) => text.toUpperCase())])]
}

const lettersAndDigits = (text: string): string => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Returns the printed numbers of series of this book with the letters and digits of a reference: separators do not
 * distinguish numbers.
 */
export function equivalentNumbers(
  codes: readonly string[],
  series: string | null,
  number: string,
  mode: Mode,
): string[] {
  const texts = (series === null ? [number] : [number, series + number]).map(lettersAndDigits)
  const all =
    mode === 'test' ? [...texts, ...texts.map((text) => lettersAndDigits(TEST_PREFIX) + text)] : texts
  return codes.flatMap((code) => {
    const start = lettersAndDigits(code)
    return all
      .filter((text) => text.startsWith(start) && /^\d{1,9}$/.test(text.slice(start.length)))
      .map((text) => `${code}-${text.slice(start.length)}`)
  })
}

/** Printed number of an invoice of another program, and how it follows from the input. */
type ExternalNumber = { number: string; from: 'number' | 'both' } | 'ambiguous'

/**
 * Joins series and number as the registry takes them. A number that includes its series stays as it is. If both
 * readings are possible (series 1, number 12; series F, number FAC-3) the result is `ambiguous`.
 */
export function externalNumber(series: string | null, number: string): ExternalNumber {
  if (series === null) return { number, from: 'number' }
  if (!holdsSeries(series, number)) return { number: `${series}${number}`, from: 'both' }
  const rest = number.slice(series.length)
  const hasSeparator = /^[-/._ ]/.test(rest) || (/[-/._ ]$/.test(series) && rest !== '')
  return hasSeparator || (/^\d/.test(rest) && /\D/.test(series)) ? { number, from: 'number' } : 'ambiguous'
}
