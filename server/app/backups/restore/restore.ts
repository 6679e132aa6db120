/**
 * Restores a backup: it is written next to the books, verified there, and then swapped in. Until it is verified the
 * existing books are untouched; afterwards they are kept aside.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../domain/errors/app-error.ts'
import { failpoint } from '../../../db/failpoints.ts'
import { HIGH_WATER_FILE } from '../../../registry/index.ts'
import { writeFileDurably } from '../../../db/embedded/files/atomic-files.ts'
import {
  adoptKey,
  availableKey,
  KEYRING_FILE,
  LOCAL_KEY_FILE,
  STORE_FILE,
} from '../../../db/embedded/keys/keyring.ts'
import type { Keychain, KeyringFile } from '../../../db/embedded/keys/keyring.ts'
import type { Connection } from '../../../db/embedded/connection.ts'
import { lockStore } from '../../../db/embedded/files/lock.ts'
import { SCHEMA_VERSION } from '../../../db/migrations/version.ts'
import { openDatabase } from '../../../db/embedded/open.ts'
import { refuseSharedFolder } from '../../../db/embedded/files/shared-folder.ts'
import { RECOVERY_FILE } from '../../../db/embedded/store.ts'
import { dropStaging, finishSwap, STAGING, swap } from '../../../db/embedded/files/swap.ts'
import { asBackupFault } from '../make/fault.ts'
import { checkDiskSpace } from '../make/make.ts'
import { appendFrom, hashOfFile } from '../make/pieces.ts'
import { reencryptBooks } from '../key-change.ts'
import { COPY_CACHE_KIB, proveCopy } from '../proof/prove.ts'
import { keyringOf, openSource } from './restore-source.ts'
import type { RestoreSource } from './restore-source.ts'

export interface RestoreRequest {
  /** Folder of the books, which may be empty or missing. */
  folder: string
  /** A portable file, or a backup of the books in the folder. */
  file: string
  /** The recovery code as typed; null to use the available key. */
  code: string | null
  keyFile?: string | undefined
  keychain: Keychain | null
  /** Also replace other books than those of the backup. */
  replaceOther?: boolean
  now: () => Date
}

interface RestorePorts {
  /** Runs every check on complete books of this version's schema; returns the faults as sentences. */
  faultsOf: (folder: string, masterKey: Buffer) => Promise<string[]>
  /** Seals the values in books of an earlier key again, for the current one. */
  reseal: (connection: Connection, from: Uint8Array, to: Uint8Array) => void
}

export interface Restored {
  storeId: string
  /** When the backup was made. */
  createdAt: string
  /** SHA-256 of the canonical export of the books now in place. */
  content: string
  /** True when the next start migrates them. */
  older: boolean
  /** Folder with the previous books, or null when there were none. */
  aside: string | null
}

/** Files that belong to the books and move with them. */
const OF_BOOKS = [STORE_FILE, `${STORE_FILE}-wal`, `${STORE_FILE}-shm`, KEYRING_FILE] as const

const damaged = (why: string, cause?: unknown): AppError =>
  new AppError('backup_damaged', { details: { why }, cause })

/** Extracts the database to the staging folder and syncs it. Throws `backup_damaged` when it does not match its hash. */
function unpack({ file, bodyAt, bodySha256 }: RestoreSource, staging: string): void {
  const body = join(staging, STORE_FILE)
  const descriptor = openSync(body, 'wx', 0o600)
  try {
    appendFrom(file, descriptor, bodyAt)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  if (bodySha256 !== null && hashOfFile(body) !== bodySha256) throw damaged('body')
}

function putKeyring(staging: string, keyring: KeyringFile): void {
  writeFileDurably(join(staging, KEYRING_FILE), `${JSON.stringify(keyring, null, 2)}\n`)
}

function schemaOf(staging: string, masterKey: Uint8Array): number {
  const connection = openDatabase({ folder: staging, masterKey, role: 'reader', cacheKib: COPY_CACHE_KIB })
  try {
    return connection.handle.pragma('user_version', { simple: true }) as number
  } finally {
    connection.close()
  }
}

/** Verifies the extracted books: integrity, chains, canonical export, and all self-checks. */
async function prove(
  { masterKey, content, storeId, keyCheck, createdAt }: RestoreSource,
  staging: string,
  ports: RestorePorts,
): Promise<{ content: string; schema: number }> {
  try {
    const schema = schemaOf(staging, masterKey)
    if (schema > SCHEMA_VERSION)
      throw new AppError('store_newer', { details: { storeVersion: schema, knownVersion: SCHEMA_VERSION } })
    const copy = { folder: staging, file: STORE_FILE, masterKey }
    const found = await proveCopy(copy)
    if (!found.startsWith(content)) throw damaged('content')
    if (schema === SCHEMA_VERSION) {
      // Books open through their keyring; this one is overwritten when the place of the key is known.
      putKeyring(staging, { version: 1, storeId, keyCheck, protection: 'file', createdAt, booksMade: true })
      const faults = await ports.faultsOf(staging, masterKey)
      if (faults.length > 0) throw damaged(faults.join(' '))
      // The checks must not have changed anything.
      if ((await proveCopy(copy)) !== found) throw damaged('content')
    }
    return { content: found, schema }
  } catch (error) {
    if (error instanceof AppError && error.code !== 'store_damaged' && error.code !== 'store_missing')
      throw error
    const fault = asBackupFault(error)
    if (fault.why === 'differs' || fault.why === 'broken_chain') throw damaged(fault.message, error)
    throw error
  }
}

/**
 * Stages the keyring, the wrapped key and, where this computer stores it in a file, the key next to the new database.
 * Existing books whose key is available keep their own, because their recovery code may be newer than the backup.
 */
async function stageKey(
  source: RestoreSource,
  request: RestoreRequest,
  before: KeyringFile | null,
): Promise<string[]> {
  const { folder, keyFile, keychain, now } = request
  const { storeId, keyCheck, masterKey, recovery } = source
  const staging = join(folder, STAGING)
  const restoredAt = now().toISOString()
  const told = { restoredAt, booksMade: true, ...(source.byCode ? { recoveredAt: restoredAt } : {}) }
  const isSame = before?.storeId === storeId
  const names: string[] = []
  if (recovery && !(isSame && existsSync(join(folder, RECOVERY_FILE)))) {
    writeFileDurably(join(staging, RECOVERY_FILE), `${JSON.stringify(recovery, null, 2)}\n`)
    names.push(RECOVERY_FILE)
  }
  if (isSame && (await availableKey(before, { folder, keyFile, keychain })))
    putKeyring(staging, { ...before, ...told })
  else {
    const keyring: KeyringFile = {
      version: 1,
      storeId,
      keyCheck,
      protection: 'file',
      createdAt: before && isSame ? before.createdAt : restoredAt,
      ...told,
    }
    putKeyring(staging, keyring)
    if (keyFile && existsSync(keyFile)) {
      // A file with another key belongs to other books and is not touched.
      if (!(await availableKey(keyring, { folder, keyFile, keychain: null })))
        throw new AppError('keychain_locked', { details: { keyFile, why: 'wrong_key' } })
      putKeyring(staging, { ...keyring, protection: 'external' })
    } else await adoptKey(masterKey, { folder: staging, keyFile, keychain, now })
    if (existsSync(join(staging, LOCAL_KEY_FILE))) names.push(LOCAL_KEY_FILE)
  }
  return [...names, KEYRING_FILE, STORE_FILE]
}

/** Returns an unused name for the folder of the previous books. */
function asideName(folder: string, at: Date): string {
  const name = `replaced-${at.toISOString().replaceAll(/[-:.]/g, '')}`
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : `${name}-${count}`
    if (!existsSync(join(folder, candidate))) return candidate
  }
}

async function restoreLocked(request: RestoreRequest, ports: RestorePorts): Promise<Restored> {
  const { folder, file, now } = request
  finishSwap(folder)
  dropStaging(folder)
  const before = keyringOf(folder)
  let source = await openSource(request)
  try {
    const isOther = before !== null && before.storeId !== source.storeId
    if (isOther && !request.replaceOther) throw new AppError('backup_of_other_books')
    checkDiskSpace(folder, statSync(file).size)
    const staging = join(folder, STAGING)
    mkdirSync(staging, { mode: 0o700 })
    unpack(source, staging)
    failpoint('restore.unpacked')
    const proved = await prove(source, staging, ports)
    const { schema } = proved
    let { content } = proved
    if (source.becomes) {
      // Restored books get the current key: a replaced key must not become valid again.
      const { masterKey: from, becomes } = source
      await reencryptBooks(staging, { from, to: becomes.masterKey }, (connection) =>
        ports.reseal(connection, from, becomes.masterKey),
      )
      from.fill(0)
      source = { ...source, ...becomes, becomes: null }
      content = await proveCopy({ folder: staging, file: STORE_FILE, masterKey: source.masterKey })
    }
    failpoint('restore.proved')
    const staged = await stageKey(source, request, before)
    const goes = new Set<string>([
      ...OF_BOOKS,
      ...staged,
      ...(isOther ? [RECOVERY_FILE, LOCAL_KEY_FILE, HIGH_WATER_FILE] : []),
    ])
    const out = [...goes].filter((name) => existsSync(join(folder, name)))
    const aside = asideName(folder, now())
    swap(folder, { aside, out, in: staged })
    return {
      storeId: source.storeId,
      createdAt: source.createdAt,
      content,
      older: schema < SCHEMA_VERSION,
      aside: out.length > 0 ? join(folder, aside) : null,
    }
  } finally {
    source.masterKey.fill(0)
  }
}

/**
 * Restores the books of a folder that no process has open. Throws `store_in_use`, `folder_shared`, `backup_unknown`,
 * `backup_damaged`, `backup_of_other_books`, `recovery_code_wrong`, `store_newer`, `restore_no_room`, or a system
 * error; in that case nothing was changed.
 */
export async function restoreBackup(request: RestoreRequest, ports: RestorePorts): Promise<Restored> {
  const { folder } = request
  refuseSharedFolder(folder)
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined
  const lock = lockStore(folder)
  let restored = false
  try {
    const result = await restoreLocked(request, ports)
    restored = true
    return result
  } catch (error) {
    dropStaging(folder)
    const code = asBackupFault(error).why
    if (!(error instanceof AppError) && code === 'no_space')
      throw new AppError('restore_no_room', { cause: error })
    throw error
  } finally {
    lock.release()
    if (made && !restored) rmSync(folder, { recursive: true, force: true })
  }
}
