/**
 * What the memory of a supplier goes by in a later document: the words at the head of the page, and the numbers and dates
 * with the labels at which they stand. Pure.
 */
import type { BusinessDate } from '../../../domain/dates.ts'
import { sha256Hex } from '../../../domain/sha256.ts'
import type { Box } from '../pages/page.ts'
import { datesIn } from './dates.ts'
import { plain } from './labels.ts'
import { isTaxId } from './numbers.ts'
import { boxOfPart, wordsIn } from './rows.ts'
import type { Cell, Row } from './rows.ts'

/** A number or a date of the document, with the words that name it. */
interface Labelled {
  kind: 'number' | 'date'
  /** The last words before or above it, as `plain` writes them. */
  label: string
  /** The number as printed, or the day. */
  value: string
  /** As printed. */
  text: string
  /** What the second reading of a picture says where it differs; null for exact text. */
  other: string | null
  /** True if OCR was not certain of it. */
  isWeak: boolean
  page: number
  box: Box
}

export interface Layout {
  /** Digests of the words at the head of the first page, without those that hold digits and the names of months. */
  print: string[]
  /** Distinct words of the document, in order. */
  words: string[]
  labelled: Labelled[]
}

/** Rows of the head: what is above the first item of most documents, also of a ticket of any length. */
const HEAD_ROWS = 10
const MOST_PRINT_WORDS = 40
const MOST_WORDS = 160
const MOST_LABELLED = 80
const MIN_CONFIDENCE = 80
const LABEL_WORDS = 3

const MONTH =
  /^(?:ene|enero|gener|xaneiro|jan|january|feb|febrero|febrer|febreiro|february|mar|marzo|marc|march|abr|abril|april|may|mayo|maig|maio|jun|junio|juny|xuno|june|jul|julio|juliol|xullo|july|ago|agosto|agost|august|aug|sep|septiembre|setiembre|setembre|setembro|september|oct|octubre|outubro|october|nov|noviembre|novembre|novembro|november|dic|diciembre|desembre|decembro|december|dec|urtarril\w*|otsail\w*|martxo\w*|apiril\w*|maiatz\w*|ekain\w*|uztail\w*|abuztu\w*|irail\w*|urri\w*|azaro\w*|abendu\w*)$/

const wordsOf = (text: string): string[] =>
  plain(text)
    .split(/[ /%]+/)
    .filter((word) => word.length >= 3 && !/\d/.test(word) && !MONTH.test(word))

/** Digest of a word, of 24 bits: enough to compare layouts, and no list of words of a page. */
export const digestOf = (word: string): string => sha256Hex(word).slice(0, 6)

/** Returns the last words of a text that are no numbers. */
function labelOf(text: string): string {
  const words = plain(text)
    .split(/[ /%]+/)
    .filter((word) => word !== '' && !/\d/.test(word))
  return words.slice(-LABEL_WORDS).join(' ')
}

const MAX_ABOVE = 4
const REACH = 5

/** Returns the label of the nearest cell above a box that is no value itself; '' if there is none. */
function labelAbove(box: Box, row: Row, rows: readonly Row[]): string {
  let looked = 0
  for (let index = row.index - 1; index >= 0 && looked < MAX_ABOVE; index--) {
    const above = rows[index]
    if (!above || above.page !== row.page || row.box[1] - above.box[1] > REACH * row.height) return ''
    const cell = above.cells.find(({ box: [x0, , x1] }) => x0 < box[2] && x1 > box[0])
    if (!cell) continue
    looked += 1
    if (!/\d/.test(cell.text)) return labelOf(cell.text)
  }
  return ''
}

function labelFor(rows: readonly Row[], row: Row, cell: Cell, before: string, box: Box): string {
  const inCell = labelOf(before)
  if (inCell !== '') return inCell
  if (before.trim() !== '') return ''
  const left = row.cells[row.cells.indexOf(cell) - 1]
  const beside = left && !/\d/.test(left.text) ? labelOf(left.text) : ''
  return beside === '' ? labelAbove(box, row, rows) : beside
}

/** A number in one piece, or in several joined by a hyphen or slash between blanks, up to the end of its word. */
const NUMBER = /^[A-Z0-9][A-Z0-9Ñ/_.-]*(?: [-/] [A-Z0-9][A-Z0-9/_.-]*)*(?=[,:;)]*(?:\s|$))/i
const IS_AMOUNT = /^\d{1,3}(?:\.\d{3})*(?:[.,]\d{2})$/

function numberAt(text: string): string | null {
  const [found = ''] = NUMBER.exec(text.replace(/^[#:(]+\s*/, '')) ?? []
  const value = found.replace(/[./_-]+$/, '')
  if (!/\d/.test(value) || value.length > 40) return null
  return IS_AMOUNT.test(value) || isTaxId(value) ? null : value
}

function certaintyOf(
  cell: Cell,
  from: number,
  to: number,
  source: Row['source'],
): { other: string | null; isWeak: boolean } {
  if (source === 'text') return { other: null, isWeak: false }
  const words = wordsIn(cell, from, to)
  const other = words.some(({ alt }) => alt !== undefined)
    ? words.map(({ t, alt }) => alt ?? t).join(' ')
    : null
  return { other, isWeak: words.some(({ conf }) => conf < MIN_CONFIDENCE) }
}

function labelledIn(rows: readonly Row[], row: Row, cell: Cell): Labelled[] {
  const found: Labelled[] = []
  const dates = datesIn(cell.text)
  const collect = (kind: Labelled['kind'], from: number, to: number, value: string): void => {
    const box = boxOfPart(cell, from, to)
    // Of "Fecha: 01/02/2026 Vto.:" only what follows the date before.
    const start = Math.max(0, ...dates.filter((date) => date.to <= from).map((date) => date.to))
    const label = labelFor(rows, row, cell, cell.text.slice(start, from), box)
    if (label === '') return
    found.push({
      kind,
      label,
      value,
      text: cell.text.slice(from, to).slice(0, 40),
      ...certaintyOf(cell, from, to, row.source),
      page: row.page,
      box,
    })
  }
  for (const { date, from, to } of dates) collect('date', from, to, date satisfies BusinessDate)
  let end = 0
  for (const start of cell.starts) {
    if (start < end || dates.some(({ from, to }) => from <= start && start < to)) continue
    const text = cell.text.slice(start)
    const value = numberAt(text)
    if (value === null) continue
    const from = start + text.indexOf(value)
    end = from + value.length
    collect('number', from, end, value)
  }
  return found
}

/** Returns the layout of one invoice by its rows. */
export function layoutOf(rows: readonly Row[]): Layout {
  const first = rows[0]?.page
  const head = rows.filter(({ page }) => page === first).slice(0, HEAD_ROWS)
  const distinct = (texts: readonly Row[]): string[] => [
    ...new Set(texts.flatMap(({ text }) => wordsOf(text))),
  ]
  return {
    print: distinct(head).slice(0, MOST_PRINT_WORDS).map(digestOf),
    words: distinct(rows).slice(0, MOST_WORDS),
    labelled: rows
      .flatMap((row) => row.cells.flatMap((cell) => labelledIn(rows, row, cell)))
      .slice(0, MOST_LABELLED),
  }
}
