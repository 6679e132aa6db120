/** Atomic writes of small files: a power cut leaves either the old or the new version. */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Writes a file so that readers see it complete or not at all, with access for this user only. It may be lost in a
 * power cut.
 */
export function writeFileWhole(file: string, text: string): void {
  const beside = `${file}.new`
  rmSync(beside, { force: true })
  writeFileSync(beside, text, { flag: 'wx', mode: 0o600 })
  renameSync(beside, file)
}

/** Removes other users' access to files. Ignores files that are missing or belong to another owner. */
export function restrictToOwner(folder: string, names: readonly string[], mode: number): void {
  if (process.platform === 'win32') return
  for (const name of names) {
    try {
      chmodSync(join(folder, name), mode)
    } catch (error) {
      // On read-only media, or in a folder of another owner, the mode cannot be changed.
      if (!/^(ENOENT|EPERM|EROFS|EACCES)$/.test((error as { code?: string }).code ?? '')) throw error
    }
  }
}

/** Writes a temporary file, syncs it, renames it and syncs the folder. Mode 0600. */
export function writeFileDurably(file: string, text: string): void {
  const beside = `${file}.new`
  // A leftover of an interrupted write may be readable by others and would keep its mode.
  rmSync(beside, { force: true })
  const descriptor = openSync(beside, 'wx', 0o600)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameDurably(beside, file)
}

/** Flushes the content of a file to disk. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Renames within a folder and syncs the folder, so that the rename survives a power cut. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  syncFolder(dirname(to))
}

/** Syncs a folder so that its entries survive a power cut; Windows has no such call and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Writes like `writeFileDurably`, but asynchronously. One call at a time per file. */
export async function writeFileDurablyAside(file: string, text: string): Promise<void> {
  const beside = `${file}.new`
  await rm(beside, { force: true })
  const written = await open(beside, 'wx', 0o600)
  try {
    await written.writeFile(text)
    await written.sync()
  } finally {
    await written.close()
  }
  await rename(beside, file)
  if (process.platform === 'win32') return
  const folder = await open(dirname(file), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
