/** What entries come from. The numbers are stored: a number, once given, is never given to something else. */

export const SOURCE_TYPES = {
  /** An issued invoice. */
  invoice: 1,
  /** A received invoice or expense. */
  received: 2,
  /** Money in or out. */
  payment: 3,
  /** A bank movement booked by itself: charges, interest, taxes, wages. */
  bank: 4,
  /** Undoes another entry; its source is that entry. */
  reversal: 5,
  /** Written by a person. */
  manual: 6,
  opening: 7,
  regularisation: 8,
  closing: 9,
  /** VAT of a period brought into one account. */
  vat_settlement: 10,
  /** A tax return marked as filed or paid. */
  filing: 11,
  /** Rows of an imported file. */
  import: 12,
  /** Depreciation and loss of value of an asset. */
  depreciation: 13,
} as const
export type SourceType = keyof typeof SOURCE_TYPES

const names = new Map<number, SourceType>(
  Object.entries(SOURCE_TYPES).map(([name, code]) => [code, name as SourceType]),
)

/** The name of a stored number. */
export function sourceName(code: number): SourceType {
  const name = names.get(code)
  if (!name) throw new Error(`No source of entries has the number ${code}.`)
  return name
}

/** What an entry comes from: the row `id` of the table that belongs to its type. */
export interface EntrySource {
  type: SourceType
  id: number
}
