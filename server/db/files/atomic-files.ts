/** Small files written so that a power cut leaves either the old or the new one. */
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

/** Writes a file so that others find it whole or not at all, for this user alone. After a power cut it may be gone. */
export function writeFileWhole(file: string, text: string): void {
  const beside = `${file}.new`
  rmSync(beside, { force: true })
  writeFileSync(beside, text, { flag: 'wx', mode: 0o600 })
  renameSync(beside, file)
}

/** Takes files away from other users of this computer. One that is missing, or of another owner, is left as it is. */
export function restrictToOwner(folder: string, names: readonly string[], mode: number): void {
  if (process.platform === 'win32') return
  for (const name of names) {
    try {
      chmodSync(join(folder, name), mode)
    } catch (error) {
      // On read-only media, or in a folder of another owner, the mode is theirs to choose.
      if (!/^(ENOENT|EPERM|EROFS|EACCES)$/.test((error as { code?: string }).code ?? '')) throw error
    }
  }
}

/** Writes beside, syncs, renames, syncs the folder. Mode 0600. */
export function writeFileDurably(file: string, text: string): void {
  const beside = `${file}.new`
  // One left by an interrupted writing may be readable by others, and would keep its mode.
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

/** Makes sure that what a file holds is on the disk. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Renames within a folder, and makes sure that the folder knows it after a power cut. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  syncFolder(dirname(to))
}

/** Makes sure that a folder knows its files after a power cut; Windows has no such call and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** As `writeFileDurably`, without holding anybody up while the disk is waited for. One at a time for each file. */
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
