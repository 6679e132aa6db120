/** What a store in an encrypted file does beyond a store: folder, key, recovery code and disk. */
import type { AppError } from '../../domain/errors/app-error.ts'
import type { Store, WriteFault } from '../store.ts'
import type { Connection } from './connection.ts'
import type { KeyProtection } from './keys/keyring.ts'

export interface EmbeddedStore extends Store {
  readonly engine: 'sqlite'
  readonly folder: string
  /** The folder that a person opened: `folder`, unless a private copy of it is read. */
  readonly sourceFolder: string
  readonly protection: KeyProtection
  /** Encrypts the master key under a new recovery code; only `confirm` replaces the sidecar file. */
  newRecoveryCode(): { code: string; confirm(): void }
  hasRecoveryCode(): boolean
  /** Returns true for the current code, which must also open this store's key. */
  isRecoveryCode(code: string): boolean
  /**
   * Changes the key: `prepare` creates and stages re-encrypted books while writes wait, `swap` puts them in place
   * while the file is closed. Reads continue until then. If either throws before the swap, the books are unchanged.
   */
  changeKey(prepare: () => Promise<KeySwap>): Promise<void>
  /** Returns a copy of the key, for a thread that opens the same books; the caller clears it afterwards. */
  copyOfKey(): Buffer
  /**
   * Returns the number of rows written since the store was opened: a different number means that something was
   * committed.
   */
  changes(): number
  /** Companies by row id that are not written here any more, with the answer to who tries. */
  refused: ReadonlyMap<number, AppError>
  /** Companies by row id that are copies of other installations' books: only `writeAdvised` writes them. */
  advised: ReadonlySet<number>
  /** Runs work whose transactions may write such companies. */
  writeAdvised<T>(work: () => Promise<T>): Promise<T>
  /**
   * Replaces rows in bulk in one transaction of the connection, while no other write runs and with triggers and
   * foreign keys off; both are checked before the commit. For rows that another installation has checked.
   */
  replaceRows<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Adds rows in bulk in one transaction of the connection, while no other write runs and under every trigger. */
  addRows<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * Tests with a write whether the store can be written again. After an I/O error the file is reopened and verified
   * first, because the result of the failed write is unknown.
   */
  tryWriting(): Promise<WriteFault | null>
  checkpoint(): void
}

/** Returns the store as one in a file. Throws if another engine keeps the rows: the caller is for a desk only. */
export function embedded(store: Store): EmbeddedStore {
  if (store.engine !== 'sqlite') throw new Error('Only a store in a file can do this.')
  return store as EmbeddedStore
}

/** Re-encrypted books ready to replace the present ones. */
export interface KeySwap {
  masterKey: Buffer
  swap: () => void
}
