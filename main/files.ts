/** Files that the system was asked to open with Sello: looked at, read once, and handed on as bytes. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, extname, isAbsolute, resolve } from 'node:path'
import type { OpenedFile } from '../preload/contract.ts'

/** What received documents come as, and what banks and other programs write. */
export const EXTENSIONS = new Set([
  '.pdf',
  '.xml',
  '.xsig',
  '.png',
  '.jpg',
  '.jpeg',
  '.webp',
  '.heic',
  '.txt',
  '.eml',
  '.csv',
  '.xlsx',
  '.n43',
])
/** As much as the server takes of a document. */
export const MAX_OPENED_BYTES = 20 * 1024 * 1024
/** So many at a time: more is a slip of the hand. */
export const MAX_OPENED_FILES = 20

export function hasKnownExtension(path: string): boolean {
  return EXTENSIONS.has(extname(path).toLowerCase())
}

/** Files among what stood on the command line, as absolute paths. */
export function filesOf(words: readonly string[], folder: string): string[] {
  return words
    .filter((word) => word !== '' && word.length < 4096 && !word.includes('\0') && hasKnownExtension(word))
    .slice(0, MAX_OPENED_FILES)
    .map((word) => (isAbsolute(word) ? word : resolve(folder, word)))
}

/** The file's name and bytes; null for what is no ordinary file, too big, empty, or of another kind. */
export async function readOpened(path: string): Promise<OpenedFile | null> {
  if (!hasKnownExtension(path)) return null
  let handle
  try {
    // Not to wait for whoever writes into a pipe with the name of a file.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    // Asked of what is open, so that it cannot be another file by the time it is read.
    const stat = await handle.stat()
    if (!stat.isFile() || stat.size === 0 || stat.size > MAX_OPENED_BYTES) return null
    const bytes = new Uint8Array(stat.size)
    const { bytesRead } = await handle.read(bytes, 0, stat.size, 0)
    return bytesRead === stat.size ? { name: basename(path), bytes } : null
  } catch {
    return null
  } finally {
    await handle?.close().catch(() => {})
  }
}
