/**
 * Runs one backup from start to end: made and verified in its thread, copied to the second folder, outdated ones
 * removed.
 */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readKeyring } from '../../../db/embedded/keys/keyring.ts'
import { readRecoveryFile } from '../../../db/embedded/store.ts'
import { copyReplacedKeys, dropUnneededKeys, writeBackupKey, retireKeys } from './backup-keys.ts'
import type { BackupReason } from './reasons.ts'
import { asBackupFault } from './fault.ts'
import type { BackupFault } from './fault.ts'
import { listFolder } from './names.ts'
import { outdated } from './retention.ts'
import { changeState, defaultFolder, faultNote, ownFolder, readState } from '../state.ts'
import { inThread } from './thread.ts'

export interface BackedUpBooks {
  folder: string
  storeId: string
  /** A copy of the key, which the thread overwrites with zeros. */
  copyOfKey: () => Buffer
  now: () => Date
}

/**
 * Removes the backups that `outdated` returns, and key files only they needed. Runs only after a success, so the
 * newest backup is a verified one.
 */
function prune(folder: string): void {
  for (const name of outdated(listFolder(folder))) rmSync(join(folder, name), { force: true })
  dropUnneededKeys(folder, listFolder(folder).at(-1)?.at ?? null)
}

/** Writes the key file next to the backups; without it, only the books' own folder could use them. */
function noteKey(dataDir: string, to: string): void {
  const keyring = readKeyring(dataDir)
  if (!keyring) return
  writeBackupKey(to, keyring, readRecoveryFile(dataDir))
  retireKeys(to, keyring.keyCheck)
}

/** Writes a new recovery code to all available backup folders; an unavailable folder receives it with its next backup. */
export function writeCodeBesideBackups(dataDir: string): void {
  const keyring = readKeyring(dataDir)
  const { own } = readState(dataDir)
  if (!keyring) return
  for (const folder of [defaultFolder(dataDir), ...(own === null ? [] : [ownFolder(own, keyring.storeId)])])
    if (existsSync(folder)) noteKey(dataDir, folder)
}

async function putInOwnFolder(books: BackedUpBooks, chosen: string, name: string): Promise<void> {
  const { folder, now } = books
  const to = ownFolder(chosen, books.storeId)
  try {
    await inThread({
      kind: 'copy',
      from: defaultFolder(folder),
      name,
      to,
      masterKey: books.copyOfKey(),
    })
    noteKey(folder, to)
    copyReplacedKeys(defaultFolder(folder), to)
    prune(to)
    changeState(folder, { ownFault: null, ownAt: now().toISOString() })
  } catch (error) {
    changeState(folder, { ownFault: faultNote(readState(folder).ownFault, asBackupFault(error).why, now()) })
  }
}

/**
 * Makes a backup and records the result. Returns null, or the fault when there is no backup; a failure of the second
 * folder is only recorded.
 */
export async function makeAndRecordBackup(
  books: BackedUpBooks,
  reason: BackupReason,
): Promise<BackupFault | null> {
  const { folder, now } = books
  const to = defaultFolder(folder)
  try {
    const name = await inThread({
      kind: 'make',
      folder,
      to,
      masterKey: books.copyOfKey(),
      reason,
      at: now().getTime(),
    })
    noteKey(folder, to)
    prune(to)
    changeState(folder, { fault: null })
    const { own } = readState(folder)
    if (own !== null) await putInOwnFolder(books, own, name)
    return null
  } catch (error) {
    const fault = asBackupFault(error)
    changeState(folder, { fault: faultNote(readState(folder).fault, fault.why, now()) })
    return fault
  }
}
