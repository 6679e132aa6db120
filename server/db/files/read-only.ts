/**
 * Books on media that cannot be written, opened for reading: a private copy of the encrypted files is read in their place,
 * because SQLite writes beside a file that it opens. The copy is deleted when they are closed.
 */
import { accessSync, chmodSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../domain/errors/catalog.ts'
import { availableKey, KEYRING_FILE, readKeyring, STORE_FILE } from '../keys/keyring.ts'
import { hasBooks } from '../open.ts'
import { openStore, RECOVERY_FILE } from '../store.ts'
import type { Store, StoreOptions } from '../store.ts'
import type { WriteFault } from '../writing.ts'

/** Why nothing is written in books that were opened for reading. */
export const READ_ONLY_MEDIA = 'read_only_media'

/** Files that go along: the books with their log, whose they are, and how far they had come. */
const COPIED = [
  STORE_FILE,
  `${STORE_FILE}-wal`,
  KEYRING_FILE,
  RECOVERY_FILE,
  'high-water.json',
  'backups.json',
]

/** Whether books could not be opened because their folder cannot be written. */
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

/** Opens a copy of the books for reading. Throws what `openStore` throws, and what the system says of the copy. */
export async function openReadOnly(options: StoreOptions): Promise<Store> {
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
      // It protects books that are opened for writing; here only the copy is.
      beforeOpening: undefined,
      // Books of an earlier schema are brought to this one in the copy alone.
      beforeMigration: undefined,
    })
    return forReading(store, { source: folder, since: now(), drop })
  } catch (error) {
    drop()
    throw error
  }
}

function forReading(
  store: Store,
  { source, since, drop }: { source: string; since: Date; drop: () => void },
): Store {
  const fault: WriteFault = { reason: READ_ONLY_MEDIA, since }
  const refusal = (): AppError => new AppError('store_readonly', { details: { reason: READ_ONLY_MEDIA } })
  const refuse = (): never => {
    throw refusal()
  }
  const reading = Object.create(store, {
    writeFault: { get: () => fault },
    forReading: { value: true },
    sourceFolder: { value: source },
  }) as Store
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
