/** A ZIP that is made while it is read: one entry at a time is in memory, and none is made before it is asked for. */
import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'
import type { ZipInputFile } from 'fflate'

export interface ZipEntry {
  name: string
  bytes: Uint8Array
  /** False for what is compressed already. */
  compress: boolean
}

/** Fields of 32 bits: beyond this a ZIP needs an extension that not every program reads. */
export const MOST_ZIP_BYTES = 4_000_000_000

const STORED = 0
const DEFLATED = 8
const compressed = promisify(deflateRaw)

/** Two names may differ only in signs that no file name can have: the second is told apart, and not by its case. */
export function uniqueName(name: string, taken: Set<string>): string {
  const [, base = name, end = ''] = /^(.*?)((?:-[a-z]+)?\.[a-z]+)$/s.exec(name) ?? []
  let unique = name
  for (let copy = 2; taken.has(unique.toLowerCase()); copy += 1) unique = `${base}(${copy})${end}`
  taken.add(unique.toLowerCase())
  return unique
}

/** A name that leads nowhere but into its folder. */
export const safeEntryName = (name: string): string =>
  name.replace(/[\\/:*?"<>|\p{C}]+/gu, '-').replace(/^\.+/, '') || 'archivo'

/** The archive in pieces. Whoever stops reading stops the entries too. */
export async function* zipOf(
  entries: AsyncIterable<ZipEntry>,
  writtenAt: Date,
): AsyncGenerator<Uint8Array, void, undefined> {
  // Loaded only here: the start of the program does not wait for it.
  const { Zip } = await import('fflate/browser')
  const pieces: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    pieces.push(piece)
  })
  for await (const { name, bytes, compress } of entries) {
    const file: ZipInputFile = {
      filename: name,
      size: bytes.byteLength,
      crc: crc32(bytes),
      compression: compress ? DEFLATED : STORED,
      mtime: writtenAt,
    }
    zip.add(file)
    file.ondata?.(null, new Uint8Array(compress ? await compressed(bytes) : bytes), false)
    file.ondata?.(null, new Uint8Array(), true)
    yield* pieces.splice(0)
  }
  zip.end()
  yield* pieces
}
