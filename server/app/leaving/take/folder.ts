/** Where archives wait beside the books of a desk: what was sent from the window, and what is put together of it. */
import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Folder in that of the books. */
const FOLDER = 'archive'

/** Prefix of a file that is handed over. */
const HANDED = 'sello-archive-'
/** A file of this age belongs to a process that has ended: nothing takes so long. */
const LEFT_BEHIND_MS = 12 * 60 * 60_000

export const archiveFolder = (dataDir: string): string => join(dataDir, FOLDER)
export const stagingFolder = (dataDir: string): string => join(archiveFolder(dataDir), 'staged')
export const sentFile = (dataDir: string, id: string): string => join(archiveFolder(dataDir), `${id}.zip`)

/** Where an archive is until it has been handed over. */
export const handedFile = (folder: string, id: string): string => join(folder, `${HANDED}${id}.zip`)

/** Removes archives that nobody fetched, in a folder that other programs use too. */
export function dropUnfetched(folder: string, at: number): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(HANDED)) continue
    const file = join(folder, name)
    try {
      if (at - statSync(file).mtimeMs > LEFT_BEHIND_MS) rmSync(file, { force: true })
    } catch {
      // Another process removes it, or it belongs to another user.
    }
  }
}

/** Removes an archive that was sent and given up, whole or in part. */
export function dropSent(dataDir: string): void {
  const folder = archiveFolder(dataDir)
  for (const name of readdirSync(folder))
    if (!name.startsWith(HANDED)) rmSync(join(folder, name), { recursive: true, force: true })
}

/** Removes the folder once nothing is in it. */
export function removeIfEmpty(dataDir: string): void {
  try {
    rmdirSync(archiveFolder(dataDir))
  } catch {
    // Another archive is in it.
  }
}

/** Removes what a program that was killed left behind: an archive is not encrypted. */
export function dropArchives(dataDir: string): void {
  rmSync(archiveFolder(dataDir), { recursive: true, force: true })
}
