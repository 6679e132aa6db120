/** ZIP archive built file by file, compressed in a worker; the hash of each file is kept for the index. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { crc32, createDeflateRaw } from 'node:zlib'
import type { ZipInputFile } from 'fflate'
import { AppError } from '../../domain/errors/catalog.ts'

export interface PackedFile {
  path: string
  bytes: number
  sha256: string
}

const LEVEL = 6
/** Largest archive; a larger one would not fit in the memory of a small computer. */
const MAX_BYTES = 1_500_000_000

/** Opens an archive. `add` may be called until `finish`. Throws `books_too_large` when it exceeds the limit. */
export async function openPack(writtenAt: Date) {
  // Loaded here only, so that the start of the program does not wait for it.
  const { Zip } = await import('fflate/browser')
  const chunks: Uint8Array[] = []
  const hash = createHash('sha256')
  let size = 0
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(chunk)
    hash.update(chunk)
    size += chunk.length
  })
  const files: PackedFile[] = []

  async function add(
    path: string,
    content: Uint8Array | string | AsyncIterable<string>,
    compress = true,
  ): Promise<void> {
    if (size > MAX_BYTES) throw new AppError('books_too_large', { details: { bytes: MAX_BYTES } })
    const entry: ZipInputFile = {
      filename: path,
      size: 0,
      crc: 0,
      compression: compress ? 8 : 0,
      mtime: writtenAt,
    }
    zip.add(entry)
    const own = createHash('sha256')
    const count = (bytes: Uint8Array) => {
      entry.crc = crc32(bytes, entry.crc)
      entry.size += bytes.length
      own.update(bytes)
    }
    if (compress) {
      const deflate = createDeflateRaw({ level: LEVEL })
      deflate.on('data', (chunk: Buffer<ArrayBuffer>) => entry.ondata?.(null, chunk, false))
      const ended = once(deflate, 'end')
      const write = async (bytes: Uint8Array) => {
        count(bytes)
        if (!deflate.write(bytes)) await once(deflate, 'drain')
      }
      if (typeof content === 'string') await write(Buffer.from(content, 'utf8'))
      else if (content instanceof Uint8Array) await write(content)
      else for await (const part of content) await write(Buffer.from(part, 'utf8'))
      deflate.end()
      await ended
    } else if (content instanceof Uint8Array) {
      count(content)
      entry.ondata?.(null, new Uint8Array(content), false)
    }
    entry.ondata?.(null, new Uint8Array(), true)
    files.push({ path, bytes: entry.size, sha256: own.digest('hex') })
  }

  return {
    files,
    add,
    finish(): { bytes: Buffer; sha256: string } {
      zip.end()
      return { bytes: Buffer.concat(chunks), sha256: hash.digest('hex') }
    },
  }
}
export type Pack = Awaited<ReturnType<typeof openPack>>
