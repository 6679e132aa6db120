/** Checks books before they are opened, so that damage is reported with its position before anything is written. */
import { createKysely } from '../../db/dialect.ts'
import { damagedPages } from '../../db/files/damage.ts'
import { hasLog, readWithoutWriting } from '../../db/open.ts'
import { contradictsMark } from '../../registry/index.ts'
import { sealerOf } from '../../db/keys/seal.ts'
import { FAULTS_LISTED } from '../../domain/proof.ts'
import { isDiskFull } from '../../db/disk-space.ts'
import type { Check } from './check.ts'

export interface ClosedBooks {
  folder: string
  masterKey: Buffer
  storeId: string
}

/**
 * Returns the damage of the file or its log; null when SQLite reads both completely. Writes nothing. Throws when the
 * disk is full.
 */
export async function inspectBeforeOpening({
  folder,
  masterKey,
  storeId,
}: ClosedBooks): Promise<Check | null> {
  const lines = await readWithoutWriting(folder, masterKey, async (connection) => {
    const found = (connection.handle.pragma('integrity_check') as object[]).map((row) =>
      Object.values(row).join(' '),
    )
    if (found.some((line) => line !== 'ok') || !hasLog(folder)) return found
    const isOther = await contradictsMark(createKysely(connection), {
      folder,
      storeId,
      sealer: sealerOf(masterKey),
    })
    return isOther ? ['The log beside the file is of another copy of the books.'] : found
  }).catch((error: unknown) => {
    // Without disk space no encrypted file opens, which says nothing about the books.
    if (isDiskFull(String((error as { code?: unknown }).code), folder)) throw error
    return [`The file cannot be read: ${(error as Error).message}.`]
  })
  if (lines.every((line) => line === 'ok')) return null
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
