/** Reads files that the system was asked to open with Sello: checked, read once, and passed on as bytes. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, extname, isAbsolute, resolve } from 'node:path'
import type { OpenedFile } from '../preload/contract.ts'

/** Formats of purchase documents, bank statements and exports of other programs. */
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
/** The server's limit for a document. */
export const MAX_OPENED_BYTES = 20 * 1024 * 1024
/** Maximum number of files at once: more is likely a mistake. */
export const MAX_OPENED_FILES = 20

function hasKnownExtension(path: string): boolean {
  return EXTENSIONS.has(extname(path).toLowerCase())
}

/** Returns the files among the command-line arguments, as absolute paths. */
export function filesOf(words: readonly string[], folder: string): string[] {
  return words
    .filter((word) => word !== '' && word.length < 4096 && !word.includes('\0') && hasKnownExtension(word))
    .slice(0, MAX_OPENED_FILES)
    .map((word) => (isAbsolute(word) ? word : resolve(folder, word)))
}

/** Returns the file's name and bytes; null if it is not a regular file, too big, empty, or of another type. */
export async function readOpened(path: string): Promise<OpenedFile | null> {
  if (!hasKnownExtension(path)) return null
  let handle
  try {
    // Opens without blocking on a named pipe.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    // Checked on the open handle, so that the file cannot be replaced before it is read.
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
