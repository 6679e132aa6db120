/** Identifiers: a prefix for the kind and 16 characters that sort by time, cannot be guessed and are hard to confuse. */
import { createHash, randomFillSync } from 'node:crypto'

/** Crockford base 32: without I, L, O and U, so that an identifier can be read aloud. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const EPOCH_MS = Date.UTC(2020, 0, 1)

type IdPrefix =
  | 'com'
  | 'book'
  | 'inv'
  | 'con'
  | 'ser'
  | 'key'
  | 'prop'
  | 'req'
  | 'evt'
  | 'apr'
  | 'cert'
  | 'itm'
  | 'quo'
  | 'tpl'
  | 'rec'
  | 'att'
  | 'rin'
  | 'idc'
  | 'isr'
  | 'pay'
  | 'man'
  | 'deb'
  | 'prm'
  | 'rem'
  | 'ast'
  | 'bac'
  | 'btx'
  | 'brl'
  | 'ent'
  | 'fil'
  | 'fsn'
  | 'ren'
  | 'imp'
  | 'mov'
  | 'mai'
  | 'chk'
  | 'mrg'
  | 'exp'
  | 'srv'
  | 'view'
  | 'erp'
  | 'run'
  | 'hon'
  | 'edo'
  | 'eco'
  | 'eit'
  | 'whk'
  | 'msg'
  | 'per'
  | 'ses'
  | 'ivt'
  | 'rcv'
  | 'spr'
  | 'note'
  | 'par'
  | 'chg'
  | 'tsk'
  | 'exd'
  | 'exr'
  | 'exm'
  | 'psb'
  | 'pcn'
  | 'pdr'
  | 'rps'
  | 'rpp'
  | 'rpa'
  | 'arv'

/** Creates identifiers; injected so that tests are repeatable. */
export type NewId = (prefix: IdPrefix) => string

/** Encodes a whole number below 2^53. Shifts would cut it at 32 bits. */
function base32(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32))
    text = ALPHABET.charAt(rest % 32) + text
  return text
}

/**
 * Random bytes are fetched from the system for many identifiers at once: a call costs more than creating an
 * identifier.
 */
const POOL_BYTES = 1280
const BYTES_EACH = 5
const pool = Buffer.alloc(POOL_BYTES)
let used = POOL_BYTES

function random35Bits(): number {
  if (used + BYTES_EACH > POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  const value = pool.readUIntBE(used, BYTES_EACH) % 2 ** 35
  used += BYTES_EACH
  return value
}

/**
 * Creates a generator of identifiers from the clock and random bytes (replaceable by `random`): 45 bits of
 * milliseconds, 35 random bits.
 */
export function createIdMaker(now: () => number, random: () => number = random35Bits): NewId {
  return (prefix) => `${prefix}_${base32(Math.max(0, now() - EPOCH_MS), 9)}${base32(random(), 7)}`
}

/**
 * Creates a generator whose identifiers follow from a seed: work that is done again at another place, or at the same
 * one, names what it creates as before.
 */
export function createIdMakerFrom(seed: string): NewId {
  const given = new Map<string, number>()
  return (prefix) => {
    const nth = given.get(prefix) ?? 0
    given.set(prefix, nth + 1)
    const hash = createHash('sha256').update(`${seed} ${prefix} ${nth}`).digest()
    const text = Array.from(hash.subarray(0, 16), (byte) => ALPHABET.charAt(byte % ALPHABET.length))
    return `${prefix}_${text.join('')}`
  }
}

/** Returns the text form of an identifier of one kind, for contracts. */
export function idPattern(prefix: IdPrefix): RegExp {
  return new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{16}$`)
}
