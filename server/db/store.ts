/**
 * The store as the use cases know it, whichever engine keeps the rows: an encrypted file on a desk (`embedded/`) or
 * PostgreSQL for an office (`postgres/`). What only a file has, such as a folder and a recovery code, is in
 * `embedded/store.ts`.
 */
import type { EngineName } from './engines.ts'
import type { MarkStorage } from './outside/marks.ts'
import type { Objects } from './outside/objects.ts'
import type { Db } from './query.ts'
import type { Sealer } from './seal.ts'

/** Reason of the last failed write, and the time since which none has succeeded. */
export interface WriteFault {
  /** The database's code, such as `SQLITE_FULL`. */
  reason: string
  since: Date
}

/** How a transaction begins. */
export interface TransactionStart {
  /**
   * The work begins with reads: an engine behind a network sends the first ones with its request for the lock, and
   * answers them when it holds it. Until the first answer the work must not read the clock (`Store.assertLocked`).
   */
  readsFirst?: boolean
}

export interface Store {
  readonly engine: EngineName
  /** Identifies these books; it stays the same for their whole life. */
  readonly storeId: string
  /** Identity of the rows: caches of row ids belong to it. Another object after rows were replaced in bulk. */
  readonly rowIdentity: object
  /** Reads committed data of the whole installation. */
  readonly reader: Db
  /** Reads committed data of one company. */
  readerOf(companyId: number): Db
  /**
   * Runs related reads together, which is cheaper than one by one. They see one snapshot, unless something is
   * committed in the meantime: then the remaining reads see the new state.
   */
  readTogether<T>(companyId: number | null, work: () => Promise<T>): Promise<T>
  /**
   * Runs `work` in one transaction; commits when it resolves, rolls back when it throws. Transactions of one company
   * run one after another, and each sees the writes of those before it. `companyId` is null for data of the whole
   * installation.
   */
  transaction<T>(companyId: number | null, work: (db: Db) => Promise<T>, start?: TransactionStart): Promise<T>
  /**
   * Throws in a transaction that may not hold its lock yet: what it dates could be earlier than what another server has
   * just dated.
   */
  assertLocked(): void
  readonly sealer: Sealer
  /** Where the content of documents is. */
  readonly objects: Objects
  /** Where the progress of books is marked outside the database; null if nowhere. A file has its own mark. */
  readonly marks: MarkStorage | null
  /** Fault that prevents writes to the store; null if the last write succeeded. */
  readonly writeFault: WriteFault | null
  /** True if the store was opened read-only, because it cannot be written: this does not change while it is open. */
  readonly forReading: boolean
  /** Called when `writeFault` is set or cleared. */
  onWriteFault: (fault: WriteFault | null) => void
  /** Tests with a write whether the store can be written again. */
  tryWriting(): Promise<WriteFault | null>
  /** Returns the bytes that can still be written; null if unknown. */
  freeBytes(): number | null
  /** Removes earlier versions of deleted rows from the store's files, where the engine can. */
  purgeRemains(): Promise<void>
  /** Lists settings of the database without which a confirmed commit could be lost, as sentences. */
  durabilityFaults(): Promise<string[]>
  /** Lists differences between the schema of the database and that of this build, as sentences. */
  schemaFaults(): Promise<string[]>
  /** Releases the memory of unused cached pages, for work that writes much data which is not read soon. */
  releaseMemory(): void
  close(): void
}
