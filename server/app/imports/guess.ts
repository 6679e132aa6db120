/** Which row holds the titles, which column is which field, and how days and numbers are written: guesses to be looked at. Pure. */
import { searchText } from '../../domain/text.ts'
import type { ImportKind, Mapping } from './contract.ts'
import { IMPORT_FIELDS } from './fields.ts'
import type { ImportField } from './fields.ts'
import type { Cell, FileRow } from './read-file.ts'
import { readDay, textOf } from './values.ts'
import type { DateOrder, DecimalSign } from './values.ts'

const HEAD_ROWS = 20
const SAMPLE_ROWS = 500

/** A title without capitals, accents and the signs that people add to it. */
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
 * Fields by column: what was chosen for these titles before, then titles that are equal, then titles that begin with one
 * of ours. A field has one column and a column one field.
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
  // The first title of a field is its surest, so all fields are asked for theirs before anybody's second.
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

/** The row of titles: of the first ones, that in which most fields are found; the first when none is. */
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

/** The sign before the decimals, as most cells write it; a comma when nothing tells, as in Spain. */
export function guessDecimalSign(kind: ImportKind, mapping: Mapping, rows: readonly FileRow[]): DecimalSign {
  let [comma, point] = [0, 0]
  for (const cell of cellsOf(kind, mapping, rows, 'number')) {
    if (typeof cell !== 'string') continue
    const last = /([.,])(\d+)\D*$/.exec(cell)
    if (!last) continue
    // Three digits after one sign may be thousands: they tell nothing.
    if (last[2]?.length === 3 && cell.split(last[1] ?? '').length === 2) continue
    if (last[1] === ',') comma++
    else point++
  }
  return point > comma ? '.' : ','
}

/** Day first, as in Spain, unless the values leave only another order. */
export function guessDateOrder(kind: ImportKind, mapping: Mapping, rows: readonly FileRow[]): DateOrder {
  const days = cellsOf(kind, mapping, rows, 'day').flatMap((cell) =>
    typeof cell === 'string' && cell.trim() !== '' ? [cell] : [],
  )
  const misses = (order: DateOrder) => days.filter((day) => readDay(day, order) === null).length
  const dmy = misses('dmy')
  return dmy > 0 && misses('mdy') < dmy ? 'mdy' : 'dmy'
}
