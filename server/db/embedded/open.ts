/** Opens the encrypted file in the only safe order of steps and reads every pragma back. */
import { constants, copyFileSync, existsSync, linkSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../domain/errors/app-error.ts'
import { Connection } from './connection.ts'
import { STORE_FILE } from './keys/keyring.ts'

/** The format of SQLCipher 4: a known standard, so that other tools can open the books with the key. */
const CIPHER = { name: 'sqlcipher', legacy: 4 } as const
const MIN_FILE_BYTES = 4096
const PAGE_CACHE_KIB = 64 * 1024
/** Exists only while `readWithoutLog` runs; a crash may leave it. */
const ASIDE_FOLDER = 'without-log'

export interface OpenOptions {
  folder: string
  /** A file of the folder other than the books themselves: a copy of them. */
  file?: string
  masterKey: Uint8Array
  /** `copier` reads like a reader and may write another file (`vacuum into`), which `query_only` forbids. */
  role: 'writer' | 'reader' | 'copier'
  /** True only if the keyring has just created the key: only then may the file be created. */
  fresh?: boolean
  /** Smaller for the worker and in tests. */
  cacheKib?: number
}

function isNotADatabase(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? ''
  return code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')
}

type Pragma = readonly [name: string, value: string | number, readBack: string | number]

function pragmasOf(options: OpenOptions): Pragma[] {
  const cache = -(options.cacheKib ?? PAGE_CACHE_KIB)
  const common: Pragma[] = [
    ['foreign_keys', 1, 1],
    ['trusted_schema', 0, 0],
    ['cell_size_check', 1, 1],
    ['temp_store', 2, 2],
    ['mmap_size', 0, 0],
    ['busy_timeout', 5000, 5000],
    ['cache_size', cache, cache],
  ]
  if (options.role === 'reader') return [...common, ['query_only', 1, 1]]
  if (options.role === 'copier') return common
  // This build defaults to synchronous=NORMAL in WAL mode, which loses committed transactions in a power cut: FULL is
  // 2.
  return [
    ['journal_mode', 'wal', 'wal'],
    ['synchronous', 2, 2],
    ['secure_delete', 1, 1],
    // Without it a REPLACE deletes the old row without firing the triggers that protect it.
    ['recursive_triggers', 1, 1],
    ...(process.platform === 'darwin'
      ? ([
          ['fullfsync', 1, 1],
          ['checkpoint_fullfsync', 1, 1],
        ] as Pragma[])
      : []),
    ...common,
  ]
}

/**
 * Returns true if the folder holds books. An empty file opens as a new store with any key, so that it counts as
 * missing.
 */
export function hasBooks(folder: string, name = STORE_FILE): boolean {
  const file = join(folder, name)
  return existsSync(file) && statSync(file).size >= MIN_FILE_BYTES
}

/** Returns the pragmas that a connection of a role must hold for its whole life, without those that only affect speed. */
export function requiredPragmas(role: OpenOptions['role']): [name: string, value: string | number][] {
  return pragmasOf({ folder: '', masterKey: new Uint8Array(), role })
    .filter(([name]) => name !== 'cache_size' && name !== 'busy_timeout')
    .map(([name, , expected]) => [name, expected])
}

/** Opens an empty database in memory, to derive the expected schema. */
export function openScratch(): Connection {
  return new Connection(new Database(':memory:'))
}

/** Functions of the cipher build that the driver's published types lack. */
interface Keyed {
  key(key: Buffer): void
  rekey(key: Buffer): void
}

function keyed(handle: Database.Database): Keyed {
  return handle as unknown as Keyed
}

/** Formats a raw key, which needs no key derivation. */
const rawKey = (masterKey: Uint8Array): Buffer =>
  Buffer.from(`x'${Buffer.from(masterKey).toString('hex')}'`, 'ascii')

/** Unlocks a handle; `key()` keeps the key out of statement traces. */
function unlock(handle: Database.Database, masterKey: Uint8Array): void {
  handle.pragma(`cipher='${CIPHER.name}'`)
  handle.pragma(`legacy=${CIPHER.legacy}`)
  keyed(handle).key(rawKey(masterKey))
}

/**
 * Encrypts a copy of books with another key. An interrupted run leaves the file unusable: use it only on a copy that
 * nothing depends on yet, never on the books themselves. Throws the database's errors.
 */
export function rekeyCopy(folder: string, file: string, from: Uint8Array, to: Uint8Array): void {
  const handle = new Database(join(folder, file), { fileMustExist: true })
  try {
    unlock(handle, from)
    handle.pragma('journal_mode = memory')
    keyed(handle).rekey(rawKey(to))
  } finally {
    handle.close()
  }
}

/**
 * Reads books without changing any of their files: closing a connection that may write empties the log into the
 * database. Only for the holder of the folder's lock. Throws the database's errors.
 */
export async function readWithoutWriting<T>(
  folder: string,
  masterKey: Uint8Array,
  read: (connection: Connection) => T | Promise<T>,
): Promise<T> {
  const file = join(folder, STORE_FILE)
  // A reader creates the files that it needs and finds missing, and leaves them behind.
  const made = [`${file}-wal`, `${file}-shm`].filter((path) => !existsSync(path))
  const handle = new Database(file, { readonly: true, fileMustExist: true })
  try {
    unlock(handle, masterKey)
    return await read(new Connection(handle))
  } finally {
    handle.close()
    for (const path of made) rmSync(path, { force: true })
  }
}

/**
 * Reads the database file as it is without its write-ahead log. It may be unreadable: a crash can interrupt the
 * transfer of the log into it. Only for the holder of the folder's lock. Throws the errors of the database and the
 * file system.
 */
export async function readWithoutLog<T>(
  folder: string,
  masterKey: Uint8Array,
  read: (connection: Connection) => T | Promise<T>,
): Promise<T> {
  const aside = join(folder, ASIDE_FOLDER)
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(aside, { mode: 0o700 })
  try {
    const [file, second] = [join(folder, STORE_FILE), join(aside, STORE_FILE)]
    // SQLite looks for the log by the name of the file: a second name has none.
    try {
      linkSync(file, second)
    } catch {
      copyFileSync(file, second, constants.COPYFILE_FICLONE)
    }
    return await readWithoutWriting(aside, masterKey, read)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

/** Reads the application id and schema version of the books in the same way as `readWithoutWriting`. */
export function readVersions(
  folder: string,
  masterKey: Uint8Array,
): Promise<{ applicationId: number; version: number }> {
  return readWithoutWriting(folder, masterKey, ({ handle }) => ({
    applicationId: handle.pragma('application_id', { simple: true }) as number,
    version: handle.pragma('user_version', { simple: true }) as number,
  }))
}

/** Returns true if the books have a log with content, as after a crash. */
export function hasLog(folder: string): boolean {
  return (statSync(join(folder, `${STORE_FILE}-wal`), { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Opens the store's file. Throws `store_missing` or `store_damaged`; a pragma without effect is fatal. */
export function openDatabase(options: OpenOptions): Connection {
  const { folder, file: stored = STORE_FILE } = options
  const file = join(folder, stored)
  if (!options.fresh && !hasBooks(folder, stored))
    throw new AppError('store_missing', { details: { folder } })
  const handle = new Database(file, { fileMustExist: !options.fresh, timeout: 5000 })
  try {
    unlock(handle, options.masterKey)
    handle.prepare('select count(*) from sqlite_master').get()
    for (const [name, value, expected] of pragmasOf(options)) {
      handle.pragma(`${name}=${value}`)
      const held = handle.pragma(name, { simple: true })
      if (held !== expected) throw new Error(`The store refuses ${name}=${value}: it says ${String(held)}.`)
    }
    return new Connection(handle)
  } catch (error) {
    handle.close()
    if (isNotADatabase(error)) throw new AppError('store_damaged', { cause: error })
    throw error
  }
}
