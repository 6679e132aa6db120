/** The backup before a migration: without it the books are not changed, as it is the way back to the version before. */
import { keepBackup } from './keep.ts'
import type { BackupFaultReason } from './contract.ts'

/** What the system would say, for the window that tells why the books stay shut. */
const SYSTEM_CODES: Partial<Record<BackupFaultReason, string>> = {
  no_space: 'ENOSPC',
  folder_denied: 'EACCES',
  folder_missing: 'ENOENT',
  disk_failed: 'EIO',
}

/** For `beforeMigration` of `openStore`. Throws when there is no backup, with the system's code where it is to blame. */
export async function backUpBeforeMigration(
  books: { folder: string; masterKey: Buffer; storeId: string },
  now: () => Date,
): Promise<void> {
  const { folder, masterKey, storeId } = books
  const fault = await keepBackup(
    { folder, storeId, now, copyOfKey: () => Buffer.from(masterKey) },
    'migration',
  )
  if (fault === null) return
  const code = SYSTEM_CODES[fault.why]
  throw Object.assign(
    new Error('The backup before the migration failed.', { cause: fault }),
    code ? { code } : {},
  )
}
