/** How series are named and numbers printed. Pure: the page may use it too. */

export type SeriesKind = 'ordinary' | 'simplified' | 'rectifying' | 'quote'

/** Begins the code of every series of a test book, so that a number shows at sight that it is not real. */
export const TEST_PREFIX = 'T-'

const KIND_LETTERS: Record<SeriesKind, string> = {
  ordinary: 'F',
  simplified: 'S',
  rectifying: 'R',
  quote: 'P',
}
/** What stands in a series of quotes; each counts for itself. */
export const QUOTE_LETTERS = { quote: 'P', proforma: 'PF', delivery_note: 'AL' } as const
const MIN_DIGITS = 4

/** The number as printed and registered everywhere: code, hyphen, at least four digits (`F2026-0001`). */
export function printedNumber(code: string, sequence: number): string {
  return `${code}-${String(sequence).padStart(MIN_DIGITS, '0')}`
}

/** Longer numbers are nobody's: a search stops here. */
const MAX_DIGITS = 9

/**
 * Which sequences of a series have a printed number that begins with `prefix`, as ranges with both ends: `F2026-01` is
 * 100 to 199 (`F2026-0100` and on). `'all'` when the text ends before the digits do begin; empty when it is of another series.
 */
export function sequencesBeginning(code: string, prefix: string): 'all' | [from: number, to: number][] {
  const start = `${code}-`
  if (start.startsWith(prefix)) return 'all'
  const digits = prefix.startsWith(start) ? prefix.slice(start.length) : ''
  if (!/^\d+$/.test(digits)) return []
  const ranges: [number, number][] = []
  for (let length = Math.max(MIN_DIGITS, digits.length); length <= MAX_DIGITS; length += 1) {
    // Only numbers of four digits are filled up with zeros.
    if (length > MIN_DIGITS && digits.startsWith('0')) break
    const scale = 10 ** (length - digits.length)
    ranges.push([Number(digits) * scale, (Number(digits) + 1) * scale - 1])
  }
  return ranges
}

/** Code of the series a kind of invoice gets in a year when none is named: `F2026`, in a test book `T-F2026`. */
export function defaultSeriesCode(mode: 'live' | 'test', kind: SeriesKind, year: number): string {
  return `${mode === 'test' ? TEST_PREFIX : ''}${KIND_LETTERS[kind]}${year}`
}

/** Code of the series a quote, proforma or delivery note gets in a year: `P2026`, `PF2026`, `AL2026`. */
export function quoteSeriesCode(
  mode: 'live' | 'test',
  kind: keyof typeof QUOTE_LETTERS,
  year: number,
): string {
  return `${mode === 'test' ? TEST_PREFIX : ''}${QUOTE_LETTERS[kind]}${year}`
}

/** The kind a code is kept for, when it is the default code of some year; else null. */
export function kindReservedBy(code: string): SeriesKind | null {
  const match = /^(?:T-)?([FSRP]|PF|AL)\d{4}$/i.exec(code)
  if (!match) return null
  const letter = match[1]?.toUpperCase()
  if (letter === QUOTE_LETTERS.proforma || letter === QUOTE_LETTERS.delivery_note) return 'quote'
  const kinds = Object.keys(KIND_LETTERS) as SeriesKind[]
  return kinds.find((kind) => KIND_LETTERS[kind] === letter) ?? null
}

const YEAR = '{YYYY}'

/** The code of a series that begins anew each year, in a year: `TIENDA{YYYY}` is `TIENDA2026`. */
export function codeOfYear(pattern: string, year: number): string {
  return pattern.replace(YEAR, String(year))
}

/** A code as a pattern: written with `{YYYY}`, or with the year itself. Null when it holds neither. */
export function patternOf(code: string, year: number): string | null {
  if (code.includes(YEAR)) return code
  return code.includes(String(year)) ? code.replace(String(year), YEAR) : null
}
