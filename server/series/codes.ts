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
const MIN_DIGITS = 4

/** The number as printed and registered everywhere: code, hyphen, at least four digits (`F2026-0001`). */
export function printedNumber(code: string, sequence: number): string {
  return `${code}-${String(sequence).padStart(MIN_DIGITS, '0')}`
}

/** Code of the series a kind of invoice gets in a year when none is named: `F2026`, in a test book `T-F2026`. */
export function defaultSeriesCode(mode: 'live' | 'test', kind: SeriesKind, year: number): string {
  return `${mode === 'test' ? TEST_PREFIX : ''}${KIND_LETTERS[kind]}${year}`
}

/** The kind a code is kept for, when it is the default code of some year; else null. */
export function kindReservedBy(code: string): SeriesKind | null {
  const match = /^(?:T-)?([FSRP])\d{4}$/i.exec(code)
  if (!match) return null
  const letter = match[1]?.toUpperCase()
  const kinds = Object.keys(KIND_LETTERS) as SeriesKind[]
  return kinds.find((kind) => KIND_LETTERS[kind] === letter) ?? null
}
