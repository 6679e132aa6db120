/** Entries before they are posted. Pure, so that every mapping can be tested separately. */
import type { Cents } from '../../../domain/money.ts'

export interface EntryLine {
  /** Code in the chart of accounts. */
  account: string
  /** Positive for debit, negative for credit. */
  amountCents: Cents
  /** Row id of the customer or supplier of the line. */
  contactId?: number | null
}

/**
 * Drops zero lines and merges lines of the same account and contact, in order of first occurrence. Throws when debits
 * and credits differ, which is a bug of the mapping.
 */
export function entryOf(lines: readonly EntryLine[]): EntryLine[] {
  const merged = new Map<string, EntryLine>()
  let balance = 0
  for (const line of lines) {
    const key = `${line.account}/${line.contactId ?? ''}`
    const before = merged.get(key)
    if (before) before.amountCents += line.amountCents
    else merged.set(key, { ...line })
    balance += line.amountCents
  }
  if (balance !== 0) throw new Error(`Debits and credits differ by ${balance} cents.`)
  return [...merged.values()].filter((line) => line.amountCents !== 0)
}

/** Returns the same entry with debits and credits swapped. */
export function reversed(lines: readonly EntryLine[]): EntryLine[] {
  return lines.map((line) => ({ ...line, amountCents: -line.amountCents }))
}
