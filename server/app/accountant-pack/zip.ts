/** ZIP archive built file by file, compressed in a worker; the hash of each file is kept for the index. */
import { createHash } from 'node:crypto'
import { AppError } from '../../domain/errors/app-error.ts'
import { openZip } from '../../domain/formats/zip-stream.ts'

export interface PackedFile {
  path: string
  bytes: number
  sha256: string
}

/** Largest archive; a larger one would not fit in the memory of a small computer. */
const MAX_BYTES = 1_500_000_000

/** Opens an archive. `add` may be called until `finish`. Throws `books_too_large` when it exceeds the limit. */
export async function openPack(writtenAt: Date) {
  const zip = await openZip(writtenAt)
  const chunks: Uint8Array[] = []
  const hash = createHash('sha256')
  let size = 0
  const files: PackedFile[] = []

  function keep(chunk: Uint8Array): void {
    chunks.push(chunk)
    hash.update(chunk)
    size += chunk.length
  }

  async function add(
    path: string,
    content: Uint8Array | string | AsyncIterable<string>,
    compress = true,
  ): Promise<void> {
    if (size > MAX_BYTES) throw new AppError('books_too_large', { details: { bytes: MAX_BYTES } })
    const whole = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
    const own = createHash('sha256')
    let bytes = 0
    const pieces = zip.add(
      whole instanceof Uint8Array ? { name: path, bytes: whole, compress } : { name: path, parts: whole },
      (part) => {
        bytes += part.byteLength
        own.update(part)
      },
    )
    for await (const piece of pieces) keep(piece)
    files.push({ path, bytes, sha256: own.digest('hex') })
  }

  return {
    files,
    add,
    finish(): { bytes: Buffer; sha256: string } {
      for (const piece of zip.end()) keep(piece)
      return { bytes: Buffer.concat(chunks), sha256: hash.digest('hex') }
    },
  }
}
export type Pack = Awaited<ReturnType<typeof openPack>>
