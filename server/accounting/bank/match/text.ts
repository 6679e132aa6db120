/** Extracts invoice numbers, names and tax numbers from bank text, however it is truncated and spaced. Pure. */
import { searchText } from '../../../domain/text.ts'

const LEGAL_FORMS = new Set(
  'sl slu sll slne slp sa sau sal saa scp sc cb coop scoop scl sccl ltd limited gmbh ag inc llc bv nv sarl sas srl spa lda plc ug kg'.split(
    ' ',
  ),
)
const STOP_WORDS = new Set(
  'de del la las el los y e i en a al para por con the of and und und et le les des du da do dos don dona sociedad limitada anonima unipersonal cooperativa'.split(
    ' ',
  ),
)

/** Returns the folded words of a text, without punctuation. */
export function wordsOf(text: string): string[] {
  return searchText(text)
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
}

/**
 * Returns the distinctive words of a name: no legal form, no article. `S.L.` is split into two letters and removed
 * too.
 */
export function nameWords(name: string): string[] {
  return [
    ...new Set(
      searchText(name)
        .replace(/\b([a-z])\.\s?(?=[a-z]\b)/g, '$1')
        .split(/[^a-z0-9]+/)
        .filter((word) => word.length >= 3 && !LEGAL_FORMS.has(word) && !STOP_WORDS.has(word)),
    ),
  ]
}

/** Parsed text of a movement, computed once for all checks. */
export interface ReadText {
  folded: string
  words: ReadonlySet<string>
  list: readonly string[]
  /** Without blanks and punctuation. */
  compact: string
  digits: readonly string[]
  /** Numbers after "factura", "fra." and the like, without leading zeros. */
  quoted: ReadonlySet<string>
}

const QUOTED =
  /\b(?:facturas?|fras?|facts?|fac|invoices?|inv)\b[\s.:;#-]*(?:n(?:um(?:ero)?)?\b[\s.:ºo°-]*)?((?:[a-z0-9/.-]*\d[a-z0-9/.-]*)(?:\s*(?:,|y|e|\+|&|-)\s*\d[\d/.-]*)*)/g

export function readText(...parts: (string | null)[]): ReadText {
  const folded = searchText(parts.filter(Boolean).join(' '))
  const list = wordsOf(folded)
  const quoted = new Set<string>()
  for (const match of folded.matchAll(QUOTED))
    for (const run of (match[1] ?? '').match(/\d+/g) ?? []) quoted.add(run.replace(/^0+(?=\d)/, ''))
  return {
    folded,
    words: new Set(list),
    list,
    compact: list.join(''),
    digits: folded.match(/\d+/g) ?? [],
    quoted,
  }
}

/**
 * Returns the last run of digits of an invoice number without leading zeros, the key by which an invoice is looked
 * up.
 */
export function sequenceOf(number: string): string | null {
  return (
    searchText(number)
      .match(/\d+/g)
      ?.at(-1)
      ?.replace(/^0+(?=\d)/, '') ?? null
  )
}

/**
 * Returns the sequences that a text may contain, from the ends of its runs of digits: `20260012` ends in `0012`, so
 * in `12`.
 */
export function possibleSequences(text: ReadText): Set<string> {
  const found = new Set<string>()
  for (const run of text.digits.slice(0, 60)) {
    found.add(run.replace(/^0+(?=\d)/, ''))
    for (let length = 1; length < Math.min(run.length, 9); length++)
      found.add(run.slice(-length).replace(/^0+(?=\d)/, ''))
  }
  return found
}

const patterns = new Map<string, RegExp>()

/** Returns a pattern for the number as others write it: any separators or none, leading zeros or none. */
function patternOf(number: string): RegExp {
  let pattern = patterns.get(number)
  if (!pattern) {
    const segments = searchText(number).match(/[a-z]+|\d+/g) ?? []
    const source = segments
      .map((segment) => (/^\d/.test(segment) ? `0*${segment.replace(/^0+(?=\d)/, '')}` : segment))
      .join('[^a-z0-9]*')
    pattern = new RegExp(`(?<![a-z0-9])${source}(?![0-9])`)
    if (patterns.size > 20_000) patterns.clear()
    patterns.set(number, pattern)
  }
  return pattern
}

/**
 * Returns how a text names an invoice: by its whole `number`, or only by its `sequence` after "factura". Short
 * numbers such as 12 also occur in dates and amounts, so they count only when quoted.
 */
export function namesNumber(text: ReadText, number: string): 'number' | 'sequence' | null {
  const sequence = sequenceOf(number)
  if (sequence === null) return null
  const significant = searchText(number)
    .replace(/[^a-z0-9]/g, '')
    .replace(/^0+/, '')
  const isDistinctive = significant.length >= 4
  if (isDistinctive && patternOf(number).test(text.folded)) return 'number'
  // Invoice numbers of a test book start with T-, which payers leave out.
  if (isDistinctive && /^t-/i.test(number) && patternOf(number.slice(2)).test(text.folded)) return 'number'
  if (!text.quoted.has(sequence)) return null
  return isDistinctive || /[a-z]/.test(significant) ? 'sequence' : 'number'
}

/** Returns how much of a name a text contains; banks truncate names, so the last word may be only its beginning. */
export function namesParty(text: ReadText, words: readonly string[]): 'whole' | 'part' | null {
  if (words.length === 0) return null
  const here = words.filter((word) => text.words.has(word) || isCut(text, word)).length
  if (here === words.length && (words.length > 1 || (words[0] ?? '').length >= 4)) return 'whole'
  if (words.length >= 3 && here >= words.length - 1) return 'whole'
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '')
  if (here * 2 >= words.length && here > 0 && (text.words.has(longest) || here > 1)) return 'part'
  return null
}

function isCut(text: ReadText, word: string): boolean {
  return (
    word.length > 5 &&
    text.list.some((other) => other.length >= 5 && other.length < word.length && word.startsWith(other))
  )
}

/** Returns the part of a text that stays the same from month to month: its distinctive words, letters only. */
export function textKeyOf(text: string, counterparty: string | null): string | null {
  const words = wordsOf(counterparty ?? text).filter(
    (word) => !/\d/.test(word) && word.length >= 3 && !MONTHS.has(word),
  )
  const key = words.slice(0, 6).join(' ')
  return key.length >= 5 ? key : null
}

const MONTHS = new Set(
  'enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre ene feb mar abr may jun jul ago sep oct nov dic'.split(
    ' ',
  ),
)

/** Returns true when the text contains every word of the key in order. */
export function matchesKey(text: ReadText, key: string): boolean {
  const wanted = key.split(' ').filter((word) => word !== '')
  let next = 0
  for (const word of text.list) if (word === wanted[next]) next++
  return wanted.length > 0 && next === wanted.length
}
