/**
 * The readings of a document, each with its own rows, and what they say together. Two readings of a picture err at different
 * words: a row that one breaks is whole in the other. Pure.
 */
import type { Page, Word } from '../pages/page.ts'
import { mergeReadings } from './agreement.ts'
import { missing } from './field-value.ts'
import type { FieldValue, Level } from './field-value.ts'
import { rowsOf, union } from './rows.ts'
import type { Cell, Row } from './rows.ts'

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

/** Makes one cell of words. */
function cellOf(words: readonly Word[]): Cell {
  const starts: number[] = []
  let text = ''
  for (const { t } of words) {
    if (text !== '') text += ' '
    starts.push(text.length)
    text += t
  }
  return { text, box: union(words.map((word) => word.box)), words: [...words], starts }
}

function sideRow(words: readonly Word[], { index: page, source }: Page): Row {
  const cell = cellOf(words)
  // Across the page, the width of a line is the height of its letters.
  const height = cell.box[2] - cell.box[0]
  return { page, index: 0, box: cell.box, height, cells: [cell], text: cell.text, source }
}

/** Characters of a word that tells the width of a character. */
const PITCH_CHARS = 5
const PITCH_WORDS = 8
/** Half of the words of a font of one width differ from its pitch by less than this share. */
const PITCH_SPREAD = 0.025
/** Pitches: a gap of one blank, with the bearings of the letters beside it, is narrower. */
const ONE_BLANK = 1.9

/** Returns the width of a character in a page of one width, as matrix printers and tickets have; null in others. */
function pitchOf(words: readonly Word[]): number | null {
  const pitches = words
    .filter(({ t }) => t.length >= PITCH_CHARS)
    .map(({ t, box }) => (box[2] - box[0]) / (t.length - 0.2))
    .toSorted((a, b) => a - b)
  if (pitches.length < PITCH_WORDS) return null
  const at = (share: number): number => pitches[Math.floor(pitches.length * share)] ?? 0
  const pitch = at(0.5)
  return at(0.75) - at(0.25) < pitch * PITCH_SPREAD * 2 ? pitch : null
}

/** Joins the cells that a blank parts in a font of one width, whose blanks are wide. */
function withBlanks(rows: readonly Row[], page: number, words: readonly Word[]): Row[] {
  const pitch = pitchOf(words)
  if (pitch === null) return [...rows]
  return rows.map((row) => {
    if (row.page !== page) return row
    const groups: Word[][] = []
    for (const cell of row.cells) {
      const last = groups.at(-1)
      const gap = cell.box[0] - (last?.at(-1)?.box[2] ?? -Infinity)
      if (last && gap < pitch * ONE_BLANK) last.push(...cell.words)
      else groups.push([...cell.words])
    }
    const cells = groups.map(cellOf)
    return { ...row, cells, text: cells.map(({ text }) => text).join('  ') }
  })
}

/** Returns the rows of each reading of the pages. */
export function readingsOf(pages: readonly Page[]): Readings {
  const merged = rowsOf(pages, mergeReadings)
  const count = Math.max(...pages.map(({ source, readings }) => (source === 'ocr' ? readings.length : 1)), 1)
  if (pages.every(({ source }) => source === 'text')) return { each: [withSides(merged, pages)], merged }
  const each = Array.from({ length: count }, (_, reading) => {
    const wordsOf = (page: Page): readonly Word[] => {
      if (page.source === 'text') return page.readings[0] ?? []
      // A single reading agrees with nothing: `mergeReadings` takes its confidence back.
      if (page.readings.length === 1) return writingOf(mergeReadings(page))
      return writingOf(page.readings[reading] ?? [])
    }
    return pages
      .filter(({ source }) => source === 'ocr')
      .reduce((rows, page) => withBlanks(rows, page.index, wordsOf(page)), rowsOf(pages, wordsOf))
  })
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
