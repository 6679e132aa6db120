/**
 * The store: one write connection, used only inside transactions, and one read connection for everything else, so
 * that a list never waits for a write.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { timingSafeEqual } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../domain/errors/app-error.ts'
import { failpoint } from '../failpoints.ts'
import type { Connection } from './connection.ts'
import { createKysely } from './dialect.ts'
import { restrictToOwner, writeFileDurably } from './files/atomic-files.ts'
import { recordBooksCreated, openKeyring, STORE_FILE, readKeyring } from './keys/keyring.ts'
import type { Keychain, KeyProtection } from './keys/keyring.ts'
import { lockStore } from './files/lock.ts'
import { pragmaFaults, schemaFaults } from './pragmas.ts'
import { assertOurs, isMigrated, loadMigrations, migrate } from './migrate.ts'
import type { Migration } from '../migrations/list.ts'
import { SCHEMA_VERSION } from '../migrations/version.ts'
import { hasBooks, openDatabase, readVersions } from './open.ts'
import type { OpenOptions } from './open.ts'
import { inRows } from '../outside/objects.ts'
import type { Db } from '../query.ts'
import type { Store, WriteFault } from '../store.ts'
import { freeBytesAt } from '../disk-space.ts'
import { newRecoveryCode, unwrapMasterKey, wrapMasterKey } from './keys/recovery-code.ts'
import type { WrappedKey } from './keys/recovery-code.ts'
import { sealerOf } from '../seal.ts'
import type { Sealer } from '../seal.ts'
import { dropRekeyed, dropStaging, finishSwap, JOURNAL_FILE } from './files/swap.ts'
import { refuseSharedFolder } from './files/shared-folder.ts'
import { needsUpgrade, upgrade } from './upgrade.ts'
import { addRows, replaceRows } from './replace-rows.ts'
import { emptyLog } from './empty-log.ts'
import type { EmbeddedStore, KeySwap } from './port.ts'
import { Writing } from './writing.ts'

export interface StoreOptions {
  folder: string
  keyFile?: string | undefined
  keychain: Keychain | null
  now: () => Date
  /**
   * Creates the store if it is missing (set-up and `serve` on an empty folder). `in_folder`: only if the folder
   * itself exists, since a named folder may be on a disk that is not connected.
   */
  create?: boolean | 'in_folder'
  /** The key from the recovery code, for this run only. */
  recoveredKey?: Buffer | undefined
  cacheKib?: number
  /** Called before any file of the books, including the log, is opened for writing; if it throws, nothing is changed. */
  beforeOpening?:
    | ((books: { folder: string; masterKey: Buffer; storeId: string }) => Promise<void>)
    | undefined
  /** Called before books of an earlier schema are changed; if it throws, they are not. */
  beforeMigration?:
    | ((books: { folder: string; masterKey: Buffer; storeId: string }) => Promise<void>)
    | undefined
  /**
   * Verifies migrated books before the commit; if it throws, the migration is rolled back. Until then another
   * connection to the folder sees the earlier state.
   */
  proveMigration?:
    | ((migrated: Connection, books: { folder: string; masterKey: Buffer }) => Promise<void>)
    | undefined
  /**
   * Verifies the file, its references and chains after an I/O error while it was open, before anything is written.
   * Throws an error whose `code` gives the reason. Without it only SQLite's own check applies.
   */
  proveBooks?: ((books: { folder: string; masterKey: Buffer }) => Promise<void>) | undefined
  /** Replaces the migrations of this build in tests. */
  migrations?: readonly Migration[]
}

export const RECOVERY_FILE = 'recovery.json'

/** Returns the wrapped key beside the books, or null. */
export function readRecoveryFile(folder: string): WrappedKey | null {
  const file = join(folder, RECOVERY_FILE)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as WrappedKey) : null
}

/**
 * Rejects books of a later build, or of another program, before any of their files is opened for writing. Read errors
 * are left to the opening that follows.
 */
async function refuseForeign(folder: string, masterKey: Uint8Array, known: number): Promise<void> {
  let found: Awaited<ReturnType<typeof readVersions>>
  try {
    found = await readVersions(folder, masterKey)
  } catch {
    return
  }
  assertOurs(found.applicationId, found.version, known)
}

/** Opens the store of a folder: lock, key, file, pragmas, migrations, then a second connection for reading. */
export async function openStore(options: StoreOptions): Promise<EmbeddedStore> {
  const { folder, now } = options
  const isThere = ['keyring.json', STORE_FILE, JOURNAL_FILE].some((file) => existsSync(join(folder, file)))
  // Checked before anything is written: a folder without books gets no lock file either.
  const mayMake = options.create === 'in_folder' ? existsSync(folder) : options.create
  if (!isThere && !mayMake) throw new AppError('store_missing', { details: { folder } })
  refuseSharedFolder(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  restrictToOwner(folder, ['.'], 0o700)
  const lock = lockStore(folder)
  const opened: Connection[] = []
  const open = (how: Omit<OpenOptions, 'folder'>): Connection => {
    const connection = openDatabase({ folder, ...how })
    opened.push(connection)
    return connection
  }
  try {
    finishSwap(folder)
    const hasFile = hasBooks(folder)
    if (!hasFile && readKeyring(folder)?.booksMade)
      throw new AppError('store_missing', { details: { folder } })
    const key = await openKeyring(options)
    const known = options.migrations?.length ?? SCHEMA_VERSION
    if (hasFile) {
      await refuseForeign(folder, key.masterKey, known)
      await options.beforeOpening?.({ folder, masterKey: key.masterKey, storeId: key.storeId })
    }
    // A power cut may have occurred after the key was created and before the first page was written, whether the file
    // exists or not: the books then still have to be created.
    const neverWritten = Boolean(options.create) && !hasFile
    const cache = options.cacheKib === undefined ? {} : { cacheKib: options.cacheKib }
    const writer = open({
      masterKey: key.masterKey,
      role: 'writer',
      fresh: key.fresh || neverWritten,
      ...cache,
    })
    if (!isMigrated(writer, known)) {
      const list = options.migrations ?? (await loadMigrations())
      if (needsUpgrade(writer, list)) {
        await options.beforeMigration?.({ folder, masterKey: key.masterKey, storeId: key.storeId })
        const { proveMigration } = options
        const books = { folder, masterKey: key.masterKey }
        await upgrade(writer, {
          list,
          prove: proveMigration && ((migrated) => proveMigration(migrated, books)),
        })
      }
      migrate(writer, list)
    }
    if (key.fresh || neverWritten) recordBooksCreated(folder)
    // SQLite gives the files that it creates beside the books the same mode.
    restrictToOwner(folder, [STORE_FILE, `${STORE_FILE}-wal`, `${STORE_FILE}-shm`], 0o600)
    const reader = open({ masterKey: key.masterKey, role: 'reader', ...cache })
    dropStaging(folder)
    dropRekeyed(folder)
    const openAs = (role: 'writer' | 'reader') => (): Connection =>
      openDatabase({ folder, masterKey: key.masterKey, role, ...cache })
    const openWriter = openAs('writer')
    const openReader = openAs('reader')
    const { proveBooks } = options
    const release = (): void => lock.release()
    return new OpenStore({ folder, now, key, writer, reader, openWriter, openReader, release, proveBooks })
  } catch (error) {
    for (const connection of opened) connection.close()
    lock.release()
    throw error
  }
}

interface Parts {
  folder: string
  now: () => Date
  key: { masterKey: Buffer; storeId: string; protection: KeyProtection }
  writer: Connection
  reader: Connection
  openWriter: () => Connection
  openReader: () => Connection
  release: () => void
  proveBooks: StoreOptions['proveBooks']
}

class OpenStore implements EmbeddedStore {
  readonly engine = 'sqlite'
  readonly objects = inRows
  readonly marks = null
  readonly storeId: string
  readonly folder: string
  readonly protection: KeyProtection
  readonly reader: Db
  rowIdentity: object = {}
  sealer: Sealer
  onWriteFault: Store['onWriteFault'] = () => {}
  refused: ReadonlyMap<number, AppError> = new Map()
  advised: ReadonlySet<number> = new Set()
  private readonly parts: Omit<Parts, 'writer' | 'proveBooks'>
  private readonly writing: Writing
  /** Number of `readTogether` calls in progress. */
  private readings = 0
  /** True while they hold the lock of the file; asking the driver each time would cost as much as a small query. */
  private readingsLock = false
  private closed = false
  /** Set within `writeAdvised`. */
  private readonly advising = new AsyncLocalStorage<true>()

  constructor({ writer, proveBooks, ...parts }: Parts) {
    this.parts = parts
    const { folder, now, key, reader, openWriter } = parts
    this.storeId = key.storeId
    this.folder = folder
    this.protection = key.protection
    this.reader = createKysely(reader)
    reader.enableResultCache()
    this.writing = new Writing({
      now,
      writer,
      openWriter,
      prove: proveBooks && (() => proveBooks({ folder, masterKey: key.masterKey })),
      // The read lock must not prevent the checkpoint either.
      beforeCommit: () => this.endReading(),
      afterCommit: () => reader.clearResults(),
      onFault: (fault) => this.onWriteFault(fault),
    })
    reader.onDamage = (code) => this.writing.stop(code)
    this.sealer = sealerOf(key.masterKey)
  }

  readerOf(): Db {
    return this.reader
  }

  async readTogether<T>(_companyId: number | null, work: () => Promise<T>): Promise<T> {
    const { reader } = this.parts
    this.readings += 1
    try {
      if (!this.closed && !this.readingsLock) {
        reader.run('begin', [])
        this.readingsLock = true
      }
      return await work()
    } finally {
      this.readings -= 1
      if (this.readings === 0) this.endReading()
    }
  }

  private endReading(): void {
    const { reader } = this.parts
    if (this.closed || !this.readingsLock) return
    this.readingsLock = false
    // A disk fault may have ended the transaction.
    if (reader.handle.inTransaction) reader.run('commit', [])
  }

  readonly forReading = false

  get sourceFolder(): string {
    return this.folder
  }

  get writeFault(): WriteFault | null {
    return this.writing.fault
  }

  /** One file has one writer: the transactions of all companies run one after another. */
  async transaction<T>(companyId: number | null, work: (db: Db) => Promise<T>): Promise<T> {
    const refusal = companyId === null ? undefined : this.refused.get(companyId)
    if (refusal) throw refusal
    if (companyId !== null && this.advised.has(companyId) && !this.advising.getStore())
      throw new AppError('company_advised')
    return this.writing.transaction(work)
  }

  writeAdvised<T>(work: () => Promise<T>): Promise<T> {
    return this.advising.run(true, work)
  }

  replaceRows<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.writing.whileAlone(async () => {
      try {
        return await replaceRows(this.writing.connection, work, () => this.endReading())
      } finally {
        this.parts.reader.clearResults()
        this.rowIdentity = {}
      }
    })
  }

  addRows<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.writing.whileAlone(async () => {
      try {
        return await addRows(this.writing.connection, work, () => this.endReading())
      } finally {
        this.parts.reader.clearResults()
        this.rowIdentity = {}
      }
    })
  }

  /** Transactions begin with the lock. */
  assertLocked(): void {}

  tryWriting(): Promise<WriteFault | null> {
    return this.writing.tryWriting()
  }

  newRecoveryCode(): { code: string; confirm(): void } {
    const code = newRecoveryCode()
    return {
      code,
      confirm: () => {
        const wrapped = wrapMasterKey(this.parts.key.masterKey, code, this.storeId, this.parts.now())
        writeFileDurably(join(this.folder, RECOVERY_FILE), `${JSON.stringify(wrapped, null, 2)}\n`)
      },
    }
  }

  changeKey(prepare: () => Promise<KeySwap>): Promise<void> {
    return this.writing.whileAlone(async () => {
      const { masterKey, swap } = await prepare()
      if (this.closed) throw new AppError('store_readonly', { details: { reason: 'closing' } })
      const { reader, key, openReader } = this.parts
      const writer = this.writing.connection
      const before = key.masterKey
      this.endReading()
      reader.close()
      writer.close()
      // From here to the opening no other code of this process runs.
      try {
        swap()
        key.masterKey = masterKey
        this.sealer = sealerOf(masterKey)
      } finally {
        writer.continueOn(this.parts.openWriter())
        reader.continueOn(openReader())
      }
      before.fill(0)
    })
  }

  hasRecoveryCode(): boolean {
    return existsSync(join(this.folder, RECOVERY_FILE))
  }

  copyOfKey(): Buffer {
    return Buffer.from(this.parts.key.masterKey)
  }

  changes(): number {
    return (this.writing.connection.get('select total_changes() as changes', []) as { changes: number })
      .changes
  }

  freeBytes(): number | null {
    return freeBytesAt(this.folder)
  }

  isRecoveryCode(code: string): boolean {
    const wrapped = readRecoveryFile(this.folder)
    const opened = wrapped && unwrapMasterKey(wrapped, code, this.storeId)
    if (!opened) return false
    const { masterKey } = this.parts.key
    const isOurs = opened.length === masterKey.length && timingSafeEqual(opened, masterKey)
    opened.fill(0)
    return isOurs
  }

  releaseMemory(): void {
    this.writing.connection.handle.pragma('shrink_memory')
  }

  async durabilityFaults(): Promise<string[]> {
    return [...pragmaFaults(this.writing.connection, 'writer'), ...pragmaFaults(this.parts.reader, 'reader')]
  }

  async schemaFaults(): Promise<string[]> {
    return schemaFaults(this.parts.reader)
  }

  checkpoint(): void {
    this.endReading()
    this.writing.connection.handle.pragma('wal_checkpoint(TRUNCATE)')
    failpoint('store.log_emptied')
  }

  purgeRemains(): Promise<void> {
    return emptyLog(this)
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    this.parts.reader.close()
    this.writing.close()
    this.parts.key.masterKey.fill(0)
    this.parts.release()
  }
}
