/** Lists the backups of books that cannot be opened, from the backup files alone. */
import { join } from 'node:path'
import type { BackupReason } from '../make/reasons.ts'
import { listFolder } from '../make/names.ts'
import { defaultFolder, ownFolder, readState } from '../state.ts'
import { keyringOf } from './restore-source.ts'

interface AvailableBackup {
  name: string
  /** Instant of the content. */
  at: string
  reason: BackupReason
  bytes: number
  file: string
}

/**
 * Returns the backups, newest first, including those found only in the second folder. Empty without the keyring that
 * identifies the books.
 */
export function backupsIn(dataDir: string): AvailableBackup[] {
  const keyring = keyringOf(dataDir)
  if (!keyring) return []
  const { own } = readState(dataDir)
  const folders = [defaultFolder(dataDir), ...(own === null ? [] : [ownFolder(own, keyring.storeId)])]
  const found = new Map<string, AvailableBackup>()
  for (const folder of folders)
    for (const { name, at, reason, bytes } of listFolder(folder))
      if (!found.has(name))
        found.set(name, { name, at: at.toISOString(), reason, bytes, file: join(folder, name) })
  return [...found.values()].sort((a, b) => (a.at < b.at ? 1 : -1))
}
