/**
 * Which key opens a backup: a file beside the backups for each key they were made with, so that a folder of backups can be
 * restored anywhere. It holds no key in the clear: the present one sealed under the recovery code, earlier ones sealed under
 * the present one.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileDurably } from '../../../db/files/atomic-files.ts'
import { isKeyOf } from '../../../db/keys/keyring.ts'
import type { KeyringFile } from '../../../db/keys/keyring.ts'
import type { WrappedKey } from '../../../db/keys/recovery-code.ts'
import { createSealer, deriveKey } from '../../../db/keys/seal.ts'

/** One key that backups of a folder were made with. */
export interface BackupKey {
  version: 1
  storeId: string
  keyCheck: string
  /** The key under the recovery code; null where there is no code, or where the key is no longer in use. */
  recovery: WrappedKey | null
  /** Set once the books have another key: this key sealed under that one. */
  replaced?: { at: string; by: string; sealed: string }
}

const NAME = /^key-[0-9a-f]{16}\.json$/

/** File name of a key: tells nothing about it. */
const nameOf = (keyCheck: string): string =>
  `key-${createHash('sha256').update(keyCheck).digest('hex').slice(0, 16)}.json`

const sealerOf = (masterKey: Uint8Array) => createSealer(deriveKey(masterKey, 'replaced-key-v1'))
const placeOf = (key: Pick<BackupKey, 'storeId' | 'keyCheck'>): string =>
  `replaced-key:${key.storeId}:${key.keyCheck}`

/** Reads the keys that a folder of backups tells of; a file that cannot be read tells of none. */
export function backupKeysIn(folder: string): BackupKey[] {
  let names: string[]
  try {
    names = readdirSync(folder).filter((name) => NAME.test(name))
  } catch {
    return []
  }
  return names.flatMap((name) => {
    try {
      const key = JSON.parse(readFileSync(join(folder, name), 'utf8')) as BackupKey
      return key.version === 1 && typeof key.storeId === 'string' && typeof key.keyCheck === 'string'
        ? [key]
        : []
    } catch {
      return []
    }
  })
}

function write(folder: string, key: BackupKey): void {
  const file = join(folder, nameOf(key.keyCheck))
  const text = `${JSON.stringify(key, null, 2)}\n`
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileDurably(file, text)
}

/** Notes the present key of the books beside their backups. */
export function noteBackupKey(
  folder: string,
  { storeId, keyCheck }: Pick<KeyringFile, 'storeId' | 'keyCheck'>,
  recovery: WrappedKey | null,
): void {
  write(folder, { version: 1, storeId, keyCheck, recovery })
}

/**
 * Seals the key of earlier backups under the one that comes, and again those that were sealed under it: the recovery code
 * of today opens all of them.
 */
export function replaceBackupKey(
  folder: string,
  change: { storeId: string; before: string; after: string; from: Uint8Array; to: Uint8Array; at: Date },
): void {
  const { storeId, before, after, from, to, at } = change
  for (const key of backupKeysIn(folder)) {
    if (key.storeId !== storeId || key.keyCheck === before || key.replaced?.by !== before) continue
    const earlier = openReplaced(key, from)
    if (!earlier) continue
    write(folder, { ...key, replaced: { ...key.replaced, by: after, sealed: seal(key, earlier, to) } })
    earlier.fill(0)
  }
  // The code of that time stays until the books have their new key: a crash before leaves it the valid one.
  const recovery = backupKeysIn(folder).find((one) => one.keyCheck === before)?.recovery ?? null
  const key: BackupKey = { version: 1, storeId, keyCheck: before, recovery }
  write(folder, { ...key, replaced: { at: at.toISOString(), by: after, sealed: seal(key, from, to) } })
}

const seal = (key: BackupKey, masterKey: Uint8Array, under: Uint8Array): string =>
  sealerOf(under).seal(masterKey, placeOf(key))

/** Opens a key that was replaced, with the one it is sealed under; null when that is another one. */
export function openReplaced(key: BackupKey, under: Uint8Array): Buffer | null {
  if (!key.replaced) return null
  try {
    const masterKey = sealerOf(under).open(key.replaced.sealed, placeOf(key))
    return isKeyOf(key, masterKey) ? masterKey : null
  } catch {
    return null
  }
}

/** Drops the recovery code of keys that were replaced by the present one: the code of today opens them. */
export function retireKeys(folder: string, present: string): void {
  for (const key of backupKeysIn(folder))
    if (key.replaced && key.recovery && key.keyCheck !== present) write(folder, { ...key, recovery: null })
}

/** Removes the keys that no backup of the folder needs any more: `oldest` is the instant of the oldest backup. */
export function dropUnneededKeys(folder: string, oldest: Date | null): void {
  for (const { keyCheck, replaced } of backupKeysIn(folder))
    if (replaced && (oldest === null || new Date(replaced.at) <= oldest))
      rmSync(join(folder, nameOf(keyCheck)), { force: true })
}

/** Copies the keys that were replaced into another folder of backups of the same books. */
export function copyReplacedKeys(from: string, to: string): void {
  for (const key of backupKeysIn(from)) if (key.replaced) write(to, key)
}
