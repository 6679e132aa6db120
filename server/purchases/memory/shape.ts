/** What is remembered of a supplier's documents, and the shapes of its numbers and dates. Pure. */

/** Fields whose place is remembered. */
export const PLACED_FIELDS = ['supplierNumber', 'issueDate', 'dueDate'] as const
export type PlacedField = (typeof PLACED_FIELDS)[number]

/** Values that a supplier's documents usually have, as texts. */
export const USUAL_FIELDS = [
  'supplierName',
  'kind',
  'concept',
  'account',
  'deductiblePct',
  'paymentMethod',
  'withholding',
  'termDays',
  'currency',
] as const
export type UsualField = (typeof USUAL_FIELDS)[number]

interface Usual {
  value: string
  /** Documents entered with it, one after the other. */
  streak: number
}

/** Where a field stands in one layout. */
export interface FieldRule {
  field: PlacedField
  label: string
  /** Shapes of its values, such as `PI\d{11}` (see `shapeOf`). */
  shapes: string[]
  /** Documents entered without a correction of the field since the last one; `SURE_AFTER` make it known. */
  streak: number
  hits: number
  misses: number
}

export interface KnownLayout {
  /** Digests of the words that the heads of all its documents have in common. */
  print: string[]
  documents: number
  rules: FieldRule[]
}

interface KnownIban {
  iban: string
  documents: number
  lastOn: string
}

export interface SupplierMemory {
  /** Newest first. */
  layouts: KnownLayout[]
  usual: Partial<Record<UsualField, Usual>>
  /** VAT rates in percent. */
  rates: number[]
  ibans: KnownIban[]
  /** Digests of words, each with the number of documents that have it. */
  words: Record<string, number>
  /** For each field: how often it was shown, shown as sure, corrected, and corrected although it was shown as sure. */
  fields: Record<string, FieldCounts>
}

interface FieldCounts {
  shown: number
  sure: number
  corrected: number
  sureCorrected: number
}

/** Documents entered without a correction after which a rule is sure. */
export const SURE_AFTER = 2

export const MOST_LAYOUTS = 4
export const MOST_RULES = 12
export const MOST_SHAPES = 3
export const MOST_IBANS = 5
export const MOST_RATES = 6
export const MOST_TERMS = 80
/** In characters of JSON. */
export const MOST_MEMORY = 64 * 1024

export function emptyMemory(): SupplierMemory {
  return { layouts: [], usual: {}, rates: [], ibans: [], words: {}, fields: {} }
}

const ESCAPED = /\\([dl])\{(\d+)(?:,(\d+))?\}|([^\\])/g

interface Part {
  kind: 'digits' | 'letters' | 'text'
  text: string
  least: number
  most: number
}

/**
 * Returns the shape of a number: letters and signs as they are, digits as `\d{n}`. `FV-2026/0042` has the shape
 * `FV-\d{4}/\d{4}`.
 */
export function shapeOf(value: string): string {
  return value
    .toUpperCase()
    .replace(/\s+/g, '')
    .replaceAll('\\', '/')
    .replace(/\d+/g, (digits) => `\\d{${digits.length}}`)
}

const MONTH_NAME = /\p{L}{3,}/gu

/** Returns the shape of a day as printed: `5/1/2026` is `n/n/yyyy`, `5 de enero de 2026` is `n mes yyyy`. */
export function dateStyleOf(text: string): string {
  return text
    .replace(/(?<!\p{L})(?:de|del|d|of|do)(?!\p{L})['’]?/giu, ' ')
    .replace(MONTH_NAME, 'mes')
    .replace(/\d{4}/g, 'yyyy')
    .replace(/\d{1,2}/g, 'n')
    .replace(/\s+/g, ' ')
    .replace(/ ?([-/.,]) ?/g, '$1')
    .trim()
}

function partsOf(shape: string): Part[] {
  const parts: Part[] = []
  for (const [, kind, least, most, text] of shape.matchAll(ESCAPED)) {
    const last = parts.at(-1)
    if (text === undefined) {
      const from = Number(least)
      parts.push({
        kind: kind === 'd' ? 'digits' : 'letters',
        text: '',
        least: from,
        most: Number(most ?? least),
      })
    } else if (last?.kind === 'text') last.text += text
    else parts.push({ kind: 'text', text, least: 0, most: 0 })
  }
  return parts
}

function written(parts: readonly Part[]): string {
  return parts
    .map(({ kind, text, least, most }) =>
      kind === 'text'
        ? text
        : `\\${kind === 'digits' ? 'd' : 'l'}{${least === most ? least : `${least},${most}`}}`,
    )
    .join('')
}

/** Returns the shape that both have; null if they differ by more than the count of digits or by letters of one length. */
export function commonShape(one: string, other: string): string | null {
  const [first, second] = [partsOf(one), partsOf(other)]
  if (first.length !== second.length) return null
  const parts: Part[] = []
  for (const [index, part] of first.entries()) {
    const twin = second[index]!
    const lengths = [part, twin].map((each) => (each.kind === 'text' ? each.text.length : each.least))
    if (part.kind === 'digits' || twin.kind === 'digits') {
      if (part.kind !== twin.kind) return null
      parts.push({
        kind: 'digits',
        text: '',
        least: Math.min(part.least, twin.least),
        most: Math.max(part.most, twin.most),
      })
    } else if (part.kind === 'text' && part.text === twin.text) parts.push(part)
    else {
      const areLetters = [part, twin].every(({ kind, text }) => kind === 'letters' || /^[A-Z]+$/.test(text))
      if (!areLetters || lengths[0] !== lengths[1]) return null
      parts.push({ kind: 'letters', text: '', least: lengths[0]!, most: lengths[0]! })
    }
  }
  return written(parts)
}

/** Characters that OCR takes for a digit, and digits that it takes for a letter. */
const FOR_DIGIT: Record<string, string> = { O: '0', Q: '0', D: '0', I: '1', L: '1', '|': '1', Z: '2', S: '5', G: '6', B: '8' } // prettier-ignore
const LETTERS_FOR: Record<string, string> = { I: 'I1L|', L: 'L1I', O: 'O0Q', S: 'S5', B: 'B8', Z: 'Z2', G: 'G6', D: 'D0', Q: 'Q0' } // prettier-ignore

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/**
 * Returns a number as its shape has it; null if it has another shape. With `repair`, characters that OCR confuses count as
 * the one that the shape has: `P100042` is `PI00042` where the shape is `PI\d{5}`.
 */
export function fitted(value: string, shape: string, { repair }: { repair: boolean }): string | null {
  const parts = partsOf(shape)
  const pattern = parts
    .map(({ kind, text, least, most }) => {
      if (kind === 'digits')
        return `([0-9${repair ? Object.keys(FOR_DIGIT).join('') : ''}]{${least},${most}})`
      if (kind === 'letters') return `([A-ZÑ]{${least}})`
      const each = [...text].map((letter) =>
        repair && LETTERS_FOR[letter] ? `[${escaped(LETTERS_FOR[letter])}]` : escaped(letter),
      )
      return `(${each.join('')})`
    })
    .join('')
  const match = new RegExp(`^${pattern}$`).exec(value.toUpperCase().replace(/\s+/g, ''))
  if (!match) return null
  return parts
    .map(({ kind, text }, index) => {
      const found = match[index + 1] ?? ''
      if (kind === 'text') return text
      return kind === 'letters' ? found : found.replace(/[^0-9]/g, (letter) => FOR_DIGIT[letter] ?? letter)
    })
    .join('')
}

/** Share of the words of a layout that a document of it has. */
const SAME_LAYOUT = 0.6
/** Fewer words say nothing. */
const LEAST_WORDS = 4

/** Returns the layout of a document; null if it is of none that is known. */
export function layoutFor(memory: SupplierMemory, print: readonly string[]): KnownLayout | null {
  const here = new Set(print)
  let best: KnownLayout | null = null
  let most = 0
  for (const layout of memory.layouts) {
    if (layout.print.length < LEAST_WORDS) continue
    const share = layout.print.filter((word) => here.has(word)).length / layout.print.length
    if (share >= SAME_LAYOUT && share > most) [best, most] = [layout, share]
  }
  return best
}

/** Returns the words that two documents of a layout have in common; those of the first if that would leave too few. */
export function commonPrint(known: readonly string[], print: readonly string[]): string[] {
  const here = new Set(print)
  const both = known.filter((word) => here.has(word))
  return both.length >= LEAST_WORDS ? both : [...known]
}

/** Returns true if two labels are the same words, but for one letter in eight that OCR took for another. */
export function isSameLabel(one: string, other: string): boolean {
  if (one === other) return true
  const [a, b] = [one.replaceAll(' ', ''), other.replaceAll(' ', '')]
  const allowed = Math.floor(Math.max(a.length, b.length) / 8)
  return allowed > 0 && Math.abs(a.length - b.length) <= allowed && distance(a, b) <= allowed
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++)
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (letter === b[j] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}
