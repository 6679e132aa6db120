/**
 * Encryption of objects (AES-256-GCM): whoever administers the storage reads no document. Form:
 * `version (1 byte) | iv (12) | ciphertext | tag (16)`, bound to the key of the object, so that one cannot stand for
 * another.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const VERSION = 1
const IV_BYTES = 12
const TAG_BYTES = 16
/** Bytes by which an object is longer than its content. */
export const SEAL_BYTES = 1 + IV_BYTES + TAG_BYTES

/** Returns the object of some content. */
export function sealObject(key: Uint8Array, content: Uint8Array, place: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(Buffer.from(place, 'utf8'))
  const text = cipher.update(content)
  cipher.final()
  return Buffer.concat([Uint8Array.of(VERSION), iv, text, cipher.getAuthTag()])
}

/** Returns the content of an object; null if it is another object's, or was changed. */
export function openObject(key: Uint8Array, object: Buffer, place: string): Buffer | null {
  if (object.length < SEAL_BYTES || object[0] !== VERSION) return null
  const decipher = createDecipheriv('aes-256-gcm', key, object.subarray(1, 1 + IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(place, 'utf8'))
  decipher.setAuthTag(object.subarray(-TAG_BYTES))
  try {
    const content = decipher.update(object.subarray(1 + IV_BYTES, -TAG_BYTES))
    decipher.final()
    return content
  } catch {
    return null
  }
}
