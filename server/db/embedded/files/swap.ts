/**
 * Replaces the books of a folder so that a crash at any moment leaves either the old or the new ones. The new files
 * are verified in a staging folder; then a journal is written, after which the next opening of the books completes
 * the swap. Without a journal the staged files are discarded. The old files are moved aside and never deleted.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../domain/errors/app-error.ts'
import { failpoint } from '../../failpoints.ts'
import { syncFolder, writeFileDurably } from './atomic-files.ts'

/** Staging folder of the new files, inside the folder of the books: renaming must not cross disks. */
export const STAGING = 'restoring'
export const JOURNAL_FILE = 'restore.json'

interface Journal {
  version: 1
  /**
   * `out`: the old files are being moved aside, and none of the new ones is in place. `in`: all old files have been
   * moved.
   */
  phase: 'out' | 'in'
  /** Folder for the old files, inside that of the books. */
  aside: string
  out: string[]
  in: string[]
}

type Swap = Pick<Journal, 'aside' | 'out' | 'in'>

/** Returns true if a swap was begun and not completed. */
export const isSwapping = (folder: string): boolean => existsSync(join(folder, JOURNAL_FILE))

const writeJournal = (folder: string, journal: Journal): void =>
  writeFileDurably(join(folder, JOURNAL_FILE), `${JSON.stringify(journal)}\n`)

/** Moves the files that are still in `from`; the others were moved before. */
function moveAll(names: readonly string[], from: string, to: string): void {
  for (const name of names) {
    if (!existsSync(join(from, name))) continue
    renameSync(join(from, name), join(to, name))
    failpoint('restore.file_moved')
  }
  // Both folders are synced before the journal records that this half is done.
  syncFolder(to)
  syncFolder(from)
}

/**
 * Swaps the books. The files listed in `in` are in the staging folder and synced; the caller holds the lock of the
 * books.
 */
export function swap(folder: string, { aside, out, in: staged }: Swap): void {
  syncFolder(join(folder, STAGING))
  writeJournal(folder, { version: 1, phase: 'out', aside, out, in: staged })
  failpoint('restore.decided')
  finishSwap(folder)
}

/** Reads the journal. Throws `store_damaged` if it cannot be read, since the state of the files is then unknown. */
function readJournal(folder: string): Journal {
  try {
    const journal = JSON.parse(readFileSync(join(folder, JOURNAL_FILE), 'utf8')) as Journal | null
    if (journal?.version === 1) return journal
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new AppError('store_damaged', { details: { file: JOURNAL_FILE } })
}

/** Completes the swap in the journal; without a journal it does nothing. The caller holds the lock of the books. */
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

/** Returns a folder name for re-encrypted books' earlier files, which are deleted once the new ones are open. */
export const rekeyedName = (at: Date): string => `rekeyed-${at.toISOString().replaceAll(/[-:.]/g, '')}`

/** Deletes books under an earlier key. Call it only after those under the present key have been opened. */
export function dropRekeyed(folder: string): void {
  if (isSwapping(folder)) return
  for (const name of readdirSync(folder))
    if (REKEYED.test(name)) rmSync(join(folder, name), { recursive: true, force: true })
}

/** Discards the staged files unless a swap needs them. The caller holds the lock of the books. */
export function dropStaging(folder: string): void {
  if (!isSwapping(folder)) rmSync(join(folder, STAGING), { recursive: true, force: true })
}
