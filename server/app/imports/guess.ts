/**
 * Guesses the header row, the field of each column, and the notation of dates and numbers, for the user to review.
 * Pure.
 */
import { searchText } from '../../domain/text.ts'
import type { ImportKind, Mapping } from './contract.ts'
import { IMPORT_FIELDS } from './fields.ts'
import type { ImportField } from './fields.ts'
import type { Cell, FileRow } from '../../platform/spreadsheets/cells.ts'
import { readDay, textOf } from '../../platform/spreadsheets/values.ts'
import type { DateOrder, DecimalSign } from '../../platform/spreadsheets/values.ts'

const HEAD_ROWS = 20
const SAMPLE_ROWS = 500

/** Returns a title without capitals, accents and punctuation. */
export function foldedTitle(title: string): string {
  return searchText(title)
    .replace(/[*:()"']/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function titlesOf(field: ImportField): string[] {
  return [field.title.es, field.title.en, ...field.also, field.name].map(foldedTitle)
}

/**
 * Returns the fields by column: an earlier choice for these titles, then equal titles, then titles with a matching
 * prefix. Each field has at most one column, and each column one field.
 */
export function guessMapping(
  kind: ImportKind,
  titles: readonly string[],
  remembered: Readonly<Record<string, string>> = {},
): Mapping {
  const fields = IMPORT_FIELDS[kind]
  const folded = titles.map(foldedTitle)
  const mapping: Mapping = {}
  const taken = new Set<number>()
  const place = (name: string, index: number): void => {
    if (index < 0 || taken.has(index) || mapping[name] !== undefined) return
    mapping[name] = index
    taken.add(index)
  }
  for (const [index, title] of folded.entries()) {
    const name = remembered[title]
    if (name !== undefined && fields.some((field) => field.name === name)) place(name, index)
  }
  // The first title of a field is its most reliable, so all first titles are tried before any second one.
  const lists = fields.map((field) => ({ name: field.name, titles: titlesOf(field) }))
  const longest = Math.max(...lists.map((list) => list.titles.length))
  for (let rank = 0; rank < longest; rank++)
    for (const list of lists) {
      const title = list.titles[rank]
      if (title)
        place(
          list.name,
          folded.findIndex((each, index) => each === title && !taken.has(index)),
        )
    }
  for (const list of lists)
    for (const title of list.titles) {
      if (title.length < 4 || mapping[list.name] !== undefined) continue
      place(
        list.name,
        folded.findIndex((each, index) => !taken.has(index) && each.startsWith(`${title} `)),
      )
    }
  return mapping
}

/** Returns the header row: the one of the first rows that matches most fields; the first row when none does. */
export function guessHeader(kind: ImportKind, rows: readonly FileRow[]): number {
  let [best, most] = [0, 0]
  for (const [index, { cells }] of rows.slice(0, HEAD_ROWS).entries()) {
    const found = Object.keys(guessMapping(kind, cells.map(textOf))).length
    if (found > most) [best, most] = [index, found]
  }
  return best
}

function cellsOf(
  kind: ImportKind,
  mapping: Mapping,
  rows: readonly FileRow[],
  reads: 'number' | 'day',
): Cell[] {
  const columns = IMPORT_FIELDS[kind].flatMap((field) =>
    field.reads === reads && mapping[field.name] !== undefined ? [mapping[field.name] as number] : [],
  )
  return rows.slice(0, SAMPLE_ROWS).flatMap(({ cells }) => columns.map((column) => cells[column] ?? null))
}

/** Returns the decimal sign that most cells use; a comma by default, as in Spain. */
export function guessDecimalSign(kind: ImportKind, mapping: Mapping, rows: readonly FileRow[]): DecimalSign {
  let [comma, point] = [0, 0]
  for (const cell of cellsOf(kind, mapping, rows, 'number')) {
    if (typeof cell !== 'string') continue
    const last = /([.,])(\d+)\D*$/.exec(cell)
    if (!last) continue
    // Three digits after a single sign may be thousands, so they are no evidence.
    if (last[2]?.length === 3 && cell.split(last[1] ?? '').length === 2) continue
    if (last[1] === ',') comma++
    else point++
  }
  return point > comma ? '.' : ','
}

/** Returns the date order: day first, as in Spain, unless the values allow only another one. */
export function guessDateOrder(kind: ImportKind, mapping: Mapping, rows: readonly FileRow[]): DateOrder {
  const days = cellsOf(kind, mapping, rows, 'day').flatMap((cell) =>
    typeof cell === 'string' && cell.trim() !== '' ? [cell] : [],
  )
  const misses = (order: DateOrder) => days.filter((day) => readDay(day, order) === null).length
  const dmy = misses('dmy')
  return dmy > 0 && misses('mdy') < dmy ? 'mdy' : 'dmy'
}
