/**
 * The readings of a document, each with its own rows, and what they say together. Two readings of a picture err at different
 * words: a row that one breaks is whole in the other. Pure.
 */
import type { Page, Word } from '../pages/page.ts'
import { mergeReadings } from './agreement.ts'
import { missing } from './field-value.ts'
import type { FieldValue, Level } from './field-value.ts'
import { rowsOf, union } from './rows.ts'
import type { Row } from './rows.ts'

/** What one reading says of a field; `certainty` ranks it among readings of one level. */
export interface Read<T> {
  field: FieldValue<T>
  certainty: number
}

export interface Readings {
  /** Rows of each reading: one for exact text; two for OCR, the one with digits of the best size first. */
  each: Row[][]
  /** Rows of all readings merged. */
  merged: Row[]
}

/** Characters that show nothing, or change the direction of others; they have no place in a value. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\ufe00-\ufe0f]/gu
const MAX_WORD = 200

function cleanWord(word: Word): Word[] {
  const t = word.t.replace(INVISIBLE, '').slice(0, MAX_WORD)
  if (t === '') return []
  if (t === word.t && word.alt === undefined) return [word]
  const { alt, ...rest } = word
  return [
    { ...rest, t, ...(alt === undefined ? {} : { alt: alt.replace(INVISIBLE, '').slice(0, MAX_WORD) }) },
  ]
}

/** Returns pages without invisible characters and with words of bounded length. */
export function cleanPages(pages: readonly Page[]): Page[] {
  return pages.map((page) => ({
    ...page,
    readings: page.readings.map((words) => words.flatMap(cleanWord)),
    ...(page.sides ? { sides: page.sides.map((words) => words.flatMap(cleanWord)) } : {}),
  }))
}

const IS_WRITING = /[\p{L}\p{N}]/u
/** Signs that stand alone between words of a text. */
const IS_SIGN = /^[-:/·•€$%&+]$/
/** In heights of the typical word: what is taller and uncertain is a stroke through several rows. */
const TALL = 3
const TALL_CONFIDENCE = 55

/** Removes what OCR sees in lines of tables and stains: a removed line parts the cells beside it. */
function writingOf(words: readonly Word[]): Word[] {
  const heights = words.map(({ box }) => box[3] - box[1]).toSorted((a, b) => a - b)
  const typical = heights[Math.floor(heights.length / 2)] ?? 0
  return words.flatMap((word) => {
    const t = word.t.replace(/^[|¦[\]{}«»“”"‘’']+|[|¦[\]{}«»“”"‘’']+$/g, '')
    if (!IS_WRITING.test(t) && !IS_SIGN.test(t)) return []
    if (word.box[3] - word.box[1] > typical * TALL && word.conf < TALL_CONFIDENCE) return []
    return [t === word.t ? word : { ...word, t }]
  })
}

/** Adds the lines across each page as rows after its own. */
function withSides(rows: readonly Row[], pages: readonly Page[]): Row[] {
  if (pages.every(({ sides = [] }) => sides.length === 0)) return [...rows]
  const all = pages.flatMap((page) => [
    ...rows.filter((row) => row.page === page.index),
    ...(page.sides ?? []).flatMap((words) => (words.length === 0 ? [] : [sideRow(words, page)])),
  ])
  return all.map((row, index) => ({ ...row, index }))
}

function sideRow(words: readonly Word[], { index: page, source }: Page): Row {
  const starts: number[] = []
  let text = ''
  for (const { t } of words) {
    if (text !== '') text += ' '
    starts.push(text.length)
    text += t
  }
  const box = union(words.map((word) => word.box))
  // Across the page, the width of a line is the height of its letters.
  const height = box[2] - box[0]
  return { page, index: 0, box, height, cells: [{ text, box, words: [...words], starts }], text, source }
}

/** Returns the rows of each reading of the pages. */
export function readingsOf(pages: readonly Page[]): Readings {
  const merged = rowsOf(pages, mergeReadings)
  const count = Math.max(...pages.map(({ source, readings }) => (source === 'ocr' ? readings.length : 1)), 1)
  if (pages.every(({ source }) => source === 'text')) return { each: [withSides(merged, pages)], merged }
  const each = Array.from({ length: count }, (_, reading) =>
    rowsOf(pages, (page) => {
      if (page.source === 'text') return page.readings[0] ?? []
      // A single reading agrees with nothing: `mergeReadings` takes its confidence back.
      if (page.readings.length === 1) return writingOf(mergeReadings(page))
      return writingOf(page.readings[reading] ?? [])
    }),
  )
  return { each: each.toReversed().map((rows) => withSides(rows, pages)), merged }
}

const ORDER: readonly Level[] = ['missing', 'guess', 'read', 'known', 'proven']
const rank = (level: Level): number => ORDER.indexOf(level)

/**
 * Returns what the readings say of a field together: a value that all agree on keeps its best level; one that a single
 * reading of several has is a guess, or read when it was proven; where they differ, the more certain value is a guess
 * and the others are its rivals. `merged` decides only where no reading has a value.
 */
export function agreed<T>(
  reads: readonly Read<T>[],
  merged: Read<T> | null,
  isSame: (a: T, b: T) => boolean = (a, b) => a === b,
): FieldValue<T> {
  const [only] = reads
  if (only === undefined) return missing()
  if (reads.length === 1) return only.field
  const ranked = reads
    .filter(({ field }) => field.value !== null)
    .toSorted((a, b) => rank(b.field.level) - rank(a.field.level) || b.certainty - a.certainty)
  const [best, ...others] = ranked
  const value = best?.field.value ?? null
  if (!best || value === null) {
    const field = merged?.field ?? missing<T>()
    return field.value === null ? field : { ...field, level: 'guess' }
  }
  const isAlike = ({ field }: Read<T>): boolean => field.value !== null && isSame(field.value, value)
  const differing = others.filter((each) => !isAlike(each))
  const rivals = [
    ...differing.flatMap(({ field }) => (field.value === null ? [] : [field.value])),
    ...ranked.flatMap(({ field }) => field.rivals),
  ].filter(
    (rival, index, all) => !isSame(rival, value) && all.findIndex((each) => isSame(each, rival)) === index,
  )
  const level = best.field.level
  if (differing.length > 0) return { ...best.field, level: 'guess', rivals }
  if (ranked.length < reads.length)
    return { ...best.field, level: rank(level) > rank('read') ? 'read' : 'guess', rivals }
  // A reading that saw another value leaves its choice open, though the first did not see it.
  const isOpen = others.some(({ field }) => field.level === 'guess' && field.rivals.length > 0)
  if (isOpen && rank(level) > rank('read')) return { ...best.field, level: 'read', rivals }
  return { ...best.field, rivals }
}
