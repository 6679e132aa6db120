/** Identifiers: a prefix that says what it is and 16 characters that sort by time and cannot be guessed or confused. */
import { randomBytes } from 'node:crypto'

/** Crockford base 32: no I, L, O, U, so an identifier survives being read aloud. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const EPOCH_MS = Date.UTC(2020, 0, 1)

export type IdPrefix = 'com' | 'book' | 'inv' | 'con' | 'ser' | 'key' | 'prop' | 'req' | 'evt' | 'apr'

/** Makes identifiers; injected so that tests are repeatable. */
export type NewId = (prefix: IdPrefix) => string

function base32(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest >>= 5n) text = ALPHABET.charAt(Number(rest & 31n)) + text
  return text
}

/** Identifiers from the clock and the system's randomness: 45 bits of milliseconds, 35 random bits. */
export function createIdMaker(now: () => number = Date.now): NewId {
  return (prefix) => {
    const random = randomBytes(5)
    const tail = BigInt(`0x${random.toString('hex')}`) & 0x7ffffffffn
    return `${prefix}_${base32(BigInt(Math.max(0, now() - EPOCH_MS)), 9)}${base32(tail, 7)}`
  }
}

/** The text form of an identifier of one kind, for contracts. */
export function idPattern(prefix: IdPrefix): RegExp {
  return new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{16}$`)
}
