/**
 * A ZIP archive produced while it is read: one entry at a time is in memory, and none is created before it is
 * requested.
 */
import { once } from 'node:events'
import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib'
import type { ZipInputFile } from 'fflate'

/**
 * A complete file, or the parts of one that is produced while it is written and always compressed: text as UTF-8, bytes as
 * they are.
 */
export type ZipEntry =
  | {
      name: string
      bytes: Uint8Array
      /** False for content that is already compressed. */
      compress: boolean
    }
  | { name: string; parts: AsyncIterable<string | Uint8Array> }

/** Sizes and offsets have 32 and 16 bits: larger archives need an extension that not every program reads. */
export const MOST_ZIP_BYTES = 4_000_000_000
export const MOST_ZIP_ENTRIES = 65_535

const STORED = 0
const DEFLATED = 8
const compressed = promisify(deflateRaw)

/**
 * Returns a unique file name. Two names may differ only in characters that file names cannot contain, or only in
 * case: the second one gets a suffix.
 */
export function uniqueName(name: string, taken: Set<string>): string {
  const [, base = name, end = ''] = /^(.*?)((?:-[a-z]+)?\.[a-z]+)$/s.exec(name) ?? []
  let unique = name
  for (let copy = 2; taken.has(unique.toLowerCase()); copy += 1) unique = `${base}(${copy})${end}`
  taken.add(unique.toLowerCase())
  return unique
}

/** Returns a name that cannot lead outside its folder. */
export const safeEntryName = (name: string): string =>
  name.replace(/[\\/:*?"<>|\p{C}]+/gu, '-').replace(/^\.+/, '') || 'archivo'

/** The parts compressed away from this thread; `onContent` is called with the bytes of each before. */
async function* deflated(
  parts: AsyncIterable<string | Uint8Array>,
  onContent: (bytes: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  const deflate = createDeflateRaw()
  const made: Uint8Array[] = []
  deflate.on('data', (piece: Uint8Array) => made.push(piece))
  for await (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part
    onContent(bytes)
    await new Promise<void>((resolve, reject) =>
      deflate.write(bytes, (error) => (error ? reject(error) : resolve())),
    )
    yield* made.splice(0)
  }
  const ended = once(deflate, 'end')
  deflate.end()
  await ended
  yield* made
}

/** Writes an archive entry by entry. */
interface ZipWriter {
  /** Writes one entry and returns the pieces as they are made. `onContent` is called with its bytes before compression. */
  add(entry: ZipEntry, onContent?: (bytes: Uint8Array) => void): AsyncGenerator<Uint8Array>
  /** Writes the directory and returns the last pieces. */
  end(): Uint8Array[]
}

export async function openZip(writtenAt: Date): Promise<ZipWriter> {
  // Loaded at first use, so that the start of the program does not wait for it.
  const { Zip } = await import('fflate/browser')
  const pieces: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    pieces.push(piece)
  })
  return {
    async *add(entry, onContent = () => {}) {
      const isWhole = 'bytes' in entry
      const file: ZipInputFile = {
        filename: entry.name,
        size: 0,
        crc: 0,
        compression: isWhole && !entry.compress ? STORED : DEFLATED,
        mtime: writtenAt,
      }
      const count = (bytes: Uint8Array): void => {
        file.crc = crc32(bytes, file.crc)
        file.size += bytes.byteLength
        onContent(bytes)
      }
      if (isWhole) count(entry.bytes)
      zip.add(file)
      if (isWhole)
        file.ondata?.(
          null,
          new Uint8Array(entry.compress ? await compressed(entry.bytes) : entry.bytes),
          false,
        )
      else
        for await (const piece of deflated(entry.parts, count)) {
          file.ondata?.(null, new Uint8Array(piece), false)
          yield* pieces.splice(0)
        }
      file.ondata?.(null, new Uint8Array(), true)
      yield* pieces.splice(0)
    },
    end() {
      zip.end()
      return pieces.splice(0)
    },
  }
}

/** The archive in pieces. Whoever stops reading stops the entries too. */
export async function* zipOf(
  entries: AsyncIterable<ZipEntry>,
  writtenAt: Date,
): AsyncGenerator<Uint8Array, void, undefined> {
  const zip = await openZip(writtenAt)
  for await (const entry of entries) yield* zip.add(entry)
  yield* zip.end()
}
