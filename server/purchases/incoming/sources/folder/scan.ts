/** The files of a folder: which there are, which are left alone, and how one is read. Originals are never touched. */
import { constants } from 'node:fs'
import { lstat, open, opendir, realpath } from 'node:fs/promises'
import type { BigIntStats } from 'node:fs'
import { join } from 'node:path'
import { MAX_FILE_BYTES } from '../../../../domain/media-types.ts'

export class FolderFault extends Error {
  readonly why: 'folder_gone' | 'folder_not_readable'
  constructor(why: FolderFault['why']) {
    super(why)
    this.name = 'FolderFault'
    this.why = why
  }
}

/** A file as the folder lists it. */
export interface FoundFile {
  name: string
  size: number
  /** Changes when the file does. */
  stamp: string
  isPlaceholder: boolean
}

/** Files that still come, and those of office programs that are open. */
const PARTIAL = /^~\$|\.(?:crdownload|part|partial|download|opdownload|tmp|temp|filepart|icloud|swp)$|~$/i
const HIDDEN = /^\.|^(?:desktop\.ini|thumbs\.db)$/i
/** Blocks that files in a cloud drive do not occupy before they are opened; tiny files occupy none anywhere. */
const SMALL_BYTES = 4096

/** Returns true for names of files that a person does not see as documents. */
function isLeftAlone(name: string): boolean {
  return HIDDEN.test(name) || PARTIAL.test(name)
}

function faultOf(error: unknown): FolderFault {
  const { code } = error as NodeJS.ErrnoException
  return new FolderFault(code === 'EACCES' || code === 'EPERM' ? 'folder_not_readable' : 'folder_gone')
}

/** Lists the names of plain files directly in a folder, in no order. Links, folders and devices are left. */
async function* namesIn(folder: string): AsyncGenerator<string> {
  try {
    // A link that took the place of the folder, or of one above it, leads elsewhere.
    if ((await realpath(folder)) !== folder) throw new FolderFault('folder_gone')
    const entries = await opendir(folder, { bufferSize: 256 })
    for await (const entry of entries) if (entry.isFile() && !isLeftAlone(entry.name)) yield entry.name
  } catch (error) {
    throw error instanceof FolderFault ? error : faultOf(error)
  }
}

/** Counts the files of a folder that count as documents. Throws a `FolderFault`. */
export async function countFiles(folder: string): Promise<number> {
  let count = 0
  for await (const _name of namesIn(folder)) count += 1
  return count
}

const stampOf = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string =>
  `${size}:${mtimeNs}:${ctimeNs}:${ino}`

/**
 * Lists the files of a folder with size and time. On Windows and macOS a file without blocks is the placeholder of a
 * cloud drive: reading it would download it. Throws a `FolderFault`.
 */
export async function filesIn(
  folder: string,
  { signal, platform = process.platform }: { signal?: AbortSignal; platform?: NodeJS.Platform } = {},
): Promise<FoundFile[]> {
  const files: FoundFile[] = []
  const drives = platform === 'win32' || platform === 'darwin'
  for await (const name of namesIn(folder)) {
    signal?.throwIfAborted()
    const stats = await lstat(join(folder, name), { bigint: true }).catch(() => null)
    if (!stats?.isFile()) continue
    const isPlaceholder = drives && stats.blocks === 0n && stats.size > SMALL_BYTES
    files.push({ name, size: Number(stats.size), stamp: stampOf(stats), isPlaceholder })
  }
  return files
}

/**
 * Reads a file as it was found; null if it changed, vanished, cannot be opened, or is no plain file any more. A link that
 * took its place is not followed.
 */
export async function readFound(
  folder: string,
  { name, size, stamp }: FoundFile,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (size > MAX_FILE_BYTES) return null
  // Windows has no such flags: there `lstat` just before is what tells a link.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const path = join(folder, name)
  const before = await lstat(path, { bigint: true }).catch(() => null)
  if (!before?.isFile() || stampOf(before) !== stamp) return null
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null)
  if (!handle) return null
  try {
    const opened = await handle.stat({ bigint: true })
    if (!opened.isFile() || stampOf(opened) !== stamp) return null
    const bytes = new Uint8Array(size)
    let filled = 0
    while (filled < size) {
      const { bytesRead } = await handle.read(bytes, filled, size - filled, filled)
      if (bytesRead === 0) return null
      filled += bytesRead
    }
    return stampOf(await handle.stat({ bigint: true })) === stamp ? bytes : null
  } catch {
    return null
  } finally {
    await handle.close()
  }
}
