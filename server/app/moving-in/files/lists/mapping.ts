/** Matches the columns of a list of invoices with its fields, and guesses its notation. Pure. */
import type { FileRow } from '../../../../platform/spreadsheets/cells.ts'
import { readDay, textOf } from '../../../../platform/spreadsheets/values.ts'
import type { Notation } from '../read-row.ts'
import { foldedTitle } from '../titles.ts'
import { listFields, taxColumnOf } from './fields.ts'
import type { ListSide } from './fields.ts'

export type Mapping = Record<string, number>

/** Returns the name of a field in its slot: that of the first slot is the field's own. */
export const slotName = (field: string, slot: number): string => (slot === 1 ? field : `${field}${slot}`)
export const rateName = (field: string, rateBp: number | null): string =>
  `${field}@${rateBp === null ? 'none' : rateBp}`

/**
 * Returns the column of each field: an earlier choice for these titles first, then equal titles, then titles that go
 * on with more words. Each field has at most one column, and each column one field.
 */
export function mapTitles(
  side: ListSide,
  titles: readonly string[],
  remembered: Readonly<Record<string, string>> = {},
): Mapping {
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
    if (name) place(name, index)
  }
  const numbered = titles.map(taxColumnOf)
  // `Base 5` is the fifth base, unless other columns are named by their rate: `Base 21`.
  const isByRate = numbered.some((column) => column?.rateBp)
  for (const [index, column] of numbered.entries()) {
    if (column === null) continue
    const { field, slot, rateBp } = column
    if (rateBp !== undefined) place(rateName(field, rateBp), index)
    else if (slot !== undefined) place(isByRate ? rateName(field, slot * 100) : slotName(field, slot), index)
  }
  const fields = listFields(side)
  const longest = Math.max(...fields.map((field) => field.titles.length))
  // The first title of a field is its most reliable, so all first titles are tried before any second one.
  for (let rank = 0; rank < longest; rank++)
    for (const { name, titles: names } of fields) {
      const title = names[rank]
      if (title)
        place(
          name,
          folded.findIndex((each, index) => each === title && !taken.has(index)),
        )
    }
  for (const { name, titles: names } of fields)
    for (const title of names) {
      if (title.length < 4 || mapping[name] !== undefined) continue
      place(
        name,
        folded.findIndex((each, index) => !taken.has(index) && each.startsWith(`${title} `)),
      )
    }
  return mapping
}

/** Returns true if the mapping has what a list of invoices needs. */
export function isInvoiceList(mapping: Mapping): boolean {
  const has = (name: string): boolean => mapping[name] !== undefined
  const hasBase = Object.keys(mapping).some((name) => /^base/.test(name)) || has('unitPrice')
  return has('number') && has('date') && (hasBase || (has('total') && (has('tax') || has('rate'))))
}

const FIELD_OF_SLOT = /^([a-zA-Z]+?)(?:\d|@.*)?$/

/** Collects cells of the mapped columns, to guess how numbers and dates are written. */
export class NotationGuess {
  private comma = 0
  private point = 0
  private days = 0
  private readonly misses = { dmy: 0, mdy: 0 }
  private seen = 0
  private readonly numbers: number[] = []
  private readonly dates: number[] = []

  constructor(
    columns: Readonly<Record<string, number>>,
    kinds: Readonly<Record<string, 'number' | 'day' | undefined>>,
  ) {
    for (const [name, column] of Object.entries(columns)) {
      const kind = kinds[FIELD_OF_SLOT.exec(name)?.[1] ?? name]
      if (kind === 'number') this.numbers.push(column)
      else if (kind === 'day') this.dates.push(column)
    }
  }

  add({ cells }: FileRow): void {
    if (this.seen++ > 5_000) return
    for (const column of this.numbers) {
      const cell = cells[column] ?? null
      if (typeof cell !== 'string') continue
      const last = /([.,])(\d+)\D*$/.exec(cell)
      if (!last) continue
      // Three digits after a single sign may be thousands, so they are no evidence.
      if (last[2]?.length === 3 && cell.split(last[1] ?? '').length === 2) continue
      if (last[1] === ',') this.comma += 1
      else this.point += 1
    }
    for (const column of this.dates) {
      const text = textOf(cells[column] ?? null)
      if (text === '') continue
      this.days += 1
      for (const order of ['dmy', 'mdy'] as const) if (readDay(text, order) === null) this.misses[order] += 1
    }
  }

  /** Comma and day first, as in Spain, unless the cells say otherwise. */
  get notation(): Notation {
    return {
      decimalSign: this.point > this.comma ? '.' : ',',
      dateOrder: this.misses.dmy > 0 && this.misses.mdy < this.misses.dmy ? 'mdy' : 'dmy',
    }
  }
}

/** Returns how the fields of lists are read. */
export const listKinds = (side: ListSide): Record<string, 'number' | 'day' | undefined> =>
  Object.fromEntries(listFields(side).map(({ name, reads }) => [name, reads]))
