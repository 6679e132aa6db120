/** Composes the application without a server: keychain, store, clock and the services on them, and their shutdown. */
import type { AppEnvironment } from '../context.ts'
import { computerMark, readComputer } from '../db/embedded/files/computer.ts'
import { movedBooks, readArriving } from '../db/embedded/moved-books.ts'
import { isReadOnlyMedia, openReadOnly } from '../db/embedded/files/read-only.ts'
import { isSwapping } from '../db/embedded/files/swap.ts'
import { keychainOf, readKeyring, STORE_FILE } from '../db/embedded/keys/keyring.ts'
import type { Keychain } from '../db/embedded/keys/keyring.ts'
import { hasLog } from '../db/embedded/open.ts'
import { isSandbox, SANDBOX } from '../db/sandbox.ts'
import { openStore } from '../db/embedded/store.ts'
import type { StoreOptions } from '../db/embedded/store.ts'
import type { EmbeddedStore } from '../db/embedded/port.ts'
import { AppError } from '../domain/errors/app-error.ts'
import { settleInterrupted } from '../integrations/erp/start.ts'
import { sealOlderKeys } from '../platform/api-keys/index.ts'
import { advisedCompanies, listBooks } from '../platform/books/index.ts'
import { allCompanies } from '../platform/jobs/index.ts'
import { createLog } from '../platform/log.ts'
import { setParserStart } from '../platform/processes/parsers.ts'
import type { StartParser } from '../platform/processes/parsers.ts'
import { createRollbackGuard } from '../registry/index.ts'
import type { RollbackGuard } from '../registry/index.ts'
import { backUpBeforeMigration, proveBooks, proveMigrated } from './backups/index.ts'
import { composeEnvironment, openedSello } from './environment.ts'
import type { EnvironmentOptions, OpenedSello } from './environment.ts'
import { isLogForeign } from './integrity/index.ts'
import type { ClosedBooks } from './integrity/index.ts'
import { recordOfflineChanges } from './session/index.ts'

export interface OpenOptions extends EnvironmentOptions {
  dataDir: string
  keyFile?: string | undefined
  /** Create the store if it does not exist. */
  create?: boolean | 'in_folder'
  /** Allowed only if the store has no company yet: its data is marked as a sandbox for ever. */
  sandbox?: boolean
  log?: ((line: string) => void) | undefined
  /** Called before any file of the books is opened for writing; if it throws, nothing is changed. */
  beforeOpening?: StoreOptions['beforeOpening']
  /** Also open books on media that cannot be written, or that were moved elsewhere; nothing is written then. */
  mayOnlyRead?: boolean
  /** Also open books that are being moved here: for the move itself. */
  mayBeArriving?: boolean
  /** Called when the upgrade of books of an earlier version begins: no request is answered until it ends. */
  upgrading?: (() => void) | undefined
  /** The key from the recovery code, for this run only. */
  recoveredKey?: Buffer | undefined
  /** Replaces the clock, the keychain and the page cache in tests. */
  now?: () => Date
  keychain?: Keychain | null
  /** The identity of this computer; null if unknown. */
  computer?: string | null
  /** Starts parsers of foreign files if the program does not run as Node. */
  startParser?: StartParser | undefined
  cacheKib?: number
}

/** Loads the system's keychain, or returns null if there is none. Called only when a store needs it. */
export async function loadKeychain(): Promise<Keychain | null> {
  try {
    return keychainOf(await import('keytar/keytar.js'))
  } catch {
    return null
  }
}

async function keychainFor(options: OpenOptions): Promise<Keychain | null> {
  if (options.keychain !== undefined) return options.keychain
  if (options.keyFile) return null
  // In the middle of a restore the location of the key is unknown.
  const keyring = isSwapping(options.dataDir) ? null : readKeyring(options.dataDir)
  return keyring === null || keyring.protection === 'keychain' ? loadKeychain() : null
}

/** Returns the mark of this computer for the files beside the books. */
function computerOf(store: EmbeddedStore, computer: string | null): string | null {
  if (computer === null) return null
  const masterKey = store.copyOfKey()
  try {
    return computerMark(masterKey, computer)
  } finally {
    masterKey.fill(0)
  }
}

/**
 * Throws `store_damaged` if the log left by a crash belongs to another copy of the books: merging it would mix the
 * two.
 */
async function refuseForeignLog(books: ClosedBooks): Promise<void> {
  if (!hasLog(books.folder)) return
  const isForeign = await isLogForeign(books).catch((error: unknown) =>
    // The pages belong to two states: opened for writing, the log would be merged into the file nevertheless.
    /^SQLITE_(CORRUPT|NOTADB)/.test(String((error as { code?: unknown }).code)),
  )
  if (isForeign)
    throw new AppError('store_damaged', { details: { file: `${STORE_FILE}-wal`, why: 'other_log' } })
}

const isMoved = (error: unknown): boolean => error instanceof AppError && error.code === 'books_moved'

/** Opens books for writing. Throws `books_moved` and `books_arriving` for those that are not written here. */
async function openHere(books: StoreOptions, { mayBeArriving }: OpenOptions): Promise<EmbeddedStore> {
  const store = await openStore(books)
  try {
    const moved = await movedBooks(store.reader)
    if (moved.all) throw moved.all
    if (!mayBeArriving && (await readArriving(store.reader))) throw new AppError('books_arriving')
    store.refused = moved.companies
    store.advised = await advisedCompanies(store.reader)
    return store
  } catch (error) {
    store.close()
    throw error
  }
}

/**
 * Opens the store of a folder and the services on it. `loadContracts` loads the operations, which this room does not
 * know. Throws `AppError`s of the store.
 */
export async function openApplication(
  options: OpenOptions,
  loadContracts: AppEnvironment['loadContracts'],
): Promise<OpenedSello> {
  const now = options.now ?? (() => new Date())
  if (options.startParser) setParserStart(options.startParser)
  const log = createLog(options.log ?? (() => {}), now)
  // Some systems report it only through an external program, which runs while the books open.
  const computer = options.computer === undefined ? readComputer() : options.computer
  const keychain = await keychainFor(options)
  const books: StoreOptions = {
    folder: options.dataDir,
    keyFile: options.keyFile,
    keychain,
    now,
    create: options.create ?? false,
    recoveredKey: options.recoveredKey,
    beforeOpening: async (books) => {
      await options.beforeOpening?.(books)
      await refuseForeignLog(books)
    },
    beforeMigration: (books) => {
      options.upgrading?.()
      return backUpBeforeMigration(books, now)
    },
    proveMigration: proveMigrated,
    proveBooks,
    ...(options.cacheKib === undefined ? {} : { cacheKib: options.cacheKib }),
  }
  const store = await openHere(books, options).catch((error: unknown) => {
    const mayRead = isReadOnlyMedia(options.dataDir, error) || isMoved(error)
    if (!options.mayOnlyRead || !mayRead) throw error
    return openReadOnly(books)
  })
  let highWater: RollbackGuard | null = null
  try {
    if (options.sandbox && (await listBooks(store.reader)).length === 0 && !(await isSandbox(store.reader)))
      await store.transaction(null, (db) =>
        db.insertInto('settings').values({ name: SANDBOX, value: 'true' }).execute(),
      )
    const composed = composeEnvironment({
      ...options,
      loadContracts,
      store,
      sandbox: await isSandbox(store.reader),
      log,
      now,
      advised: {
        has: (companyId) => store.advised.has(companyId),
        writing: (work) => store.writeAdvised(work),
      },
      onWake: (work) => {
        if (work === 'events') highWater?.noteHistory()
        // Code that creates a record wakes the sender.
        if (work === 'sender') highWater?.note()
      },
    })
    const { env } = composed
    const marks = createRollbackGuard({
      env,
      keychain: store.protection === 'keychain' ? keychain : null,
      computer: computerOf(store, await computer),
      log: (line) => log({ event: 'start', error: line }),
    })
    highWater = marks
    const { keyFile } = options
    env.changeKey = async (request) =>
      (await import('./maintenance/change-key.ts')).changeKey(
        { env, highWater: marks, keyFile, keychain, computer: await computer },
        request,
      )
    // Before anything can be issued. If the check fails, the note that the books were restored remains.
    if (await highWater.check()) await recordOfflineChanges(env, 'restoredAt')
    await recordOfflineChanges(env, 'recoveredAt')
    if (!store.forReading) {
      for (const company of await allCompanies(env)) await settleInterrupted(env, company)
      await sealOlderKeys(env)
    }
    return openedSello(composed, log, async () => {
      // Waits for the last transaction, such as the record of a key's last use.
      await store.transaction(null, async () => {}).catch(() => undefined)
      await highWater?.close()
      store.close()
    })
  } catch (error) {
    store.close()
    throw error
  }
}
