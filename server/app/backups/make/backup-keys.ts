/**
 * Key files of backups: one next to the backups for each key used, so that a folder of backups can be restored
 * anywhere. No key is stored in clear text: the current one is sealed under the recovery code, earlier ones under the
 * current one.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileDurably } from '../../../db/embedded/files/atomic-files.ts'
import { isKeyOf } from '../../../db/embedded/keys/keyring.ts'
import type { KeyringFile } from '../../../db/embedded/keys/keyring.ts'
import type { WrappedKey } from '../../../db/embedded/keys/recovery-code.ts'
import { createSealer, deriveKey } from '../../../db/seal.ts'

/** A key with which backups of a folder were made. */
interface BackupKey {
  version: 1
  storeId: string
  keyCheck: string
  /** The key wrapped by the recovery code; null without a code, or when the key is no longer in use. */
  recovery: WrappedKey | null
  /** Set once the books have another key: this key sealed under that one. */
  replaced?: { at: string; by: string; sealed: string }
}

const NAME = /^key-[0-9a-f]{16}\.json$/

/** Returns the file name of a key, which reveals nothing about it. */
const nameOf = (keyCheck: string): string =>
  `key-${createHash('sha256').update(keyCheck).digest('hex').slice(0, 16)}.json`

const sealerOf = (masterKey: Uint8Array) => createSealer(deriveKey(masterKey, 'replaced-key-v1'))
const placeOf = (key: Pick<BackupKey, 'storeId' | 'keyCheck'>): string =>
  `replaced-key:${key.storeId}:${key.keyCheck}`

/** Reads the key files of a backup folder; an unreadable file is skipped. */
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

/** Writes the current key of the books next to their backups. */
export function writeBackupKey(
  folder: string,
  { storeId, keyCheck }: Pick<KeyringFile, 'storeId' | 'keyCheck'>,
  recovery: WrappedKey | null,
): void {
  write(folder, { version: 1, storeId, keyCheck, recovery })
}

/**
 * Seals the key of earlier backups under the next key, together with those sealed under it, so that the current
 * recovery code opens all of them.
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
  // The earlier code stays until the books have their new key: after a crash before that, it is the valid one.
  const recovery = backupKeysIn(folder).find((one) => one.keyCheck === before)?.recovery ?? null
  const key: BackupKey = { version: 1, storeId, keyCheck: before, recovery }
  write(folder, { ...key, replaced: { at: at.toISOString(), by: after, sealed: seal(key, from, to) } })
}

const seal = (key: BackupKey, masterKey: Uint8Array, under: Uint8Array): string =>
  sealerOf(under).seal(masterKey, placeOf(key))

/** Opens a replaced key with the key under which it is sealed; null when that is another one. */
export function openReplaced(key: BackupKey, under: Uint8Array): Buffer | null {
  if (!key.replaced) return null
  try {
    const masterKey = sealerOf(under).open(key.replaced.sealed, placeOf(key))
    return isKeyOf(key, masterKey) ? masterKey : null
  } catch {
    return null
  }
}

/** Removes the recovery code from keys replaced by the current one, because the current code opens them. */
export function retireKeys(folder: string, present: string): void {
  for (const key of backupKeysIn(folder))
    if (key.replaced && key.recovery && key.keyCheck !== present) write(folder, { ...key, recovery: null })
}

/** Removes the key files that no backup of the folder needs; `oldest` is the instant of the oldest backup. */
export function dropUnneededKeys(folder: string, oldest: Date | null): void {
  for (const { keyCheck, replaced } of backupKeysIn(folder))
    if (replaced && (oldest === null || new Date(replaced.at) <= oldest))
      rmSync(join(folder, nameOf(keyCheck)), { force: true })
}

/** Copies replaced keys to another backup folder of the same books. */
export function copyReplacedKeys(from: string, to: string): void {
  for (const key of backupKeysIn(from)) if (key.replaced) write(to, key)
}
