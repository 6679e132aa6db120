/** Checks books before they are opened, so that damage is reported with its position before anything is written. */
import { damagedPages } from '../../db/embedded/files/damage.ts'
import { hasLog, readWithoutWriting } from '../../db/embedded/open.ts'
import { FAULTS_LISTED } from '../../domain/proof.ts'
import { isDiskFull } from '../../db/disk-space.ts'
import type { Check } from './check.ts'
import { isLogForeign } from './foreign-log.ts'

export interface ClosedBooks {
  folder: string
  masterKey: Buffer
  storeId: string
}

/**
 * Returns the damage of the file or its log; null when SQLite reads both completely. Writes nothing. Throws when the
 * disk is full.
 */
export async function inspectBeforeOpening(books: ClosedBooks): Promise<Check | null> {
  const { folder, masterKey } = books
  const lines = await faultsOf(books).catch((error: unknown) => {
    // Without disk space no encrypted file opens, which says nothing about the books.
    if (isDiskFull(String((error as { code?: unknown }).code), folder)) throw error
    return [`The file cannot be read: ${(error as Error).message}.`]
  })
  if (lines.length === 0) return null
  const pages = damagedPages(folder, masterKey)
  const log = hasLog(folder)
    ? ['With the log that lies beside it, the file is not whole: one of the two is of another moment.']
    : []
  return {
    invariant: 'I2',
    name: 'integrity',
    ok: false,
    // Errors of data behind a damaged page add no information.
    detail: (pages.length > 0 ? pages : [...log, ...lines]).slice(0, FAULTS_LISTED).join(' '),
  }
}

async function faultsOf(books: ClosedBooks): Promise<string[]> {
  const { folder, masterKey } = books
  const lines = await readWithoutWriting(folder, masterKey, ({ handle }) =>
    (handle.pragma('integrity_check') as object[]).map((row) => Object.values(row).join(' ')),
  )
  const faults = lines.filter((line) => line !== 'ok')
  if (faults.length > 0 || !hasLog(folder)) return faults
  return (await isLogForeign(books)) ? ['The log beside the file is of another copy of the books.'] : []
}
