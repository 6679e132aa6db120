/** Code of the app lock: rules, storage as a hash, and comparison. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

export type CodeKind = 'pin' | 'passphrase'

/** Stored form: a salted hash with its cost parameters, so that a later version may use a higher cost. */
export interface CodeHash {
  salt: string
  hash: string
  N: number
  r: number
  p: number
}

/** 32 MiB and three passes. Source: OWASP, Password Storage Cheat Sheet, scrypt. */
const COST = { N: 2 ** 15, r: 8, p: 3 }
const HASH_BYTES = 32
const MAX_MEMORY = 64 * 1024 * 1024

const MIN_DIGITS = 6
const MIN_CHARACTERS = 8

/** Normalizes letters with accents, which can be typed in two ways. */
const normalize = (text: string): string => text.normalize('NFKC')

export function codeKind(text: string): CodeKind {
  return /^\d+$/.test(normalize(text)) ? 'pin' : 'passphrase'
}

/** Returns true for `111111`, `123456`, `987654`, `aaaaaaaa`: the first codes an attacker tries. */
function isRun(text: string): boolean {
  const steps = [...text].slice(1).map((sign, index) => sign.charCodeAt(0) - text.charCodeAt(index))
  return steps.every((step) => step === steps[0]) && Math.abs(steps[0] ?? 0) <= 1
}

/** Returns why a text cannot be a code, or null: fewer than 6 digits or 8 characters, or an obvious code. */
export function codeFault(text: string): 'lock_code_short' | 'lock_code_plain' | null {
  const code = normalize(text)
  const needed = codeKind(code) === 'pin' ? MIN_DIGITS : MIN_CHARACTERS
  if ([...code].length < needed) return 'lock_code_short'
  return isRun(code) || code.trim() === '' ? 'lock_code_plain' : null
}

function derive(text: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(normalize(text), salt, HASH_BYTES, { ...cost, maxmem: MAX_MEMORY }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
}

/** Returns the hash to store for a new code. */
export async function hashCode(text: string): Promise<CodeHash> {
  const salt = randomBytes(16)
  const hash = await derive(text, salt, COST)
  return { salt: salt.toString('base64url'), hash: hash.toString('base64url'), ...COST }
}

/** Returns true when `text` is the code; takes equally long when it is not. */
export async function isCode(text: string, { salt, hash, N, r, p }: CodeHash): Promise<boolean> {
  const wanted = Buffer.from(hash, 'base64url')
  const typed = await derive(text, Buffer.from(salt, 'base64url'), { N, r, p })
  return typed.length === wanted.length && timingSafeEqual(typed, wanted)
}

/**
 * Returns the seconds to wait after a number of consecutive wrong attempts: none after typing errors, fifteen minutes
 * against guessing.
 */
export function waitAfterSeconds(wrongTries: number): number {
  const steps = [0, 0, 0, 5, 15, 30, 60, 300, 900]
  return steps[Math.min(wrongTries, steps.length - 1)] ?? 0
}
