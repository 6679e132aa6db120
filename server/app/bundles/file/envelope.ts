/**
 * The file that goes between a client and its adviser: signed by the sender, encrypted for the receiver, and cut into
 * chunks whose position and end are authenticated.
 *
 *     "SELLOBND" · header length (4 bytes) · header (JSON, readable) · chunks · signature (64 bytes)
 *
 * A chunk is its length (4 bytes; the highest bit marks the last one) and its text encrypted with AES-256-GCM. The nonce
 * is the number of the chunk and whether it is the last one, as in the STREAM construction, so that no chunk can be
 * left out, moved or be the end without being it. The key comes from X25519 twice (a key of this file alone, and the
 * sender's) over HKDF-SHA256 with the header as salt. The signature (Ed25519) covers everything before it.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  sign,
  verify,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { AppError } from '../../../domain/errors/app-error.ts'
import { agreeingBytes, agreeingKey } from '../pairing/keys.ts'
import type { PublicKeys, SecretKeys } from '../pairing/keys.ts'

const MAGIC = Buffer.from('SELLOBND', 'ascii')
/** Format of the file. A program refuses a higher one. */
const FORMAT = 1
const LENGTH_BYTES = 4
const MAX_HEADER_BYTES = 4096
const CHUNK_BYTES = 256 * 1024
const TAG_BYTES = 16
const NONCE_BYTES = 12
const SIGNATURE_BYTES = 64
const LAST = 0x8000_0000

type Side = 'client' | 'adviser'

/** What can be read of a file without its keys: nothing of the company. */
export interface Header {
  format: number
  pairing: string
  from: Side
  /** Number of the file among those of its sender: each is higher than the one before. */
  number: number
  /** Schema of the books of the program that wrote it. */
  schema: number
  /** Public key of this file alone, base64url. */
  key: string
}

const torn = (): AppError => new AppError('bundle_torn')
const tampered = (): AppError => new AppError('bundle_tampered')

function fileKey(shared: readonly Buffer[], header: Uint8Array): Buffer {
  const salt = createHash('sha256').update(header).digest()
  return Buffer.from(hkdfSync('sha256', Buffer.concat(shared), salt, 'sello bundle v1', 32))
}

function nonceOf(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeUInt32BE(chunk, NONCE_BYTES - 5)
  nonce.writeUInt8(isLast ? 1 : 0, NONCE_BYTES - 1)
  return nonce
}

function lengthBytes(length: number): Buffer {
  const bytes = Buffer.alloc(LENGTH_BYTES)
  bytes.writeUInt32BE(length)
  return bytes
}

const agree = (privateKey: KeyObject, publicKey: KeyObject): Buffer =>
  diffieHellman({ privateKey, publicKey })

/** Returns the file with `content`, signed by the sender and readable by the receiver alone. */
export function sealFile(
  facts: Omit<Header, 'format' | 'key'>,
  content: Uint8Array,
  { own, peer }: { own: SecretKeys; peer: PublicKeys },
): Buffer<ArrayBuffer> {
  const once = generateKeyPairSync('x25519')
  const header = Buffer.from(
    JSON.stringify({
      format: FORMAT,
      ...facts,
      key: agreeingBytes(once.publicKey).toString('base64url'),
    } satisfies Header),
  )
  const key = fileKey([agree(once.privateKey, peer.agree), agree(own.agree, peer.agree)], header)
  const parts: Buffer[] = [MAGIC, lengthBytes(header.length), header]
  const count = Math.max(1, Math.ceil(content.length / CHUNK_BYTES))
  for (let chunk = 0; chunk < count; chunk += 1) {
    const isLast = chunk === count - 1
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(chunk, isLast))
    const plain = content.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES)
    const text = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    parts.push(lengthBytes((text.length | (isLast ? LAST : 0)) >>> 0), text)
  }
  key.fill(0)
  const whole = Buffer.concat(parts)
  return Buffer.concat([whole, sign(null, createHash('sha512').update(whole).digest(), own.sign)])
}

interface Framed {
  header: Header
  headerBytes: Buffer
  chunks: Buffer[]
  /** Everything that is signed. */
  signed: Buffer
  signature: Buffer
}

function isHeader(value: unknown): value is Header {
  const { format, pairing, from, number, schema, key } = (value ?? {}) as Record<string, unknown>
  return (
    Number.isSafeInteger(format) &&
    typeof pairing === 'string' &&
    (from === 'client' || from === 'adviser') &&
    Number.isSafeInteger(number) &&
    Number.isSafeInteger(schema) &&
    typeof key === 'string'
  )
}

/** Parses the header. Throws `bundle_unreadable`, `bundle_torn`, or `bundle_newer` for a later format. */
export function readHeader(file: Buffer): { header: Header; end: number } {
  const start = MAGIC.length + LENGTH_BYTES
  if (!file.subarray(0, MAGIC.length).equals(MAGIC)) throw new AppError('bundle_unreadable')
  if (file.length < start) throw torn()
  const length = file.readUInt32BE(MAGIC.length)
  if (length > MAX_HEADER_BYTES) throw tampered()
  if (file.length < start + length) throw torn()
  let header: unknown
  try {
    header = JSON.parse(file.subarray(start, start + length).toString('utf8'))
  } catch {
    throw tampered()
  }
  const format = (header as { format?: unknown } | null)?.format
  if (typeof format === 'number' && format > FORMAT)
    throw new AppError('bundle_newer', { details: { format, known: FORMAT } })
  if (!isHeader(header)) throw tampered()
  return { header, end: start + length }
}

function readFrames(file: Buffer): Framed {
  const { header, end } = readHeader(file)
  const chunks: Buffer[] = []
  let at = end
  for (let isLast = false; !isLast;) {
    if (file.length < at + LENGTH_BYTES) throw torn()
    const word = file.readUInt32BE(at)
    isLast = word >= LAST
    const length = isLast ? word - LAST : word
    if (length < TAG_BYTES || length > CHUNK_BYTES + TAG_BYTES) throw tampered()
    at += LENGTH_BYTES
    if (file.length < at + length) throw torn()
    chunks.push(file.subarray(at, at + length))
    at += length
  }
  if (file.length < at + SIGNATURE_BYTES) throw torn()
  if (file.length > at + SIGNATURE_BYTES) throw tampered()
  const headerBytes = file.subarray(MAGIC.length + LENGTH_BYTES, end)
  return { header, headerBytes, chunks, signed: file.subarray(0, at), signature: file.subarray(at) }
}

/**
 * Returns the content of a file. Throws `bundle_torn` if its end is missing, and `bundle_tampered` if it was changed or
 * is not of that sender for this receiver; nothing of the content is looked at before.
 */
export function openFile(file: Buffer, { own, peer }: { own: SecretKeys; peer: PublicKeys }): Buffer {
  const { header, headerBytes, chunks, signed, signature } = readFrames(file)
  if (!verify(null, createHash('sha512').update(signed).digest(), peer.sign, signature)) throw tampered()
  try {
    const once = agreeingKey(Buffer.from(header.key, 'base64url'))
    const key = fileKey([agree(own.agree, once), agree(own.agree, peer.agree)], headerBytes)
    const plain = chunks.map((chunk, index) => {
      const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index, index === chunks.length - 1), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAuthTag(chunk.subarray(-TAG_BYTES))
      return Buffer.concat([decipher.update(chunk.subarray(0, -TAG_BYTES)), decipher.final()])
    })
    key.fill(0)
    return Buffer.concat(plain)
  } catch {
    throw tampered()
  }
}

/** Identifies a file. */
export function fileHash(file: Uint8Array): string {
  return createHash('sha256').update(file).digest('hex')
}
