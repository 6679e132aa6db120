/**
 * Reads an untrusted ZIP archive: the directory is checked first, and each entry is unpacked in chunks within its
 * declared size.
 */
import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_ENTRY = 0x04034b50
const END_BYTES = 22
const LONGEST_COMMENT = 65_535
const STORED = 0
const DEFLATED = 8
const ENCRYPTED_FLAG = 1
/** Deflate compresses at most 1,032 bytes into one. */
const HIGHEST_RATIO = 1_040
const RATIO_FREE_BYTES = 1024 * 1024
/** Bytes given to the decoder at once. */
const STEP = 4_096

/** `protected`: an entry is encrypted. */
export type ZipFault = 'broken' | 'too_large' | 'protected'

export class UnreadableZip extends Error {
  readonly why: ZipFault
  constructor(why: ZipFault) {
    super(why)
    this.name = 'UnreadableZip'
    this.why = why
  }
}

export interface PackedEntry {
  name: string
  packed: Buffer
  method: number
  /** As declared in the directory; exceeding it while unpacking is rejected. */
  size: number
}

interface ZipLimits {
  entries: number
  /** All entries together, unpacked. */
  bytes: number
}

/**
 * Returns the entries of an archive by name, with declared sizes checked but nothing unpacked. Throws
 * `UnreadableZip`.
 */
export function openZip(bytes: Buffer, limits: ZipLimits): Map<string, PackedEntry> {
  try {
    return entriesOf(bytes, limits)
  } catch (error) {
    // An offset outside the file.
    throw error instanceof UnreadableZip ? error : new UnreadableZip('broken')
  }
}

function entriesOf(bytes: Buffer, limits: ZipLimits): Map<string, PackedEntry> {
  let end = bytes.length - END_BYTES
  const last = Math.max(0, end - LONGEST_COMMENT)
  while (end >= last && bytes.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1
  if (end < last) throw new UnreadableZip('broken')
  const count = bytes.readUInt16LE(end + 10)
  if (count > limits.entries) throw new UnreadableZip('too_large')
  const found = new Map<string, PackedEntry>()
  let sum = 0
  let packedSum = 0
  for (let at = bytes.readUInt32LE(end + 16), index = 0; index < count; index++) {
    if (bytes.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new UnreadableZip('broken')
    if ((bytes.readUInt16LE(at + 8) & ENCRYPTED_FLAG) !== 0) throw new UnreadableZip('protected')
    const method = bytes.readUInt16LE(at + 10)
    const packedSize = bytes.readUInt32LE(at + 20)
    const size = bytes.readUInt32LE(at + 24)
    const nameLength = bytes.readUInt16LE(at + 28)
    const local = bytes.readUInt32LE(at + 42)
    sum += size
    packedSum += packedSize
    // Entries that share their bytes expand to more than any archive of this length can hold.
    if (packedSum > bytes.length) throw new UnreadableZip('broken')
    if (sum > limits.bytes) throw new UnreadableZip('too_large')
    if (size > RATIO_FREE_BYTES && size > packedSize * HIGHEST_RATIO) throw new UnreadableZip('broken')
    if (bytes.readUInt32LE(local) !== LOCAL_ENTRY) throw new UnreadableZip('broken')
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    if (start + packedSize > bytes.length) throw new UnreadableZip('broken')
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    found.set(name, { name, packed: bytes.subarray(start, start + packedSize), method, size })
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return found
}

/** Yields the bytes of an entry in chunks. Throws `UnreadableZip` when they exceed the declared size. */
export async function* unpacked(entry: PackedEntry): AsyncGenerator<Buffer, void, undefined> {
  if (entry.method === STORED) {
    yield entry.packed
    return
  }
  if (entry.method !== DEFLATED) throw new UnreadableZip('broken')
  const inflate = createInflateRaw()
  let bytes = 0
  // The decoder pauses until its output is consumed, so only a small part of the entry is in memory.
  const fed = Readable.from(slicesOf(entry.packed)).pipe(inflate)
  try {
    for await (const piece of fed as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > entry.size) throw new UnreadableZip('too_large')
      yield piece
    }
  } catch (error) {
    throw error instanceof UnreadableZip ? error : new UnreadableZip('broken')
  } finally {
    inflate.destroy()
  }
}

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += STEP) yield bytes.subarray(at, at + STEP)
}
