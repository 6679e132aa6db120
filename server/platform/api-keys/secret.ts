/**
 * The text of an API key: `svc_live_` or `svc_test_`, 32 random bytes, a checksum. The checksum detects a typing
 * error without a query and lets secret scanners recognize a key; it proves nothing. Only the SHA-256 of the text is
 * stored: 256 random bits need no slow hash.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Mode } from '../../context.ts'

const KEY_TEXT = /^(svc_(live|test)_)([A-Za-z0-9_-]{43})([A-Za-z0-9_-]{6})$/
const SECRET_BYTES = 32
const LOOKUP_LENGTH = 8

interface KeyText {
  mode: Mode
  /** Finds the row; too short to help in guessing the rest. */
  lookup: string
  /** Long enough for a person to recognize the key. */
  prefix: string
  hash: Buffer
}

const BASE64_URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Returns the CRC-32 in base64url, without a buffer because it is computed for every request. */
function checksum(text: string): string {
  const value = crc32(text)
  let digits = ''
  for (const shift of [26, 20, 14, 8, 2]) digits += BASE64_URL.charAt((value >>> shift) & 63)
  return digits + BASE64_URL.charAt((value & 3) << 4)
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** Creates a key and the parts of it that are stored. */
export function newKeyText(mode: Mode): KeyText & { key: string } {
  const body = `svc_${mode}_${randomBytes(SECRET_BYTES).toString('base64url')}`
  const key = body + checksum(body)
  const parts = readKeyText(key)
  if (!parts) throw new Error('A new key does not read back.')
  return { ...parts, key }
}

/** Returns the parts of a key, or null if it is mistyped or not a key. */
export function readKeyText(text: string): KeyText | null {
  const match = KEY_TEXT.exec(text)
  if (!match) return null
  const [, start = '', mode, secret = '', check = ''] = match
  if (checksum(start + secret) !== check) return null
  const lookup = secret.slice(0, LOOKUP_LENGTH)
  return { mode: mode as Mode, lookup, prefix: start + lookup, hash: sha256(text) }
}

/** Compares two SHA-256 digests in constant time. */
export function sameHash(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
