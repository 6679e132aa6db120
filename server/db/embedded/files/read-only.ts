/**
 * Opens books on media that cannot be written: a private copy of the encrypted files is read instead, because SQLite
 * writes next to a file that it opens. The copy is deleted when the books are closed.
 */
import { accessSync, chmodSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../../domain/errors/app-error.ts'
import { availableKey, KEYRING_FILE, readKeyring, STORE_FILE } from '../keys/keyring.ts'
import { hasBooks } from '../open.ts'
import { openStore, RECOVERY_FILE } from '../store.ts'
import type { StoreOptions } from '../store.ts'
import type { EmbeddedStore } from '../port.ts'
import type { WriteFault } from '../../store.ts'

/** Reason of `store_readonly` for books that were opened read-only. */
export const READ_ONLY_MEDIA = 'read_only_media'

/** Files that are copied: the database and its log, the keyring, and the progress marks. */
const COPIED = [
  STORE_FILE,
  `${STORE_FILE}-wal`,
  KEYRING_FILE,
  RECOVERY_FILE,
  'high-water.json',
  'backups.json',
]

/** Returns true if the books could not be opened because their folder cannot be written. */
export function isReadOnlyMedia(folder: string, error: unknown): boolean {
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string' || !/^(EROFS|EACCES|EPERM|SQLITE_READONLY|SQLITE_CANTOPEN)/.test(code))
    return false
  if (!hasBooks(folder)) return false
  try {
    accessSync(folder, constants.W_OK)
    return false
  } catch {
    return true
  }
}

/** Opens a copy of the books for reading. Throws the errors of `openStore`, and the system's errors on the copy. */
export async function openReadOnly(options: StoreOptions): Promise<EmbeddedStore> {
  const { folder, now } = options
  const keyring = readKeyring(folder)
  const masterKey = keyring && (options.recoveredKey ?? (await availableKey(keyring, options)))
  if (!masterKey) throw new AppError('keychain_locked', { details: { protection: keyring?.protection } })
  const copy = mkdtempSync(join(tmpdir(), 'sello-reading-'))
  const drop = (): void => rmSync(copy, { recursive: true, force: true })
  try {
    for (const name of COPIED)
      if (existsSync(join(folder, name))) {
        copyFileSync(join(folder, name), join(copy, name))
        chmodSync(join(copy, name), 0o600)
      }
    const store = await openStore({
      ...options,
      folder: copy,
      keychain: null,
      keyFile: undefined,
      create: false,
      recoveredKey: masterKey,
      // This hook protects books opened for writing; here only the copy is.
      beforeOpening: undefined,
      // Books of an earlier schema are migrated in the copy only.
      beforeMigration: undefined,
    })
    return forReading(store, { source: folder, since: now(), drop })
  } catch (error) {
    drop()
    throw error
  }
}

function forReading(
  store: EmbeddedStore,
  { source, since, drop }: { source: string; since: Date; drop: () => void },
): EmbeddedStore {
  const fault: WriteFault = { reason: READ_ONLY_MEDIA, since }
  const refusal = (): AppError => new AppError('store_readonly', { details: { reason: READ_ONLY_MEDIA } })
  const refuse = (): never => {
    throw refusal()
  }
  const reading = Object.create(store, {
    writeFault: { get: () => fault },
    forReading: { value: true },
    sourceFolder: { value: source },
  }) as EmbeddedStore
  return Object.assign(reading, {
    transaction: () => Promise.reject(refusal()),
    changeKey: () => Promise.reject(refusal()),
    tryWriting: () => Promise.resolve(fault),
    newRecoveryCode: refuse,
    close: () => {
      store.close()
      drop()
    },
  })
}
