/** How a series and a number name an invoice: every spelling of one of this book, and what one of another program prints. Pure. */
import type { Mode } from '../../../context.ts'
import { TEST_PREFIX } from '../../../company/series/index.ts'

/** Whether a number of this book is one of a series; in a test book the `T-` may be left out. */
export function isOfSeries(series: string, number: string): boolean {
  return holdsSeries(series, number) || holdsSeries(TEST_PREFIX + series, number)
}

/** Whether a number holds its series already: `A2024-0007` of the series `A2024`. */
function holdsSeries(series: string, number: string): boolean {
  return number.toLowerCase().startsWith(series.toLowerCase())
}

/**
 * The printed numbers of this book that a series and a number may mean, the likeliest first. The number may hold the
 * series already, as every answer of the API does; in a test book the `T-` may be left out.
 */
export function ownSpellings(series: string | null, number: string, mode: Mode): string[] {
  const texts = series === null ? [number] : [number, `${series}-${number}`, `${series}${number}`]
  const prefixed = mode === 'test' ? texts.map((text) => TEST_PREFIX + text) : []
  const all = [...texts, ...prefixed]
  // Series made by this program are in capitals; one taken over as it was may not be.
  return [...new Set([...all, ...all.map((text) => text.toUpperCase())])]
}

const lettersAndDigits = (text: string): string => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')

/** The printed numbers of series of this book that have the letters and digits of a reference: separators tell no two apart. */
export function alikeSpellings(
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

/** The number that an invoice of another program prints, and how it follows from what was given. */
type ExternalNumber = { number: string; from: 'number' | 'both' } | 'ambiguous'

/**
 * Puts series and number together as the registry takes them. A number that holds its series stays as it is. Where both
 * readings are possible (series 1, number 12; series F, number FAC-3) the answer is `ambiguous`.
 */
export function externalNumber(series: string | null, number: string): ExternalNumber {
  if (series === null) return { number, from: 'number' }
  if (!holdsSeries(series, number)) return { number: `${series}${number}`, from: 'both' }
  const rest = number.slice(series.length)
  const hasSeparator = /^[-/._ ]/.test(rest) || (/[-/._ ]$/.test(series) && rest !== '')
  return hasSeparator || (/^\d/.test(rest) && /\D/.test(series)) ? { number, from: 'number' } : 'ambiguous'
}
