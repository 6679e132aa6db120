/** Composes the running program (keychain, store, clock, background work and server) and shuts it down. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import manifest from '../../package.json' with { type: 'json' }
import producer from '../../build/producer.json' with { type: 'json' }
import { ledger } from '../accounting/ledger/port.ts'
import { watchCertificates } from '../company/certificates/index.ts'
import { placeBridge, pruneCalls, writeCalls } from '../app/assistants/index.ts'
import { pruneUnlinkedFiles } from '../platform/attachments/index.ts'
import {
  backupsIn,
  backUpBeforeMigration,
  createBackupJobs,
  proveBooks,
  proveMigrated,
} from '../app/backups/index.ts'
import type { BackupJobs } from '../app/backups/index.ts'
import { listBooks, loadBook } from '../platform/books/index.ts'
import { createLoop } from '../domain/concurrency/background-loop.ts'
import type { Background } from '../domain/concurrency/background-loop.ts'
import { AppError } from '../domain/errors/catalog.ts'
import { createIdMaker } from '../domain/ids.ts'
import { endIdleParsers, setParserStart } from '../platform/processes/parsers.ts'
import type { StartParser } from '../platform/processes/parsers.ts'
import { isInFlight, untilQuiet } from '../domain/concurrency/in-flight.ts'
import { createCtx } from '../context.ts'
import type { AppEnvironment, Book, Ctx, PersonCheck, CloseForRestore } from '../context.ts'
import { wakeStreams } from '../platform/events/index.ts'
import { erpMockEndpointFrom, settleInterrupted, stopErpRuns } from '../integrations/erp/start.ts'
import { accrueOverdueCash } from '../tax/totals/index.ts'
import { createLog, createServer, EventFeed, HOST, listen, OwnAddress, WindowSessions } from './http/index.ts'
import type { FindKey, Log } from './http/index.ts'
import { pruneTrash } from '../platform/trash/index.ts'
import { pruneIdempotency } from '../platform/idempotency/index.ts'
import { pruneConfirmations, setRegistryStatus } from '../sales/invoices/index.ts'
import {
  authenticate,
  readPortPromise,
  rememberPort,
  sealOlderKeys,
  touchKey,
} from '../platform/api-keys/index.ts'
import { recordOfflineChanges } from '../app/session/index.ts'
import { loadContracts, operationTable, warmUp } from './operations.ts'
import { createDocumentPool, stopExports } from '../documents/rendering/start.ts'
import type { DocumentJob, DocumentPool } from '../documents/rendering/start.ts'
import {
  checkChainAtStart,
  contradictsMark,
  createRollbackGuard,
  createRegistryJobs,
  mockEndpointFrom,
} from '../registry/index.ts'
import type { RollbackGuard } from '../registry/index.ts'
import { stopVerification } from '../app/integrity/index.ts'
import { computerMark, readComputer } from '../db/files/computer.ts'
import { writeFileWhole } from '../db/files/atomic-files.ts'
import { instanceOver } from '../db/dialect.ts'
import { readKeyring, STORE_FILE } from '../db/keys/keyring.ts'
import type { Keychain } from '../db/keys/keyring.ts'
import { createWriteRecovery } from '../db/write-recovery.ts'
import { createDiskSpaceWatch } from '../db/disk-space.ts'
import { hasLog, readUntouched } from '../db/open.ts'
import { isSandbox, SANDBOX } from '../db/sandbox.ts'
import { isReadOnlyMedia, openReadOnly } from '../db/files/read-only.ts'
import { sealerOf } from '../db/keys/seal.ts'
import { openStore } from '../db/store.ts'
import type { Store, StoreOptions } from '../db/store.ts'
import { isSwapping } from '../db/files/swap.ts'
import { findOther, SERVER_FILE, startWithRecovery, WINDOW_FILE } from './recovery-mode/index.ts'
import type { RecoverableStart } from './recovery-mode/index.ts'

export type { StartParser } from '../platform/processes/parsers.ts'
export type { PersonCheck, ProtectedAction } from '../context.ts'

const HOUSEKEEPING_MS = 10 * 60_000
/** Delay of the chain verification and the maintenance, so that the first requests are served first. */
const AFTER_START_MS = 1_000
/** Delay before the modules that draw documents and send mails and events are loaded. */
const BREATH_MS = 50

export interface OpenOptions {
  dataDir: string
  keyFile?: string | undefined
  /** Create the store if it does not exist. */
  create?: boolean | 'in_folder'
  /** Allowed only if the store has no company yet: its data is marked as a sandbox for ever. */
  sandbox?: boolean
  log?: ((line: string) => void) | undefined
  /** Called before any file of the books is opened for writing; if it throws, nothing is changed. */
  beforeOpening?: StoreOptions['beforeOpening']
  /** Also open books on media that cannot be written; nothing is written then. */
  mayOnlyRead?: boolean
  /** Called when the upgrade of books of an earlier version begins: no request is answered until it ends. */
  upgrading?: (() => void) | undefined
  /** The key from the recovery code, for this run only. */
  recoveredKey?: Buffer | undefined
  /** Replaces the clock, the keychain and the page cache in tests. */
  now?: () => Date
  keychain?: Keychain | null
  /** The identity of this computer; null if unknown. */
  computer?: string | null
  /** The operating system's check that the owner is at the computer; provided by the desktop app. */
  person?: PersonCheck | null
  /** Starts parsers of foreign files if the program does not run as Node. */
  startParser?: StartParser | undefined
  /** Closes the books and shows the page that restores a backup. */
  closeForRestore?: CloseForRestore | undefined
  /** Replaces the random part of identifiers in tests: whole numbers below 2^35. */
  idDice?: () => number
  cacheKib?: number
  /** Replaces the accounting system at its fixed address in tests. */
  erpMockEndpoint?: AppEnvironment['erpMockEndpoint']
  /** Replaces the environment of the process in tests. */
  environment?: Readonly<Record<string, string | undefined>>
}

/** An open application without a server: for commands and tests. */
export interface OpenedSello {
  env: AppEnvironment
  log: Log
  /** Creates a context for actions of Sello itself or of the person at the command line. */
  ctx(book: Book, actor?: Ctx['actor']): Ctx
  /** The background jobs woken by `env.wake`, and the recovery of a store that could not be written. */
  listeners: Record<'sender' | 'documents' | 'events' | 'mail' | 'webhooks' | 'mending' | 'room', () => void>
  close(): Promise<void>
}

export interface StartOptions extends OpenOptions {
  /**
   * 0 takes any free port. If another one is in use, the next free port is taken while no key is active; with active
   * keys the server uses the known port or throws `port_taken`.
   */
  port: number
  /** The port that a person named for this start; it takes precedence over the known one. */
  namedPort?: number | undefined
  /** Folder of the built page. */
  uiDir: string | null
  /** The window's token; generated if not given. */
  windowToken?: string | undefined
  /** The browser sessions of the previous server. */
  sessions?: WindowSessions | undefined
  /** Publish the page's address to a second start of this user, without anything that grants a browser access. */
  shareWindow?: boolean
  /** Opens the command-line channel to this application once it answers. */
  openDoor?: ((sello: OpenedSello) => Promise<{ close(): Promise<void> }>) | undefined
  /** Called with the books open, before the port is taken. */
  beforeListening?: (() => Promise<void>) | undefined
}

export interface RunningSello {
  env: AppEnvironment
  /** `http://127.0.0.1:PORT`. */
  url: string
  /** The page's address with a one-time link in its fragment: only for the person at this computer. */
  uiUrl: string
  mcpUrl: string
  port: number
  windowToken: string
  inject(options: InjectOptions): Promise<LightMyRequestResponse>
  /** Returns true while something is written, issued or sent. Closing is safe then too, but should wait. */
  busy(): boolean
  whenQuiet(): Promise<void>
  close(): Promise<void>
}

/** Loads the system's keychain, or returns null if there is none. Called only when a store needs it. */
export async function loadKeychain(): Promise<Keychain | null> {
  try {
    return await import('keytar/keytar.js')
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
function computerOf(store: Store, computer: string | null): string | null {
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
async function refuseOtherLog(books: { folder: string; masterKey: Buffer; storeId: string }): Promise<void> {
  const { folder, masterKey, storeId } = books
  if (!hasLog(folder)) return
  const store = { folder, storeId, sealer: sealerOf(masterKey) }
  const contradicts = await readUntouched(folder, masterKey, (connection) =>
    contradictsMark(instanceOver(connection), store),
  ).catch((error: unknown) =>
    // The pages belong to two states: opened for writing, the log would be merged into the file nevertheless.
    /^SQLITE_(CORRUPT|NOTADB)/.test(String((error as { code?: unknown }).code)),
  )
  if (contradicts)
    throw new AppError('store_damaged', { details: { file: `${STORE_FILE}-wal`, why: 'other_log' } })
}

/** Opens the store of a folder and the services on it. Throws `AppError`s of the store. */
export async function openSello(options: OpenOptions): Promise<OpenedSello> {
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
      await refuseOtherLog(books)
    },
    beforeMigration: (books) => {
      options.upgrading?.()
      return backUpBeforeMigration(books, now)
    },
    proveMigration: proveMigrated,
    proveBooks,
    ...(options.cacheKib === undefined ? {} : { cacheKib: options.cacheKib }),
  }
  const store = await openStore(books).catch((error: unknown) => {
    if (!options.mayOnlyRead || !isReadOnlyMedia(options.dataDir, error)) throw error
    return openReadOnly(books)
  })
  let pool: DocumentPool | null = null
  let highWater: RollbackGuard | null = null
  try {
    if (options.sandbox && (await listBooks(store.reader)).length === 0 && !(await isSandbox(store.reader)))
      await store.transaction((db) =>
        db.insertInto('settings').values({ name: SANDBOX, value: 'true' }).execute(),
      )
    const noop = (): void => {}
    const listeners: OpenedSello['listeners'] = {
      sender: noop,
      documents: noop,
      events: noop,
      mail: noop,
      webhooks: noop,
      mending: noop,
      room: noop,
    }
    const sandbox = await isSandbox(store.reader)
    const env: AppEnvironment = {
      loadContracts,
      store,
      version: manifest.version,
      producer,
      sandbox,
      mockEndpoint: mockEndpointFrom(options.environment ?? process.env, sandbox, (line) =>
        log({ event: 'start', error: line }),
      ),
      erpMockEndpoint:
        options.erpMockEndpoint ??
        erpMockEndpointFrom(options.environment ?? process.env, sandbox, (line) =>
          log({ event: 'start', error: line }),
        ),
      address: { restUrl: null, mcpUrl: null },
      person: options.person ?? null,
      window: { pages: 0 },
      closeForRestore: options.closeForRestore ?? null,
      now,
      newId: createIdMaker(() => now().getTime(), options.idDice),
      ledger,
      documents: { make: (job) => (pool ??= createDocumentPool()).make(job as DocumentJob) },
      report: (work, error) => log({ event: 'background', error: `${work}: ${String(error)}` }),
      wake: (work) => {
        listeners[work]()
        // The events may concern other receivers.
        if (work === 'events') {
          listeners.webhooks()
          highWater?.noteHistory()
        }
        // Code that creates a record wakes the sender.
        if (work === 'sender') highWater?.note()
      },
    }
    const marks = createRollbackGuard({
      env,
      keychain: store.protection === 'keychain' ? keychain : null,
      computer: computerOf(store, await computer),
      log: (line) => log({ event: 'start', error: line }),
    })
    highWater = marks
    const { keyFile } = options
    env.changeKey = async (request) =>
      (await import('../app/maintenance/change-key.ts')).changeKey(
        { env, highWater: marks, keyFile, keychain, computer: await computer },
        request,
      )
    // Before anything can be issued. If the check fails, the note that the books were restored remains.
    if (await highWater.check()) await recordOfflineChanges(env, 'restoredAt')
    await recordOfflineChanges(env, 'recoveredAt')
    if (!store.forReading) {
      await settleInterrupted(env)
      await sealOlderKeys(env)
    }
    return {
      env,
      log,
      listeners,
      ctx: (book, actor = { kind: 'system', id: 'system', name: 'Sello' }) =>
        createCtx({ env, book, actor, channel: 'system', requestId: env.newId('req') }),
      close: async () => {
        const stopping = stopExports(env)
        await stopErpRuns(env)
        await stopVerification(env)
        await writeCalls(env)
        await pool?.close()
        endIdleParsers()
        await stopping
        // Waits for the last transaction, such as the record of a key's last use.
        await store.transaction(async () => {}).catch(() => undefined)
        await highWater?.close()
        store.close()
      },
    }
  } catch (error) {
    store.close()
    throw error
  }
}

/** Authenticates a key and records its use. */
export const findKey: FindKey = async (env, text) => {
  const key = await authenticate(env.store.reader, text, env.now())
  if (key) void touchKey(env, key.actor)
  return key
}

/** Runs the scheduled tasks of the calendar and deletes expired data. Reports failures to `say`. */
export async function runMaintenance({ env, ctx }: OpenedSello, say: (line: string) => void): Promise<void> {
  for (const book of await listBooks(env.store.reader)) await watchCertificates(ctx(book))
  const [{ prepareRecurring }, { runReminderPlan }, { pruneWebhooks }] = await Promise.all([
    import('../sales/recurring/index.ts'),
    import('../documents/mail/index.ts'),
    import('../platform/webhooks/index.ts'),
  ])
  for (const book of await listBooks(env.store.reader)) {
    const { failed } = await prepareRecurring(ctx(book))
    for (const line of failed) say(`recurring: ${line}`)
    for (const line of await runReminderPlan(ctx(book))) say(`reminders: ${line}`)
    await accrueOverdueCash(ctx(book))
    await pruneUnlinkedFiles(ctx(book))
  }
  await pruneIdempotency(env)
  await pruneWebhooks(env)
  await pruneCalls(env)
  await env.store.transaction((db) => pruneTrash(db, env.now()))
  await env.store.transaction((db) => pruneConfirmations(db, env.now()))
}

/** The background work of a running application. */
interface BackgroundWork {
  backups: BackupJobs
  /** Starts no further run; resolves when the current runs have ended. */
  stop(): Promise<void>
}

/** Starts the background work; from then on `env.wake` reaches it. */
function startBackground(sello: OpenedSello): BackgroundWork {
  const { env, listeners, log } = sello
  const say = (line: string): void => log({ event: 'background', error: line })
  const sender = createRegistryJobs({ env, onStatus: setRegistryStatus, log: say })
  const mending = createWriteRecovery(env.store, say)
  const backups = createBackupJobs({ env, log: say })
  const room = createDiskSpaceWatch(
    () => env.store.freeBytes(),
    () => listeners.room(),
    say,
  )
  let checked = false
  const housekeeping = createLoop({
    name: 'housekeeping',
    gatherMs: AFTER_START_MS,
    pollMs: HOUSEKEEPING_MS,
    log: say,
    run: async () => {
      if (!checked) {
        checked = true
        for (const book of await listBooks(env.store.reader)) await checkChainAtStart(sello.ctx(book))
      }
      await runMaintenance(sello, say)
    },
  })
  listeners.sender = () => sender.wake()
  listeners.mending = () => mending.wake()
  const all: Background[] = [sender, mending, housekeeping, backups, room]
  // Work left by an earlier run.
  for (const one of all) one.wake()
  let isStopping = false
  const begin = (work: 'documents' | 'mail' | 'webhooks', one: Background): void => {
    all.push(one)
    listeners[work] = () => one.wake()
    one.wake()
  }
  // The first answer is more urgent than the documents and messages that are waiting.
  const later = pause(BREATH_MS).then(async () => {
    if (isStopping) return
    const [{ createDocumentJobs }, { createMailJobs }, { createWebhookJobs }] = await Promise.all([
      import('../documents/rendering/index.ts'),
      import('../documents/mail/index.ts'),
      import('../platform/webhooks/index.ts'),
    ])
    if (isStopping) return
    begin('documents', createDocumentJobs({ env, log: say }))
    begin('mail', createMailJobs({ env, log: say }))
    begin('webhooks', createWebhookJobs({ env, log: say }))
  })
  later.catch((error: unknown) => env.report('background', error))
  return {
    backups,
    stop: async () => {
      isStopping = true
      await later.catch(() => undefined)
      await Promise.all(all.map((one) => one.stop()))
    },
  }
}

/** Publishes the server's address to other programs of this user. */
function writeServerFile(dataDir: string, port: number, startedAt: Date, window: boolean): void {
  const content = { port, pid: process.pid, startedAt: startedAt.toISOString(), window }
  // Valid for this run only: it need not survive a power cut.
  writeFileWhole(join(dataDir, SERVER_FILE), `${JSON.stringify(content)}\n`)
}

function removeServerFile(dataDir: string): void {
  const file = join(dataDir, SERVER_FILE)
  try {
    if (
      existsSync(file) &&
      (JSON.parse(readFileSync(file, 'utf8')) as { pid?: number }).pid === process.pid
    ) {
      rmSync(file)
    }
  } catch {
    // The file only informs; an unreadable one is replaced by the next start.
  }
}

/**
 * Creates the server over an open application, without a port: `startSello` listens with it, and tests inject
 * requests.
 */
export async function serverOver(
  sello: OpenedSello,
  options: { address: OwnAddress; windowToken: string; sessions?: WindowSessions; uiDir: string | null },
): Promise<FastifyInstance> {
  const { env, log, listeners } = sello
  const feed = new EventFeed()
  listeners.events = () => {
    feed.wake()
    wakeStreams(env)
  }
  // Books that cannot be written cannot store an event either.
  listeners.room = () => feed.tellStore(env.store, env.now())
  env.store.onWriteFault = () => {
    listeners.room()
    listeners.mending()
  }
  const { registerMcp } = await import('./mcp/route.ts')
  return createServer({
    env,
    operations: operationTable,
    ...options,
    findKey,
    findBook: (environment, publicId) => loadBook(environment.store.reader, publicId),
    feed,
    log,
    registerMcp,
    openApiJson: async () => {
      const [{ openApiDocument }, { EVENTS }] = await Promise.all([
        import('./openapi/openapi.ts'),
        import('../platform/events/contract.ts'),
      ])
      return JSON.stringify(openApiDocument(env.version, await loadContracts(), EVENTS))
    },
  })
}

/** Opens the books and answers on this computer's loopback address until `close`. */
export async function startSello(options: StartOptions): Promise<RunningSello> {
  const sello = await openSello({ create: true, ...options })
  const { env } = sello
  let app: FastifyInstance | null = null
  let background: BackgroundWork | null = null
  let door: { close(): Promise<void> } | null = null
  const close = async (): Promise<void> => {
    await door?.close()
    await app?.close()
    await background?.stop()
    await background?.backups.onQuit().catch((error: unknown) => env.report('backups', error))
    removeServerFile(options.dataDir)
    await sello.close()
  }
  try {
    await options.beforeListening?.()
    const address = new OwnAddress(options.port)
    const windowToken = options.windowToken ?? randomBytes(32).toString('base64url')
    const sessions = options.sessions ?? new WindowSessions()
    app = await serverOver(sello, { address, windowToken, sessions, uiDir: options.uiDir })
    const server = app
    const promise = await readPortPromise(env.store.reader)
    const stays = promise.held && options.port !== 0
    const known = options.namedPort ?? promise.port ?? options.port
    const port = await listen(server, stays ? known : options.port, stays)
    address.setPort(port)
    const url = `http://${HOST}:${port}`
    const mcpUrl = `${url}/api/mcp/svc`
    const { forReading } = env.store
    if (options.port !== 0 && !forReading)
      await rememberPort(env.store, port).catch((error: unknown) => env.report('port', error))
    if (stays && promise.port !== null && promise.port !== port)
      sello.log({
        event: 'start',
        error: `Programs and assistants know port ${promise.port}: change it to ${port} in their settings.`,
      })
    env.address = { restUrl: `${url}/api/v1`, mcpUrl }
    if (forReading)
      sello.log({ event: 'start', error: 'The books cannot be written where they stand: open for reading.' })
    else {
      try {
        writeServerFile(options.dataDir, port, env.now(), options.shareWindow === true)
        rmSync(join(options.dataDir, WINDOW_FILE), { force: true })
        placeBridge(options.dataDir)
      } catch (error) {
        // On a full disk the books can still be read, although other programs cannot find this server.
        sello.log({ event: 'start', error })
      }
      background = startBackground(sello)
      // Without it only the command line is refused while this runs.
      door =
        (await options.openDoor?.(sello).catch((error: unknown) => {
          env.report('command line', error)
          return null
        })) ?? null
    }
    warmUp().catch((error: unknown) => env.report('operations', error))
    return {
      env,
      url,
      uiUrl: `${url}/#link=${sessions.newLink()}`,
      mcpUrl,
      port,
      windowToken,
      inject: (request) => server.inject(request),
      busy: () => isInFlight(env.store),
      whenQuiet: () => untilQuiet(env.store),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Starts like `startSello`, but shows a fault that prevents opening to the person instead of throwing it. */
export function startSelloWithRecovery(
  options: StartOptions & { quit?: (() => void) | undefined },
): Promise<RecoverableStart> {
  const { quit, ...rest } = options
  return startWithRecovery(rest, {
    start: startSello,
    loadKeychain: async () => (rest.keychain === undefined ? loadKeychain() : rest.keychain),
    version: manifest.version,
    backupsIn,
    restore: async (request) => (await import('../app/maintenance/restore-books.ts')).restoreBooks(request),
    quit,
  })
}

/**
 * Returns the page's address of the running application for these books; null if there is none or it does not publish
 * it.
 */
export async function addressOfOther(
  dataDir: string,
): Promise<{ url: string; uiUrl: string; mcpUrl: string; pid: number } | null> {
  const other = await findOther(dataDir)
  return other?.uiUrl
    ? { url: other.url, uiUrl: other.uiUrl, mcpUrl: `${other.url}/api/mcp/svc`, pid: other.pid }
    : null
}
