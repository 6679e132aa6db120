/**
 * Reads an untrusted ZIP archive that is too large for the memory: the directory is checked first, and each entry is
 * unpacked in chunks within its declared size.
 */
import { Readable } from 'node:stream'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { UnreadableZip } from './unzip.ts'

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_ENTRY = 0x04034b50
const END_BYTES = 22
const LOCAL_BYTES = 30
const LONGEST_COMMENT = 65_535
const STORED = 0
const DEFLATED = 8
const ENCRYPTED_FLAG = 1
/** Deflate compresses at most 1,032 bytes into one. */
const HIGHEST_RATIO = 1_040
const RATIO_FREE_BYTES = 1024 * 1024
/** Bytes read at once. */
const STEP = 64 * 1024

interface FileEntry {
  name: string
  method: number
  /** As declared in the directory. */
  size: number
  packedSize: number
  crc: number
  /** Position of the header before the content. */
  local: number
}

interface Limits {
  entries: number
  /** All entries together, unpacked. */
  bytes: number
}

export class ZipFile {
  private readonly handle: FileHandle
  private readonly length: number
  readonly entries: ReadonlyMap<string, FileEntry>

  private constructor(handle: FileHandle, length: number, entries: ReadonlyMap<string, FileEntry>) {
    this.handle = handle
    this.length = length
    this.entries = entries
  }

  /** Opens an archive and reads its directory. Throws `UnreadableZip`, or an error of the system. */
  static async open(path: string, limits: Limits): Promise<ZipFile> {
    const handle = await open(path, 'r')
    try {
      const { size } = await handle.stat()
      return new ZipFile(handle, size, await readDirectory(handle, size, limits))
    } catch (error) {
      await handle.close()
      // An offset outside of what was read.
      throw error instanceof RangeError ? new UnreadableZip('broken') : error
    }
  }

  close(): Promise<void> {
    return this.handle.close()
  }

  /**
   * Yields the bytes of an entry in chunks. Throws `UnreadableZip` unless they have the declared size and checksum; what
   * was yielded before is not to be trusted then.
   */
  async *unpacked(entry: FileEntry): AsyncGenerator<Buffer, void, undefined> {
    const head = Buffer.alloc(LOCAL_BYTES)
    if ((await this.handle.read(head, 0, LOCAL_BYTES, entry.local)).bytesRead < LOCAL_BYTES) throw broken()
    if (head.readUInt32LE(0) !== LOCAL_ENTRY) throw broken()
    const start = entry.local + LOCAL_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28)
    if (start + entry.packedSize > this.length) throw broken()
    let crc = 0
    let bytes = 0
    try {
      for await (const piece of this.content(entry, start)) {
        bytes += piece.length
        if (bytes > entry.size) throw new UnreadableZip('too_large')
        crc = crc32(piece, crc)
        yield piece
      }
    } catch (error) {
      throw error instanceof UnreadableZip ? error : broken()
    }
    if (bytes !== entry.size || crc !== entry.crc) throw broken()
  }

  private async *content(entry: FileEntry, start: number): AsyncGenerator<Buffer, void, undefined> {
    if (entry.method === STORED) return yield* this.slices(start, entry.packedSize)
    const inflate = createInflateRaw()
    // The decoder pauses until its output is consumed, so only a small part of the entry is in memory.
    const from = Readable.from(this.slices(start, entry.packedSize))
    from.once('error', (error) => inflate.destroy(error))
    try {
      yield* from.pipe(inflate) as AsyncIterable<Buffer>
    } finally {
      from.destroy()
      inflate.destroy()
    }
  }

  private async *slices(start: number, length: number): AsyncGenerator<Buffer, void, undefined> {
    for (let at = 0; at < length;) {
      const piece = Buffer.allocUnsafe(Math.min(STEP, length - at))
      const { bytesRead } = await this.handle.read(piece, 0, piece.length, start + at)
      if (bytesRead === 0) throw broken()
      at += bytesRead
      yield piece.subarray(0, bytesRead)
    }
  }
}

const broken = (): UnreadableZip => new UnreadableZip('broken')

async function readAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, at + read)
    if (bytesRead === 0) throw broken()
    read += bytesRead
  }
  return bytes
}

async function readDirectory(
  handle: FileHandle,
  length: number,
  limits: Limits,
): Promise<Map<string, FileEntry>> {
  if (length < END_BYTES) throw broken()
  const tail = await readAt(
    handle,
    Math.max(0, length - END_BYTES - LONGEST_COMMENT),
    Math.min(length, END_BYTES + LONGEST_COMMENT),
  )
  let end = tail.length - END_BYTES
  while (end >= 0 && tail.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1
  if (end < 0) throw broken()
  const count = tail.readUInt16LE(end + 10)
  const size = tail.readUInt32LE(end + 12)
  const begin = tail.readUInt32LE(end + 16)
  if (count > limits.entries) throw new UnreadableZip('too_large')
  if (begin + size > length) throw broken()
  const directory = await readAt(handle, begin, size)
  const found = new Map<string, FileEntry>()
  let sum = 0
  let packedSum = 0
  for (let at = 0, index = 0; index < count; index += 1) {
    if (directory.readUInt32LE(at) !== DIRECTORY_ENTRY) throw broken()
    if ((directory.readUInt16LE(at + 8) & ENCRYPTED_FLAG) !== 0) throw new UnreadableZip('protected')
    const method = directory.readUInt16LE(at + 10)
    if (method !== STORED && method !== DEFLATED) throw broken()
    const packedSize = directory.readUInt32LE(at + 20)
    const unpackedSize = directory.readUInt32LE(at + 24)
    const nameLength = directory.readUInt16LE(at + 28)
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength)
    sum += unpackedSize
    packedSum += packedSize
    // Entries that share their bytes expand to more than any archive of this length can hold.
    if (packedSum > length) throw broken()
    if (sum > limits.bytes) throw new UnreadableZip('too_large')
    if (unpackedSize > RATIO_FREE_BYTES && unpackedSize > packedSize * HIGHEST_RATIO) throw broken()
    if (method === STORED && packedSize !== unpackedSize) throw broken()
    // Programs disagree on which of two entries with one name is the file.
    if (found.has(name)) throw broken()
    found.set(name, {
      name,
      method,
      size: unpackedSize,
      packedSize,
      crc: directory.readUInt32LE(at + 16),
      local: directory.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return found
}
