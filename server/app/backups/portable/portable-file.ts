/**
 * Portable file format: eight bytes of magic number, the header length (four bytes, big-endian), the header in JSON,
 * and the encrypted database unchanged. The clear-text header contains what anyone may know and what the owner of the
 * recovery code needs; the progress of each book is sealed, because it is confidential.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { z } from 'zod'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import { sha256Hex } from '../../../domain/sha256.ts'
import { Instant } from '../../../domain/contract/fields.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Marks } from '../../../registry/index.ts'
import { createSealer, deriveKey } from '../../../db/seal.ts'

const MAGIC = Buffer.from('SELLOBAK', 'ascii')
const LENGTH_BYTES = 4
/** Far above any header size: a file that claims more is not a backup and is not read into memory. */
const HEADER_BYTES_AT_MOST = 4 * 1024 * 1024
export const PORTABLE_FORMAT = 1

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const PortableHeader = z.strictObject({
  format: z.literal(PORTABLE_FORMAT),
  storeId: z.uuid(),
  createdAt: Instant,
  /** Number of the last migration of the books. */
  schema: z.int().positive(),
  /** Version of the Sello that made it. */
  app: z.string().max(50),
  /** Distinguishes a wrong key from a damaged file, as in the keyring file. */
  keyCheck: z.string().max(100),
  /** The master key wrapped by the recovery code, as in `recovery.json`. */
  recovery: z.strictObject({
    version: z.literal(1),
    salt: z.string().max(100),
    wrapped: z.string().max(500),
    createdAt: Instant,
  }),
  /** SHA-256 of the canonical export. */
  content: Sha256,
  body: z.strictObject({ bytes: z.int().positive(), sha256: Sha256 }),
  /** Progress of each book, sealed together with all fields above. */
  sealed: z.string(),
})
type PortableHeader = z.infer<typeof PortableHeader>

type OpenHeader = Omit<PortableHeader, 'sealed'>

const place = (header: OpenHeader): string => `portable|${sha256Hex(canonicalJson(header))}`
const sealerOf = (masterKey: Uint8Array) => createSealer(deriveKey(masterKey, 'portable-v1'))

/** Seals the progress marks into a header. They open with this header only: any change to it makes them unreadable. */
export function sealHeader(header: OpenHeader, marks: Marks, masterKey: Uint8Array): PortableHeader {
  return { ...header, sealed: sealerOf(masterKey).seal(JSON.stringify(marks), place(header)) }
}

/** Returns the progress of each book from the header. Throws `backup_damaged` when any part of it was changed. */
export function openHeader({ sealed, ...header }: PortableHeader, masterKey: Uint8Array): Marks {
  try {
    return JSON.parse(sealerOf(masterKey).open(sealed, place(header)).toString()) as Marks
  } catch (error) {
    throw new AppError('backup_damaged', { details: { why: 'header' }, cause: error })
  }
}

/** Returns the bytes before the database. */
export function headerBytes(header: PortableHeader): Buffer {
  const text = Buffer.from(JSON.stringify(header), 'utf8')
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(text.length)
  return Buffer.concat([MAGIC, length, text])
}

interface PortableFile {
  header: PortableHeader
  /** Offset of the database, in bytes. */
  bodyAt: number
}

function parsedHeader(text: string): PortableHeader {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    throw new AppError('backup_damaged', { details: { why: 'header' } })
  }
  const { format } = (raw ?? {}) as { format?: unknown }
  if (typeof format === 'number' && format > PORTABLE_FORMAT)
    throw new AppError('store_newer', { details: { format, knownFormat: PORTABLE_FORMAT } })
  const parsed = PortableHeader.safeParse(raw)
  if (!parsed.success) throw new AppError('backup_damaged', { details: { why: 'header' } })
  return parsed.data
}

/**
 * Reads the header, without verifying the body. Throws `backup_unknown` for a file of another kind, `backup_damaged`
 * for a truncated or damaged one, `store_newer` for a format of a later Sello.
 */
export function readPortable(file: string): PortableFile {
  const descriptor = openSync(file, 'r')
  try {
    const start = Buffer.alloc(MAGIC.length + LENGTH_BYTES)
    const read = readSync(descriptor, start, 0, start.length, 0)
    if (!start.subarray(0, Math.min(read, MAGIC.length)).equals(MAGIC)) throw new AppError('backup_unknown')
    const length = start.readUInt32BE(MAGIC.length)
    if (read < start.length || length > HEADER_BYTES_AT_MOST)
      throw new AppError('backup_damaged', { details: { why: 'header' } })
    const text = Buffer.alloc(length)
    if (readSync(descriptor, text, 0, length, start.length) < length)
      throw new AppError('backup_damaged', { details: { why: 'cut_off' } })
    const header = parsedHeader(text.toString('utf8'))
    const bodyAt = start.length + length
    const bytes = fstatSync(descriptor).size - bodyAt
    if (bytes !== header.body.bytes)
      throw new AppError('backup_damaged', {
        details: { why: bytes < header.body.bytes ? 'cut_off' : 'longer' },
      })
    return { header, bodyAt }
  } finally {
    closeSync(descriptor)
  }
}
