/**
 * Identifiers of entries, derived from the row id: storing a second identifier for each of a million entries would
 * take more space than the entries.
 */

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const PATTERN = /^ent_([0-9a-hjkmnp-tv-z]{16})$/
const DIGITS = 16

/** Returns the identifier of an entry's row. */
export function entryIdOf(row: number): string {
  let text = ''
  for (let rest = row; text.length < DIGITS; rest = Math.floor(rest / ALPHABET.length))
    text = ALPHABET.charAt(rest % ALPHABET.length) + text
  return `ent_${text}`
}

/** Returns the row of an identifier; null when it is not an entry identifier. */
export function entryRowOf(id: string): number | null {
  const digits = PATTERN.exec(id)?.[1]
  if (digits === undefined) return null
  let row = 0
  for (const digit of digits) row = row * ALPHABET.length + ALPHABET.indexOf(digit)
  return Number.isSafeInteger(row) && row > 0 ? row : null
}
