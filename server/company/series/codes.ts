/** Names series and prints numbers. Pure, so the page can use it too. */

export type SeriesKind = 'ordinary' | 'simplified' | 'rectifying' | 'quote'

/** Prefix of every series code of a test book, so that a number visibly is not real. */
export const TEST_PREFIX = 'T-'

const KIND_LETTERS: Record<SeriesKind, string> = {
  ordinary: 'F',
  simplified: 'S',
  rectifying: 'R',
  quote: 'P',
}
/** Letters of the series of quotes; each kind has its own numbers. */
const QUOTE_LETTERS = { quote: 'P', proforma: 'PF', delivery_note: 'AL' } as const
const MIN_DIGITS = 4

/** Returns the number as printed and registered everywhere: code, hyphen, at least four digits (`F2026-0001`). */
export function printedNumber(code: string, sequence: number): string {
  return `${code}-${String(sequence).padStart(MIN_DIGITS, '0')}`
}

/** Longer numbers do not occur: a search stops here. */
const MAX_DIGITS = 9

/**
 * Returns the sequences of a series whose printed number begins with `prefix`, as ranges with both ends: `F2026-01`
 * is 100 to 199 (`F2026-0100` and on). `'all'` when the prefix ends before the digits begin; empty when it is of
 * another series.
 */
export function sequencesBeginning(code: string, prefix: string): 'all' | [from: number, to: number][] {
  const start = `${code}-`
  if (start.startsWith(prefix)) return 'all'
  const digits = prefix.startsWith(start) ? prefix.slice(start.length) : ''
  if (!/^\d+$/.test(digits)) return []
  const ranges: [number, number][] = []
  for (let length = Math.max(MIN_DIGITS, digits.length); length <= MAX_DIGITS; length += 1) {
    // Only numbers of up to four digits are padded with zeros.
    if (length > MIN_DIGITS && digits.startsWith('0')) break
    const scale = 10 ** (length - digits.length)
    ranges.push([Number(digits) * scale, (Number(digits) + 1) * scale - 1])
  }
  return ranges
}

/** Returns the default series code of a kind of invoice in a year: `F2026`, in a test book `T-F2026`. */
export function defaultSeriesCode(mode: 'live' | 'test', kind: SeriesKind, year: number): string {
  return `${mode === 'test' ? TEST_PREFIX : ''}${KIND_LETTERS[kind]}${year}`
}

/** Returns the series code of a quote, proforma or delivery note in a year: `P2026`, `PF2026`, `AL2026`. */
export function quoteSeriesCode(
  mode: 'live' | 'test',
  kind: keyof typeof QUOTE_LETTERS,
  year: number,
): string {
  return `${mode === 'test' ? TEST_PREFIX : ''}${QUOTE_LETTERS[kind]}${year}`
}

/** Returns the kind that a code is reserved for, when it is the default code of some year; else null. */
export function kindReservedBy(code: string): SeriesKind | null {
  const match = /^(?:T-)?([FSRP]|PF|AL)\d{4}$/i.exec(code)
  if (!match) return null
  const letter = match[1]?.toUpperCase()
  if (letter === QUOTE_LETTERS.proforma || letter === QUOTE_LETTERS.delivery_note) return 'quote'
  const kinds = Object.keys(KIND_LETTERS) as SeriesKind[]
  return kinds.find((kind) => KIND_LETTERS[kind] === letter) ?? null
}

const YEAR = '{YYYY}'

/** Returns the code of a yearly series in a year: `TIENDA{YYYY}` gives `TIENDA2026`. */
export function codeOfYear(pattern: string, year: number): string {
  return pattern.replace(YEAR, String(year))
}

/** Returns a code as a pattern, from `{YYYY}` or from the year itself. Null when it contains neither. */
export function patternOf(code: string, year: number): string | null {
  if (code.includes(YEAR)) return code
  return code.includes(String(year)) ? code.replace(String(year), YEAR) : null
}
