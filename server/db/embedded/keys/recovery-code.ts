/** The recovery code: 128 random bits that a person stores on paper; it opens the books if the keychain is lost. */
import { randomBytes } from 'node:crypto'
import { createSealer, deriveKey } from '../../seal.ts'
import { sha256Hex } from '../../../domain/sha256.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 26 characters hold 128 bits (two bits unused); 2 more are a check. */
const BODY_LENGTH = 26
export const RECOVERY_LENGTH = 28
export const GROUP_LENGTH = 4

function check(body: string): string {
  const digest = Number.parseInt(sha256Hex(`sello-recovery:${body}`).slice(0, 4), 16)
  return ALPHABET.charAt(digest & 31) + ALPHABET.charAt((digest >> 5) & 31)
}

/** Creates a code, in capitals without separators. */
export function newRecoveryCode(): string {
  let bits = BigInt(`0x${randomBytes(16).toString('hex')}`) << 2n
  let body = ''
  for (; body.length < BODY_LENGTH; bits >>= 5n) body = ALPHABET.charAt(Number(bits & 31n)) + body
  return body + check(body)
}

/** Splits a code into groups of four, as printed. */
export function recoveryGroups(code: string): string[] {
  return code.match(/.{4}/g) ?? []
}

/**
 * Parses the code that a person typed: separators are dropped, look-alikes read as the intended characters. Null if
 * it is not a code.
 */
export function readRecoveryCode(text: string): string | null {
  const code = text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
  if (code.length !== RECOVERY_LENGTH || [...code].some((character) => !ALPHABET.includes(character)))
    return null
  return check(code.slice(0, BODY_LENGTH)) === code.slice(BODY_LENGTH) ? code : null
}

export interface WrappedKey {
  version: 1
  salt: string
  wrapped: string
  createdAt: string
}

// 128 random bits need no slow hash: HKDF is sufficient.
const PURPOSE = 'recovery-v1'

/** Encrypts the master key under a code. */
export function wrapMasterKey(masterKey: Uint8Array, code: string, storeId: string, at: Date): WrappedKey {
  const salt = randomBytes(16)
  const sealer = createSealer(deriveKey(Buffer.from(code, 'ascii'), PURPOSE, salt))
  return {
    version: 1,
    salt: salt.toString('base64url'),
    wrapped: sealer.seal(masterKey, `recovery:${storeId}`),
    createdAt: at.toISOString(),
  }
}

/** Decrypts the master key, or returns null if the code is not the one used to encrypt it. */
export function unwrapMasterKey(wrapped: WrappedKey, code: string, storeId: string): Buffer | null {
  const sealer = createSealer(
    deriveKey(Buffer.from(code, 'ascii'), PURPOSE, Buffer.from(wrapped.salt, 'base64url')),
  )
  try {
    return sealer.open(wrapped.wrapped, `recovery:${storeId}`)
  } catch {
    return null
  }
}
