/** Copies of the books during a key change: makes one, encrypts it again, and keeps earlier backups readable. */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { renameDurably } from '../../db/embedded/files/atomic-files.ts'
import { readKeyring, STORE_FILE } from '../../db/embedded/keys/keyring.ts'
import { openDatabase } from '../../db/embedded/open.ts'
import type { Connection } from '../../db/embedded/connection.ts'
import { dropUnneededKeys, replaceBackupKey, retireKeys } from './make/backup-keys.ts'
import { listFolder, PART_FILE } from './make/names.ts'
import { COPY_CACHE_KIB } from './proof/prove.ts'
import { defaultFolder, ownFolder, readState } from './state.ts'
import { inThread } from './make/thread.ts'

/** Returns the available backup folders: the one next to the books, and the second one when it can be reached. */
function foldersOf(dataDir: string, storeId: string): string[] {
  const { own } = readState(dataDir)
  return [defaultFolder(dataDir), ...(own === null ? [] : [ownFolder(own, storeId)])].filter((folder) =>
    existsSync(folder),
  )
}

/** Copies the books to an empty folder, verified, under the name of a partial file. Throws a `BackupFault`. */
export async function copyBooksTo(folder: string, to: string, masterKey: Uint8Array): Promise<void> {
  await inThread({ kind: 'copy-books', folder, to, masterKey: Buffer.from(masterKey) })
}

/**
 * Encrypts a partial copy with another key after `reseal` has sealed its values for that key, and renames it to the
 * books' name. Throws a `BackupFault` or a system error.
 */
export async function reencryptCopy(
  folder: string,
  keys: { from: Uint8Array; to: Uint8Array },
  reseal: (connection: Connection) => void,
  onSealed: () => void = () => {},
): Promise<void> {
  const { from, to } = keys
  const copy = openDatabase({
    folder,
    file: PART_FILE,
    masterKey: from,
    role: 'copier',
    cacheKib: COPY_CACHE_KIB,
  })
  try {
    // Frozen rows contain sealed values too.
    reseal(copy)
  } finally {
    copy.close()
  }
  onSealed()
  await inThread({
    kind: 'rekey',
    from: folder,
    name: PART_FILE,
    masterKey: Buffer.from(from),
    next: Buffer.from(to),
  })
  renameDurably(join(folder, PART_FILE), join(folder, STORE_FILE))
}

/** Does the same for books that are in a folder under their own name. */
export async function reencryptBooks(
  folder: string,
  keys: { from: Uint8Array; to: Uint8Array },
  reseal: (connection: Connection) => void,
): Promise<void> {
  renameSync(join(folder, STORE_FILE), join(folder, PART_FILE))
  await reencryptCopy(folder, keys, reseal)
}

/** Stores the key of the present backups, sealed under the next key, next to all of them. */
export function saveReplacedKey(
  dataDir: string,
  change: { storeId: string; before: string; after: string; from: Uint8Array; to: Uint8Array; at: Date },
): void {
  for (const folder of foldersOf(dataDir, change.storeId)) replaceBackupKey(folder, change)
}

/** Removes the earlier recovery code from the key files of earlier backups, because the current code opens them. */
export function retireReplacedKeys(dataDir: string): void {
  const keyring = readKeyring(dataDir)
  if (!keyring) return
  for (const folder of foldersOf(dataDir, keyring.storeId)) retireKeys(folder, keyring.keyCheck)
}

/** Deletes the backups made before an instant from all available folders. Returns their number. */
export function dropBackupsBefore(dataDir: string, storeId: string, at: Date): number {
  let count = 0
  for (const folder of foldersOf(dataDir, storeId)) {
    for (const backup of listFolder(folder))
      if (backup.at < at) {
        rmSync(join(folder, backup.name), { force: true })
        count += 1
      }
    dropUnneededKeys(folder, listFolder(folder).at(-1)?.at ?? null)
  }
  return count
}
