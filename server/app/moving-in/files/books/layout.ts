/**
 * Finds the columns of the tax agency's books by their titles: the unified ones (type T, three rows of titles), those of
 * VAT alone, which lack the columns of income tax, and files with one row of titles. Source: AEAT, LSI.xlsx.
 */
import {
  ISSUED_COLUMNS,
  GOODS_COLUMNS,
  RECEIVED_COLUMNS,
} from '../../../../domain/formats/vat-book-columns.ts'
import type { BookColumn } from '../../../../domain/formats/vat-book-columns.ts'
import type { FileRow } from '../../../../platform/spreadsheets/cells.ts'
import { foldedRow, foldedTitle } from '../titles.ts'
import { textOf } from '../../../../platform/spreadsheets/values.ts'
import type { HistoryContent } from '../types.ts'

type BookContent = Extract<HistoryContent, `books_${string}`>

const BOOKS: Record<BookContent, readonly BookColumn[]> = {
  books_issued: ISSUED_COLUMNS,
  books_received: RECEIVED_COLUMNS,
  books_goods: GOODS_COLUMNS,
}

/** Columns without which a table is none of these books. */
const NEEDED: Record<BookContent, readonly string[]> = {
  books_issued: ['issueDate', 'number', 'base', 'tax'],
  books_received: ['issueDate', 'number', 'base', 'tax', 'receptionDate'],
  books_goods: ['inUseFrom', 'value', 'identifier'],
}
/** Columns that only one of the books has: the others are much alike. */
const OWN: Record<BookContent, readonly string[]> = {
  books_issued: ['name', 'tax'],
  books_received: ['deductible'],
  books_goods: ['value'],
}
const HEAD_ROWS = 25
const MIN_COLUMNS = 8

interface BookLayout {
  content: BookContent
  /** Last row of titles. */
  headerRow: number
  columns: Record<string, number>
  titles: string[]
}

/** Names of a column: with its group, alone, and its group's where it has none of its own. */
function namesOf({ top, sub }: BookColumn): string[] {
  const [group, own] = [foldedTitle(top), foldedTitle(sub)]
  return own === '' ? [group] : [`${group} ${own}`, own]
}

/** Titles in templates go on with their format: `Fecha Expedición (DD/MM/AAAA)`. A single word is no beginning: `Tipo`. */
const begins = (title: string, name: string): boolean => name.includes(' ') && title.startsWith(`${name} `)

/** Matches titles in the order of the layout, so that equal titles of several groups find their own column. */
function columnsIn(
  book: readonly BookColumn[],
  titles: readonly string[],
  withGroups: boolean,
): Record<string, number> {
  const columns: Record<string, number> = {}
  let next = 0
  for (const [index, title] of titles.entries()) {
    if (title === '') continue
    const find = (fits: (title: string, name: string) => boolean) =>
      book.findIndex(
        (column, position) =>
          position >= next &&
          namesOf(column).some((name, which) => !(withGroups && which > 0) && fits(title, name)),
      )
    const exact = find((one, name) => one === name)
    const at = exact < 0 ? find(begins) : exact
    if (at < 0) continue
    columns[book[at]?.id ?? ''] = index
    next = at + 1
  }
  return columns
}

/** Returns the titles of two rows with their groups, which stand above the first of their columns only. */
function groupedTitles(above: FileRow, below: FileRow): string[] {
  const [tops, subs] = [foldedRow(above), foldedRow(below)]
  let group = ''
  return Array.from({ length: Math.max(tops.length, subs.length) }, (_, index) => {
    const top = tops[index] ?? ''
    const sub = subs[index] ?? ''
    if (top !== '') group = top
    else if (sub === '') group = ''
    return `${group} ${sub}`.trim()
  })
}

/** Returns the book that the first rows of a table are, or null. */
export function findBook(head: readonly FileRow[]): BookLayout | null {
  let best: BookLayout | null = null
  const rows = head.slice(0, HEAD_ROWS)
  for (const [at, row] of rows.entries()) {
    const below = rows[at + 1]
    const readings = [
      { titles: foldedRow(row), header: row, withGroups: false },
      ...(below ? [{ titles: groupedTitles(row, below), header: below, withGroups: true }] : []),
    ]
    for (const { titles, header, withGroups } of readings)
      for (const [content, book] of Object.entries(BOOKS) as [BookContent, readonly BookColumn[]][]) {
        const columns = columnsIn(book, titles, withGroups)
        const count = Object.keys(columns).length
        const isThis = [...NEEDED[content], ...OWN[content]].every((id) => columns[id] !== undefined)
        if (!isThis || count < MIN_COLUMNS || count <= Object.keys(best?.columns ?? {}).length) continue
        best = {
          content,
          headerRow: header.row,
          columns,
          titles: shownTitles(row, withGroups ? header : null),
        }
      }
  }
  return best
}

/** Returns the titles as the file writes them, for faults. */
function shownTitles(row: FileRow, below: FileRow | null): string[] {
  let group = ''
  const width = Math.max(row.cells.length, below?.cells.length ?? 0)
  return Array.from({ length: width }, (_, index) => {
    const top = textOf(row.cells[index] ?? null)
    if (below === null) return top
    const sub = textOf(below.cells[index] ?? null)
    if (top !== '') group = top
    else if (sub === '') group = ''
    return sub === '' ? group : `${group}: ${sub}`.replace(/^: /, '')
  })
}
