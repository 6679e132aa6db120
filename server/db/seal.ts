/**
 * Encryption of single values (AES-256-GCM) under keys derived from the master key; an encrypted cell cannot be moved
 * elsewhere.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1'

/** Derives a 32-byte key for one purpose. */
export function deriveKey(
  masterKey: Uint8Array,
  purpose: string,
  salt: Uint8Array = new Uint8Array(),
): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, salt, purpose, 32))
}

export interface Sealer {
  /** `place` names the location of the value (table, column, row, book); it must be the same for opening. */
  seal(plain: Uint8Array | string, place: string): string
  open(sealed: string, place: string): Buffer
}

/** Creates a sealer with a separate key for each purpose. Text form: `v1.iv.ciphertext.tag`, base64url. */
export function createSealer(key: Uint8Array): Sealer {
  return {
    seal(plain, place) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      cipher.setAAD(Buffer.from(place, 'utf8'))
      const text = Buffer.concat([cipher.update(plain as Uint8Array & string), cipher.final()])
      return [VERSION, iv, text, cipher.getAuthTag()]
        .map((part) => (typeof part === 'string' ? part : part.toString('base64url')))
        .join('.')
    },
    open(sealed, place) {
      const [version, iv, text, tag, ...rest] = sealed.split('.')
      if (version !== VERSION || !iv || text === undefined || !tag || rest.length > 0)
        throw new Error('Not a sealed value.')
      // The length is given, because Node would otherwise accept a tag truncated to four bytes.
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(place, 'utf8'))
      decipher.setAuthTag(Buffer.from(tag, 'base64url'))
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()])
    },
  }
}

/** Returns the sealer of the store with this master key. */
export function sealerOf(masterKey: Uint8Array): Sealer {
  return createSealer(deriveKey(masterKey, 'seal-v1'))
}

/** Returns true if a sealed value is intact and in its own location. */
export function canOpenSealed(sealer: Sealer, sealed: string, place: string): boolean {
  try {
    sealer.open(sealed, place).fill(0)
    return true
  } catch {
    return false
  }
}
