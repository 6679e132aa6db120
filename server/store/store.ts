/**
 * The store: one writing connection, used only inside transactions, and one reading connection for everything else, so
 * that a list never waits for a write. Transactions queue up; each is `begin immediate` and is answered after COMMIT.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { timingSafeEqual } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { AppError } from '../core/errors.ts'
import { reached } from '../core/steps.ts'
import type { Connection } from './connection.ts'
import { ConnectionDialect } from './dialect.ts'
import { writeFileDurably } from './files.ts'
import { noteBooksMade, openKeyring, STORE_FILE, readKeyring } from './keyring.ts'
import type { Keychain, KeyProtection } from './keyring.ts'
import { lockStore } from './lock.ts'
import { pragmaFaults, schemaFaults } from './hold.ts'
import { assertOurs, migrate, migrations } from './migrate.ts'
import type { Migration } from './migrate.ts'
import { hasBooks, openDatabase, readVersions } from './open.ts'
import type { OpenOptions } from './open.ts'
import { bindConnection } from './query.ts'
import type { Db } from './query.ts'
import { freeBytesAt } from '../core/room.ts'
import { newRecoveryCode, unwrapMasterKey, wrapMasterKey } from './recovery.ts'
import type { WrappedKey } from './recovery.ts'
import type { Schema } from './schema.ts'
import { createSealer, deriveKey } from './seal.ts'
import type { Sealer } from './seal.ts'
import { dropStaging, finishSwap, JOURNAL_FILE } from './swap.ts'
import { refuseSharedFolder } from './shared-folder.ts'
import { isToUpgrade, upgrade } from './upgrade.ts'

export interface StoreOptions {
  folder: string
  keyFile?: string | undefined
  keychain: Keychain | null
  now: () => Date
  /**
   * Make the store when it is not there (set-up and `serve` on an empty folder). `in_folder`: only where the folder itself
   * is, for one that was named may lie on a disk that is not connected.
   */
  create?: boolean | 'in_folder'
  /** The key as the recovery code gave it, for this run alone. */
  recoveredKey?: Buffer | undefined
  cacheKib?: number
  /** Called with books of an earlier schema before they are changed; when it throws, they are not. */
  beforeMigration?:
    | ((books: { folder: string; masterKey: Buffer; storeId: string }) => Promise<void>)
    | undefined
  /** Proves migrated books before they are committed; when it throws, they are as they were. */
  proveMigration?: ((migrated: Connection) => Promise<void>) | undefined
  /**
   * Proves the file whole, its references and chains, after something happened to it while it was open: nothing is written
   * before. Throws an error whose `code` tells why not. Without it SQLite's own look alone has to do.
   */
  proveBooks?: ((books: { folder: string; masterKey: Buffer }) => Promise<void>) | undefined
  /** Stands in for the migrations of this build in tests. */
  migrations?: readonly Migration[]
}

export interface Store {
  readonly storeId: string
  readonly folder: string
  readonly protection: KeyProtection
  /** The reading connection: sees what is committed. */
  readonly reader: Db
  /**
   * Runs readings that belong together under one lock of the file instead of one for each. They see one moment, unless
   * something is committed meanwhile: then the rest sees what is new, as every reading after a commit does.
   */
  readTogether<T>(work: () => Promise<T>): Promise<T>
  /** Runs `work` in one transaction on the writing connection; commits when it resolves, rolls back when it throws. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  readonly sealer: Sealer
  /** Keeps the master key under a new recovery code; the sidecar is replaced only by `confirm`. */
  newRecoveryCode(): { code: string; confirm(): void }
  hasRecoveryCode(): boolean
  /** A copy of the key, for a thread that opens the same books; whoever asks for it blanks it afterwards. */
  copyOfKey(): Buffer
  /** Rows written since the store was opened: another number means that something was committed. */
  changes(): number
  /** True for the code kept last: what it opens is this store's key, not just any. */
  isRecoveryCode(code: string): boolean
  /** Bytes that may still be written where the books lie; null when that cannot be told. */
  freeBytes(): number | null
  /** What keeps the store from being written, or null while the last writing went well. */
  readonly writeFault: WriteFault | null
  /** Told when `writeFault` comes or goes. */
  onWriteFault: (fault: WriteFault | null) => void
  /**
   * Finds out by writing whether the store can be written again. After an I/O error the file is opened anew and proved
   * first, because nobody knows what the failed writing left.
   */
  tryWriting(): Promise<WriteFault | null>
  /** What the open file is no longer held by: pragmas of both connections, and the schema. Sentences; empty when all hold. */
  holdFaults(): { pragmas: string[]; schema: string[] }
  checkpoint(): void
  /** Gives back the memory of cached pages that nobody is using: for what writes a lot that nobody reads soon. */
  releaseMemory(): void
  close(): void
}

/** Why the last writing failed, and since when none has gone well. */
export interface WriteFault {
  /** The database's code, such as `SQLITE_FULL`. */
  reason: string
  since: Date
}

export const RECOVERY_FILE = 'recovery.json'
/** A row that is written and deleted to find out whether there is room: large enough not to fit by chance. */
const TRIAL_BYTES = 256 * 1024
const TRIAL = 'write_trial'

/** The wrapped key beside the books, or null. */
export function readRecoveryFile(folder: string): WrappedKey | null {
  const file = join(folder, RECOVERY_FILE)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as WrappedKey) : null
}

/**
 * Refuses books of a later build, or of another program, before anything of them is opened for writing. What cannot be read
 * now is for the opening to tell.
 */
function refuseForeign(folder: string, masterKey: Uint8Array, known: number): void {
  let found: ReturnType<typeof readVersions>
  try {
    found = readVersions(folder, masterKey)
  } catch {
    return
  }
  assertOurs(found.applicationId, found.version, known)
}

const insideTransaction = new AsyncLocalStorage<Store>()

function isUnknownOutcome(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? ''
  return (
    code.startsWith('SQLITE_IOERR') || code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB')
  )
}

/** Opens the store of a folder: lock, key, file, pragmas, migrations, then a second connection for reading. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { folder, now } = options
  const isThere = ['keyring.json', STORE_FILE, JOURNAL_FILE].some((file) => existsSync(join(folder, file)))
  // Asked before anything is written: a folder without books gets no lock file either.
  const mayMake = options.create === 'in_folder' ? existsSync(folder) : options.create
  if (!isThere && !mayMake) throw new AppError('store_missing', { details: { folder } })
  refuseSharedFolder(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
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
    const list = options.migrations ?? migrations
    if (hasFile) refuseForeign(folder, key.masterKey, list.length)
    // The key may have been made and the power cut before the first page was written, be the file there or not: then the
    // books are still to be made.
    const neverWritten = Boolean(options.create) && !hasFile
    const cache = options.cacheKib === undefined ? {} : { cacheKib: options.cacheKib }
    const writer = open({
      masterKey: key.masterKey,
      role: 'writer',
      fresh: key.fresh || neverWritten,
      ...cache,
    })
    if (isToUpgrade(writer, list)) {
      await options.beforeMigration?.({ folder, masterKey: key.masterKey, storeId: key.storeId })
      await upgrade(writer, { list, prove: options.proveMigration })
    }
    migrate(writer, list)
    if (key.fresh || neverWritten) noteBooksMade(folder)
    const reader = open({ masterKey: key.masterKey, role: 'reader', ...cache })
    dropStaging(folder)
    const openWriter = (): Connection =>
      openDatabase({ folder, masterKey: key.masterKey, role: 'writer', ...cache })
    const { proveBooks } = options
    const release = (): void => lock.release()
    return new OpenStore({ folder, now, key, writer, reader, openWriter, release, proveBooks })
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
  release: () => void
  proveBooks: StoreOptions['proveBooks']
}

/** Kysely over a connection, for queries that are prepared and those that are not. */
export function instanceOver(connection: Connection): Db {
  const db = new Kysely<Schema>({ dialect: new ConnectionDialect(connection) })
  bindConnection(db, connection)
  return db
}

class OpenStore implements Store {
  readonly storeId: string
  readonly folder: string
  readonly protection: KeyProtection
  readonly reader: Db
  readonly sealer: Sealer
  writeFault: WriteFault | null = null
  onWriteFault: Store['onWriteFault'] = () => {}
  /** After an I/O error nobody knows what the file holds: nothing is written until it is proved whole. */
  private unproved = false
  private readonly parts: Parts
  private writerDb: Db
  private queue: Promise<unknown> = Promise.resolve()
  /** Calls of `readTogether` under way. */
  private readings = 0
  /** They hold the lock of the file; asking the driver each time would cost as much as a small query. */
  private readingsLock = false
  private closed = false

  constructor(parts: Parts) {
    this.parts = parts
    this.storeId = parts.key.storeId
    this.folder = parts.folder
    this.protection = parts.key.protection
    this.reader = instanceOver(parts.reader)
    parts.reader.startKeeping()
    parts.reader.onDamage = (code) => this.stopWriting(code)
    this.writerDb = instanceOver(parts.writer)
    this.sealer = createSealer(deriveKey(parts.key.masterKey, 'seal-v1'))
  }

  async readTogether<T>(work: () => Promise<T>): Promise<T> {
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
    // A failing disk may have ended it.
    if (reader.handle.inTransaction) reader.run('commit', [])
  }

  async transaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
    // A second transaction from within the first would wait for itself for ever.
    if (insideTransaction.getStore() === this)
      throw new Error('A transaction is already open: use the ctx it was given.')
    const turn = this.queue
    let done: () => void = () => {}
    this.queue = new Promise<void>((resolve) => (done = resolve))
    await turn
    try {
      return await insideTransaction.run(this, () => this.runTransaction(work))
    } finally {
      done()
    }
  }

  private async runTransaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
    if (this.closed) throw new AppError('store_readonly', { details: { reason: 'closing' } })
    if (this.unproved) throw this.refusal(this.writeFault?.reason ?? 'unproved')
    return this.runOnWriter(work)
  }

  private async runOnWriter<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const { writer } = this.parts
    let result: T
    try {
      writer.run('begin immediate', [])
      result = await work(this.writerDb)
    } catch (error) {
      this.rollBack()
      throw this.asStoreFault(error)
    }
    // Readings under way must not keep on looking at what was, nor the file from being tidied up.
    this.endReading()
    reached('store.before_commit')
    try {
      writer.run('commit', [])
    } catch (error) {
      this.rollBack()
      throw this.asStoreFault(error)
    } finally {
      this.parts.reader.forget()
    }
    reached('store.after_commit')
    // What a reading found meanwhile is not over with this.
    if (!this.unproved) this.tell(null)
    return result
  }

  private rollBack(): void {
    try {
      if (this.parts.writer.handle.inTransaction) this.parts.writer.run('rollback', [])
    } catch (error) {
      this.unproved = true
      this.tell(`rollback failed: ${(error as { code?: string }).code ?? 'unknown'}`)
    }
  }

  private tell(reason: string | null): void {
    if (reason === (this.writeFault?.reason ?? null)) return
    this.writeFault = reason === null ? null : { reason, since: this.writeFault?.since ?? this.parts.now() }
    this.onWriteFault(this.writeFault)
  }

  /** The file is not what was written: what can be read is, and nothing more is written until it is proved. */
  private stopWriting(code: string): void {
    if (this.closed) return
    this.unproved = true
    this.tell(code)
  }

  private refusal(reason: string, cause?: unknown): AppError {
    return new AppError('store_readonly', { details: { reason }, retryAfterSeconds: 60, cause })
  }

  /** Disk faults are answered as such, and kept for whoever asks how the store is. */
  private asStoreFault(error: unknown): unknown {
    const code = (error as { code?: string }).code
    if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return error
    if (isUnknownOutcome(error)) this.unproved = true
    else if (code !== 'SQLITE_FULL' && !code.startsWith('SQLITE_READONLY')) return error
    this.tell(code)
    return this.refusal(code, error)
  }

  async tryWriting(): Promise<WriteFault | null> {
    const turn = this.queue
    let done: () => void = () => {}
    this.queue = new Promise<void>((resolve) => (done = resolve))
    await turn
    try {
      if (!this.closed) await insideTransaction.run(this, () => this.proveAndWrite())
    } catch (error) {
      // A fault of the disk is the answer; it has been kept.
      if (!(error instanceof AppError)) throw error
    } finally {
      done()
    }
    return this.writeFault
  }

  private async proveAndWrite(): Promise<void> {
    if (this.unproved) await this.reopenWriter()
    await this.runOnWriter(async (db) => {
      const value = JSON.stringify('x'.repeat(TRIAL_BYTES))
      await db.deleteFrom('settings').where('name', '=', TRIAL).execute()
      await db.insertInto('settings').values({ name: TRIAL, value }).execute()
    })
    await this.runOnWriter((db) => db.deleteFrom('settings').where('name', '=', TRIAL).execute())
  }

  /** Opens the file anew, which settles what a failed writing left, and proves it. Throws `store_readonly`. */
  private async reopenWriter(): Promise<void> {
    let writer: Connection
    try {
      writer = this.parts.openWriter()
    } catch (error) {
      if (!(error instanceof AppError)) throw this.asStoreFault(error)
      this.tell(error.code)
      throw this.refusal(error.code, error)
    }
    try {
      await this.prove(writer)
      if (this.closed) throw Object.assign(new Error('closing'), { code: 'closing' })
    } catch (error) {
      writer.close()
      const { code = 'unproved' } = error as { code?: string }
      this.tell(code)
      throw this.refusal(code, error)
    }
    this.parts.writer.close()
    this.parts.writer = writer
    this.writerDb = instanceOver(writer)
    // What the failed commit wrote may be there after all.
    this.parts.reader.forget()
    this.unproved = false
  }

  /** Throws what is wrong with the file, with its code. */
  private async prove(writer: Connection): Promise<void> {
    const { folder, key, proveBooks } = this.parts
    if (schemaFaults(writer).length > 0) throw Object.assign(new Error('schema'), { code: 'schema_changed' })
    if (proveBooks) return proveBooks({ folder, masterKey: key.masterKey })
    const [first] = writer.handle.pragma('integrity_check(1)') as { integrity_check: string }[]
    if (first?.integrity_check !== 'ok')
      throw Object.assign(new Error('integrity_check'), { code: 'SQLITE_CORRUPT' })
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

  hasRecoveryCode(): boolean {
    return existsSync(join(this.folder, RECOVERY_FILE))
  }

  copyOfKey(): Buffer {
    return Buffer.from(this.parts.key.masterKey)
  }

  changes(): number {
    return (this.parts.writer.get('select total_changes() as changes', []) as { changes: number }).changes
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
    this.parts.writer.handle.pragma('shrink_memory')
  }

  holdFaults(): { pragmas: string[]; schema: string[] } {
    const { writer, reader } = this.parts
    return {
      pragmas: [...pragmaFaults(writer, 'writer'), ...pragmaFaults(reader, 'reader')],
      schema: schemaFaults(reader),
    }
  }

  checkpoint(): void {
    this.endReading()
    this.parts.writer.handle.pragma('wal_checkpoint(TRUNCATE)')
    reached('store.log_emptied')
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    this.parts.reader.close()
    try {
      this.parts.writer.handle.pragma('optimize')
    } catch {
      // A full disk must not keep the app from closing.
    }
    this.parts.writer.close()
    this.parts.key.masterKey.fill(0)
    this.parts.release()
  }
}
