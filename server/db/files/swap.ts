/**
 * Putting other books in the place of those in a folder, so that a crash at any moment leaves the old ones or the new ones.
 * The new files wait in a folder beside, proved; a journal is written, and from then on the swap is finished by whoever
 * opens the books next; before it, what waits is thrown away. What was there is moved aside and never deleted.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../domain/errors/catalog.ts'
import { failpoint } from '../failpoints.ts'
import { syncFolder, writeFileDurably } from './atomic-files.ts'

/** Where the new files wait, within the folder of the books: renaming must not cross disks. */
export const STAGING = 'restoring'
export const JOURNAL_FILE = 'restore.json'

interface Journal {
  version: 1
  /** `out`: files of the old books are being moved aside, none of the new ones is in place. `in`: all of the old are. */
  phase: 'out' | 'in'
  /** Folder for the old files, within that of the books. */
  aside: string
  out: string[]
  in: string[]
}

export type Swap = Pick<Journal, 'aside' | 'out' | 'in'>

/** Whether a swap was begun and not finished. */
export const isSwapping = (folder: string): boolean => existsSync(join(folder, JOURNAL_FILE))

const writeJournal = (folder: string, journal: Journal): void =>
  writeFileDurably(join(folder, JOURNAL_FILE), `${JSON.stringify(journal)}\n`)

/** Moves the files that are still in `from`; those that are not were moved before. */
function moveAll(names: readonly string[], from: string, to: string): void {
  for (const name of names) {
    if (!existsSync(join(from, name))) continue
    renameSync(join(from, name), join(to, name))
    failpoint('restore.file_moved')
  }
  // Both know of it after a power cut, before the journal says that this half is done.
  syncFolder(to)
  syncFolder(from)
}

/** Swaps. The files named in `in` wait in the staging folder, on the disk; the caller holds the lock of the books. */
export function swap(folder: string, { aside, out, in: staged }: Swap): void {
  syncFolder(join(folder, STAGING))
  writeJournal(folder, { version: 1, phase: 'out', aside, out, in: staged })
  failpoint('restore.decided')
  finishSwap(folder)
}

/** Throws `store_damaged` where the journal cannot be read: nobody knows then which files are whose. */
function readJournal(folder: string): Journal {
  try {
    const journal = JSON.parse(readFileSync(join(folder, JOURNAL_FILE), 'utf8')) as Journal | null
    if (journal?.version === 1) return journal
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new AppError('store_damaged', { details: { file: JOURNAL_FILE } })
}

/** Finishes the swap that the journal tells of; without one nothing is done. The caller holds the lock of the books. */
export function finishSwap(folder: string): void {
  if (!isSwapping(folder)) return
  const journal = readJournal(folder)
  const staging = join(folder, STAGING)
  if (journal.phase === 'out') {
    const aside = join(folder, journal.aside)
    if (journal.out.length > 0) {
      mkdirSync(aside, { recursive: true, mode: 0o700 })
      moveAll(journal.out, folder, aside)
    }
    writeJournal(folder, { ...journal, phase: 'in' })
    failpoint('restore.old_aside')
  }
  moveAll(journal.in, staging, folder)
  failpoint('restore.new_in_place')
  rmSync(join(folder, JOURNAL_FILE))
  syncFolder(folder)
  failpoint('restore.finished')
  dropStaging(folder)
}

const REKEYED = /^rekeyed-/

/** A name for the folder of books that were re-encrypted, which is deleted once the new ones are open. */
export const rekeyedName = (at: Date): string => `rekeyed-${at.toISOString().replaceAll(/[-:.]/g, '')}`

/** Deletes books of an earlier key: those of the present one are open. */
export function dropRekeyed(folder: string): void {
  if (isSwapping(folder)) return
  for (const name of readdirSync(folder))
    if (REKEYED.test(name)) rmSync(join(folder, name), { recursive: true, force: true })
}

/** Throws away what waits, unless a swap needs it. The caller holds the lock of the books. */
export function dropStaging(folder: string): void {
  if (!isSwapping(folder)) rmSync(join(folder, STAGING), { recursive: true, force: true })
}
