/** Lock of a store: an exclusively locked SQLite file in its folder, which the system releases when the process dies. */
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../../domain/errors/app-error.ts'
import { restrictToOwner } from './atomic-files.ts'

const LOCK_FILE = 'store.lock'

interface StoreLock {
  release(): void
}

/** Takes the lock of a data folder or throws `store_in_use`. */
export function lockStore(folder: string): StoreLock {
  const file = join(folder, LOCK_FILE)
  // Created before SQLite would create it, so that only this user can access it and its journal.
  closeSync(openSync(file, 'a', 0o600))
  restrictToOwner(folder, [LOCK_FILE], 0o600)
  const handle = new Database(file, { timeout: 0 })
  try {
    handle.pragma('locking_mode = EXCLUSIVE')
    handle.pragma('journal_mode = DELETE')
    handle.exec('begin exclusive; create table if not exists lock (held integer) strict; commit')
  } catch (error) {
    handle.close()
    const code = (error as { code?: string }).code ?? ''
    if (code.startsWith('SQLITE_BUSY')) throw new AppError('store_in_use', { details: { folder } })
    throw error
  }
  return { release: () => void handle.close() }
}
