/** Small files written so that a power cut leaves either the old or the new one. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

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
  renameSync(beside, file)
  if (process.platform === 'win32') return
  const folder = openSync(dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
