/**
 * The store: one writing connection, used only inside transactions, and one reading connection for everything else, so
 * that a list never waits for a write.
 */
import { timingSafeEqual } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../domain/errors/catalog.ts'
import { failpoint } from './failpoints.ts'
import type { Connection } from './connection.ts'
import { instanceOver } from './dialect.ts'
import { restrictToOwner, writeFileDurably } from './files/atomic-files.ts'
import { noteBooksMade, openKeyring, STORE_FILE, readKeyring } from './keys/keyring.ts'
import type { Keychain, KeyProtection } from './keys/keyring.ts'
import { lockStore } from './files/lock.ts'
import { pragmaFaults, schemaFaults } from './pragmas.ts'
import { assertOurs, migrate, migrations } from './migrate.ts'
import type { Migration } from './migrate.ts'
import { hasBooks, openDatabase, readVersions } from './open.ts'
import type { OpenOptions } from './open.ts'
import type { Db } from './query.ts'
import { freeBytesAt } from './disk-space.ts'
import { newRecoveryCode, unwrapMasterKey, wrapMasterKey } from './keys/recovery-code.ts'
import type { WrappedKey } from './keys/recovery-code.ts'
import { sealerOf } from './keys/seal.ts'
import type { Sealer } from './keys/seal.ts'
import { dropRekeyed, dropStaging, finishSwap, JOURNAL_FILE } from './files/swap.ts'
import { refuseSharedFolder } from './files/shared-folder.ts'
import { isToUpgrade, upgrade } from './upgrade.ts'
import { Writing } from './writing.ts'
import type { WriteFault } from './writing.ts'

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
  /** Called before anything of the books is opened for writing, their log included; when it throws, nothing of them is changed. */
  beforeOpening?:
    | ((books: { folder: string; masterKey: Buffer; storeId: string }) => Promise<void>)
    | undefined
  /** Called with books of an earlier schema before they are changed; when it throws, they are not. */
  beforeMigration?:
    | ((books: { folder: string; masterKey: Buffer; storeId: string }) => Promise<void>)
    | undefined
  /**
   * Proves migrated books before they are committed; when it throws, they are as they were. Another connection to the folder
   * sees them as they were until then.
   */
  proveMigration?:
    | ((migrated: Connection, books: { folder: string; masterKey: Buffer }) => Promise<void>)
    | undefined
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
  /** The folder that a person opened: `folder`, unless a private copy of it is read. */
  readonly sourceFolder: string
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
  /**
   * Changes the key: `prepare` makes and stages re-encrypted books while nobody writes, `swap` puts them in place while the
   * file is closed. Reading goes on until then. When either throws and the books were not swapped, they are as they were.
   */
  changeKey(prepare: () => Promise<KeySwap>): Promise<void>
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
  /** The books stand on media that cannot be written and were opened for reading: that does not end while they are open. */
  readonly forReading: boolean
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

/** Re-encrypted books that wait to take the place of the present ones. */
export interface KeySwap {
  masterKey: Buffer
  swap: () => void
}

export const RECOVERY_FILE = 'recovery.json'

/** The wrapped key beside the books, or null. */
export function readRecoveryFile(folder: string): WrappedKey | null {
  const file = join(folder, RECOVERY_FILE)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as WrappedKey) : null
}

/**
 * Refuses books of a later build, or of another program, before anything of them is opened for writing. What cannot be read
 * now is for the opening to tell.
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
export async function openStore(options: StoreOptions): Promise<Store> {
  const { folder, now } = options
  const isThere = ['keyring.json', STORE_FILE, JOURNAL_FILE].some((file) => existsSync(join(folder, file)))
  // Asked before anything is written: a folder without books gets no lock file either.
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
    const list = options.migrations ?? migrations
    if (hasFile) {
      await refuseForeign(folder, key.masterKey, list.length)
      await options.beforeOpening?.({ folder, masterKey: key.masterKey, storeId: key.storeId })
    }
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
      const { proveMigration } = options
      const books = { folder, masterKey: key.masterKey }
      await upgrade(writer, {
        list,
        prove: proveMigration && ((migrated) => proveMigration(migrated, books)),
      })
    }
    migrate(writer, list)
    if (key.fresh || neverWritten) noteBooksMade(folder)
    // SQLite gives the files that it makes beside the books their mode.
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

class OpenStore implements Store {
  readonly storeId: string
  readonly folder: string
  readonly protection: KeyProtection
  readonly reader: Db
  sealer: Sealer
  onWriteFault: Store['onWriteFault'] = () => {}
  private readonly parts: Omit<Parts, 'writer' | 'proveBooks'>
  private readonly writing: Writing
  /** Calls of `readTogether` under way. */
  private readings = 0
  /** They hold the lock of the file; asking the driver each time would cost as much as a small query. */
  private readingsLock = false
  private closed = false

  constructor({ writer, proveBooks, ...parts }: Parts) {
    this.parts = parts
    const { folder, now, key, reader, openWriter } = parts
    this.storeId = key.storeId
    this.folder = folder
    this.protection = key.protection
    this.reader = instanceOver(reader)
    reader.startKeeping()
    this.writing = new Writing({
      now,
      writer,
      openWriter,
      prove: proveBooks && (() => proveBooks({ folder, masterKey: key.masterKey })),
      // Nor is the file kept from being tidied up by them.
      beforeCommit: () => this.endReading(),
      afterCommit: () => reader.forget(),
      tell: (fault) => this.onWriteFault(fault),
    })
    reader.onDamage = (code) => this.writing.stop(code)
    this.sealer = sealerOf(key.masterKey)
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

  readonly forReading = false

  get sourceFolder(): string {
    return this.folder
  }

  get writeFault(): WriteFault | null {
    return this.writing.fault
  }

  transaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.writing.transaction(work)
  }

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
      // From here to the opening nothing else of this process runs.
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

  holdFaults(): { pragmas: string[]; schema: string[] } {
    const { reader } = this.parts
    const writer = this.writing.connection
    return {
      pragmas: [...pragmaFaults(writer, 'writer'), ...pragmaFaults(reader, 'reader')],
      schema: schemaFaults(reader),
    }
  }

  checkpoint(): void {
    this.endReading()
    this.writing.connection.handle.pragma('wal_checkpoint(TRUNCATE)')
    failpoint('store.log_emptied')
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
