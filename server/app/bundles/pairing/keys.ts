/** Keys of a pairing: each side has a pair to sign with (Ed25519) and a pair to agree on keys with (X25519). */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

const RAW_BYTES = 32
/** What comes before the 32 bytes of a public key in its DER form (RFC 8410). */
const SPKI = {
  sign: Buffer.from('302a300506032b6570032100', 'hex'),
  agree: Buffer.from('302a300506032b656e032100', 'hex'),
}
const PKCS8 = {
  sign: Buffer.from('302e020100300506032b657004220420', 'hex'),
  agree: Buffer.from('302e020100300506032b656e04220420', 'hex'),
}

export interface PublicKeys {
  sign: KeyObject
  agree: KeyObject
}
export interface SecretKeys {
  sign: KeyObject
  agree: KeyObject
}

function rawPublic(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' }).subarray(-RAW_BYTES)
}

function rawSecret(key: KeyObject): Buffer {
  return key.export({ type: 'pkcs8', format: 'der' }).subarray(-RAW_BYTES)
}

/** Creates the keys of one side; `secret` is text to be sealed, `open` text for the other side. */
export function createKeys(): { secret: string; open: string } {
  const sign = generateKeyPairSync('ed25519')
  const agree = generateKeyPairSync('x25519')
  return {
    secret: Buffer.concat([rawSecret(sign.privateKey), rawSecret(agree.privateKey)]).toString('base64url'),
    open: Buffer.concat([rawPublic(sign.publicKey), rawPublic(agree.publicKey)]).toString('base64url'),
  }
}

/** Returns the public key to agree with, as in a file. */
export const agreeingBytes = (key: KeyObject): Buffer => rawPublic(key)

/** Returns the public key of an X25519 pair from its 32 bytes. */
export function agreeingKey(raw: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI.agree, raw]), format: 'der', type: 'spki' })
}

/** Returns public keys from their text; null if it is none. */
export function openKeys(text: string): PublicKeys | null {
  const raw = Buffer.from(text, 'base64url')
  if (raw.length !== 2 * RAW_BYTES || raw.toString('base64url') !== text) return null
  const sign = Buffer.concat([SPKI.sign, raw.subarray(0, RAW_BYTES)])
  return {
    sign: createPublicKey({ key: sign, format: 'der', type: 'spki' }),
    agree: agreeingKey(raw.subarray(RAW_BYTES)),
  }
}

/** Returns private keys from their text. */
export function secretKeys(text: string): SecretKeys {
  const raw = Buffer.from(text, 'base64url')
  const key = (prefix: Buffer, at: number): KeyObject =>
    createPrivateKey({
      key: Buffer.concat([prefix, raw.subarray(at, at + RAW_BYTES)]),
      format: 'der',
      type: 'pkcs8',
    })
  return { sign: key(PKCS8.sign, 0), agree: key(PKCS8.agree, RAW_BYTES) }
}

const FINGERPRINT_GROUPS = 4
const GROUP_BYTES = 4

/**
 * Returns what both people read to each other: four groups of five digits (66 bits) over the pairing and the keys of
 * both sides.
 */
export function fingerprintOf(pairing: string, clientKeys: string, adviserKeys: string): string {
  const hash = createHash('sha256').update(`sello pairing ${pairing} ${clientKeys} ${adviserKeys}`).digest()
  return Array.from({ length: FINGERPRINT_GROUPS }, (_, group) =>
    String(hash.readUInt32BE(group * GROUP_BYTES) % 100_000).padStart(5, '0'),
  ).join(' ')
}
