/** The running program: the application with its operations, and the server over it. */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import manifest from '../../package.json' with { type: 'json' }
import { loadKeychain, openApplication } from '../app/application.ts'
import type { OpenOptions } from '../app/application.ts'
import type { OpenedSello } from '../app/environment.ts'
import { placeBridge } from '../app/assistants/index.ts'
import { startBackground } from '../app/background-work.ts'
import type { BackgroundWork } from '../app/background-work.ts'
import { backupsIn } from '../app/backups/index.ts'
import type { AppEnvironment } from '../context.ts'
import { isInFlight, waitUntilIdle } from '../domain/concurrency/in-flight.ts'
import { authenticate, readPortPromise, savePort, touchKey } from '../platform/api-keys/index.ts'
import { loadBook } from '../platform/books/index.ts'
import { wakeStreams } from '../platform/events/index.ts'
import { createServer, EventFeed, HOST, listen, OwnAddress, WindowSessions } from './http/index.ts'
import type { FindKey, OfficeWindow, ServerNetwork } from './http/index.ts'
import { loadContracts, loadOperation, operationTable, warmUp } from './operations.ts'
import type { OperationEntry } from './operations.ts'
import { findOther, startWithRecovery, WINDOW_FILE } from './recovery-mode/index.ts'
import type { RecoverableStart } from './recovery-mode/index.ts'
import { removeServerFile, writeServerFile } from './server-file.ts'

export type { OpenOptions } from '../app/application.ts'
export type { OpenedSello } from '../app/environment.ts'
export type { StartParser } from '../platform/processes/parsers.ts'
export type { PersonCheck, ProtectedAction } from '../context.ts'

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

/** Opens the store of a folder and the services on it, with the table of operations. Throws `AppError`s of the store. */
export async function openSello(options: OpenOptions): Promise<OpenedSello> {
  const sello = await openApplication(options, loadContracts)
  sello.env.loadOperation = loadOperation
  return sello
}

/** Authenticates a key and records its use. */
export const findKey: FindKey = async (env, text) => {
  const key = await authenticate(env.store.reader, text, env.now())
  if (!key) return null
  const { actor } = key
  const { people } = env
  if (actor.personId) {
    // Whoever may no longer open the company has no keys to it either; nor has, on a desk, a person of an office that
    // the books have come from.
    const owner = await people?.rightsOfOwner(actor.personId, actor.companyId)
    if (!owner) return null
    void touchKey(env, actor)
    return { ...key, actor: { ...actor, name: `${actor.name} · ${owner.name}`, rights: owner.rights } }
  }
  void touchKey(env, actor)
  return key
}

/**
 * Creates the server over an open application, without a port: `startSello` listens with it, and tests inject
 * requests.
 */
export async function serverOver(
  sello: OpenedSello,
  options: {
    address: OwnAddress
    windowToken: string | null
    officeWindow?: OfficeWindow
    sessions?: WindowSessions
    uiDir: string | null
    docsDir?: string | null
    /** Other operations than those of a desk. */
    operations?: readonly OperationEntry[]
    network?: ServerNetwork
  },
): Promise<FastifyInstance> {
  const { env, log, listeners } = sello
  const feed = new EventFeed()
  listeners.events = (companyId) => {
    feed.wake(companyId)
    wakeStreams(env, companyId)
  }
  // Books that cannot be written cannot store an event either.
  listeners.diskSpace = () => feed.notifyStoreState(env.store, env.now())
  if (env.people) env.people.onPresence = (companyId) => feed.notifyPresence(companyId, env.now())
  env.store.onWriteFault = () => {
    listeners.diskSpace()
    listeners.writeRecovery()
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
      await savePort(env.store, port).catch((error: unknown) => env.report('port', error))
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
      whenQuiet: () => waitUntilIdle(env.store),
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
