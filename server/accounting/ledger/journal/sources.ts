/** Source types of entries. The numbers are stored and must never be reused. */

export const SOURCE_TYPES = {
  invoice: 1,
  /** A received invoice or expense. */
  received: 2,
  /** Money received or paid. */
  payment: 3,
  /** A bank movement booked without a document: charges, interest, taxes, wages. */
  bank: 4,
  /** Reverses another entry, which is its source. */
  reversal: 5,
  /** Written by a person. */
  manual: 6,
  opening: 7,
  regularisation: 8,
  closing: 9,
  /** VAT of a period transferred to one account. */
  vat_settlement: 10,
  /** A tax return marked as filed or paid. */
  filing: 11,
  /** Rows of an imported file. */
  import: 12,
  /** Depreciation of an asset. */
  depreciation: 13,
  /** An asset that goes: sold, scrapped or lost. */
  asset_disposal: 14,
  /** VAT of investment goods regularised in a year. */
  vat_adjustment: 15,
} as const
export type SourceType = keyof typeof SOURCE_TYPES

const names = new Map<number, SourceType>(
  Object.entries(SOURCE_TYPES).map(([name, code]) => [code, name as SourceType]),
)

/** Returns the name of a stored number. */
export function sourceName(code: number): SourceType {
  const name = names.get(code)
  if (!name) throw new Error(`No source of entries has the number ${code}.`)
  return name
}

/** Source of an entry: row `id` in the table of its type. */
export interface EntrySource {
  type: SourceType
  id: number
}
