/**
 * Backup before a migration: without it the books are not migrated, because it is the way back to the earlier
 * version.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Connection } from '../../../db/embedded/connection.ts'
import { STORE_FILE } from '../../../db/embedded/keys/keyring.ts'
import { openDatabase } from '../../../db/embedded/open.ts'
import type { BackupFaultReason } from '../contract.ts'
import { asBackupFault, BackupFault } from './fault.ts'
import { makeAndRecordBackup } from './lifecycle.ts'
import { checkDiskSpace } from './make.ts'
import { brokenChains, COPY_CACHE_KIB } from '../proof/prove.ts'
import type { BrokenChain } from '../proof/prove.ts'

/** System codes for the window that explains why the books were not opened. */
const SYSTEM_CODES: Partial<Record<BackupFaultReason, string>> = {
  no_space: 'ENOSPC',
  folder_denied: 'EACCES',
  folder_missing: 'ENOENT',
  disk_failed: 'EIO',
}

/** One copy is the backup, and a migration may write every page once more before the log is checkpointed. */
const COPIES = 2

/**
 * Implements `beforeMigration` of `openStore`. Throws when no backup was made, with the system's code when the system
 * is the cause.
 */
export async function backUpBeforeMigration(
  books: { folder: string; masterKey: Buffer; storeId: string },
  now: () => Date,
): Promise<void> {
  const { folder, masterKey, storeId } = books
  const fault =
    roomFault(folder) ??
    (await makeAndRecordBackup(
      { folder, storeId, now, copyOfKey: () => Buffer.from(masterKey) },
      'migration',
    ))
  if (fault === null) return
  const code = SYSTEM_CODES[fault.why]
  throw Object.assign(
    new Error('The backup before the migration failed.', { cause: fault }),
    code ? { code } : {},
  )
}

/** Checks the disk space before anything is written, because a migration must not run out of it. */
function roomFault(folder: string): BackupFault | null {
  try {
    checkDiskSpace(folder, COPIES * statSync(join(folder, STORE_FILE)).size)
    return null
  } catch (error) {
    return asBackupFault(error)
  }
}

/**
 * Implements `proveMigration` of `openStore`: verifies the chains as this version reads them, before the migration is
 * committed. A chain that was already broken, at the same place for the same reason, does not prevent opening, but
 * stops issuing. Throws `chain_broken` when the migration is the cause.
 */
export async function proveMigrated(
  migrated: Connection,
  books: { folder: string; masterKey: Buffer },
): Promise<void> {
  const broken = await brokenChains(migrated)
  if (broken.length === 0) return
  const [{ told }] = broken as [BrokenChain]
  if (!isDeepStrictEqual(broken, await brokenBefore(books)))
    throw new AppError('chain_broken', { cause: new BackupFault('broken_chain', told) })
  const stop = migrated.handle.prepare('update registry_chains set broken_at = ? where book_id = ?')
  for (const { bookId, recordSequence } of broken)
    if (recordSequence !== null) stop.run(recordSequence, bookId)
}

/** Returns what another connection reads before the migration commits; null when this version cannot read it. */
async function brokenBefore(books: { folder: string; masterKey: Buffer }): Promise<BrokenChain[] | null> {
  const connection = openDatabase({ ...books, role: 'reader', cacheKib: COPY_CACHE_KIB })
  try {
    return await brokenChains(connection)
  } catch {
    return null
  } finally {
    connection.close()
  }
}
