/** Entries before they are written: pure, so that every mapping can be read and tested by itself. */
import type { Cents } from '../../../domain/money.ts'

export interface EntryLine {
  /** Code of the chart of accounts. */
  account: string
  /** Above zero in the debit, below in the credit. */
  amountCents: Cents
  /** Row id of the customer or supplier whose account it is. */
  contactId?: number | null
}

/**
 * The lines without those of zero, those of the same account and contact as one. The order of first mention stays.
 * Throws when debits and credits differ: a mapping that does so is a bug.
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

/** The same entry on the other side. */
export function reversed(lines: readonly EntryLine[]): EntryLine[] {
  return lines.map((line) => ({ ...line, amountCents: -line.amountCents }))
}

/** The balance of some accounts (by the beginning of their code): debits less credits. */
export function balanceOf(lines: readonly EntryLine[], ...prefixes: readonly string[]): Cents {
  return lines.reduce(
    (sum, { account, amountCents }) =>
      prefixes.some((prefix) => account.startsWith(prefix)) ? sum + amountCents : sum,
    0,
  )
}
