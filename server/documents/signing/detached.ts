/**
 * Signs any file beside its content: a CMS SignedData over detached bytes (RFC 5652), in DER. `openssl cms -verify -binary
 * -inform DER -content FILE` verifies it. It states no time.
 */
import { createHash } from 'node:crypto'
import { signContent } from './cms.ts'
import type { SigningKey } from '../../platform/signing/index.ts'

/** Returns the signature of bytes in DER. */
export function signDetached(key: SigningKey, bytes: Uint8Array): Buffer {
  return signContent(key, createHash(key.digest).update(bytes).digest())
}
