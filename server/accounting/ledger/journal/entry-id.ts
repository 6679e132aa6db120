/**
 * Identifiers of entries, derived from the row id: storing a second identifier for each of a million entries would
 * take more space than the entries.
 */

import type { Book } from '../../../context.ts'

type EntryBook = Pick<Book, 'numbersFrom'>

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const PATTERN = /^ent_([0-9a-hjkmnp-tv-z]{16})$/
const DIGITS = 16

/** Returns the identifier of an entry's row in a book. */
export function entryIdOf({ numbersFrom }: EntryBook, row: number): string {
  let text = ''
  for (
    let rest = Math.max(0, row - (numbersFrom?.entries ?? 0));
    text.length < DIGITS;
    rest = Math.floor(rest / ALPHABET.length)
  )
    text = ALPHABET.charAt(rest % ALPHABET.length) + text
  return `ent_${text}`
}

/** Returns the row of an identifier in a book; null when it is not an entry identifier. */
export function entryRowOf({ numbersFrom }: EntryBook, id: string): number | null {
  const digits = PATTERN.exec(id)?.[1]
  if (digits === undefined) return null
  let row = 0
  for (const digit of digits) row = row * ALPHABET.length + ALPHABET.indexOf(digit)
  return Number.isSafeInteger(row) && row > 0 ? row + (numbersFrom?.entries ?? 0) : null
}
