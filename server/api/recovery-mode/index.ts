/**
 * Start with recovery mode: if the books cannot be opened, a small server shows the reason in the same page, and is
 * replaced by the real one, at the same address and with the same token, as soon as they can.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { AppError } from '../../domain/errors/app-error.ts'
import { createIdMaker } from '../../domain/ids.ts'
import { HOST, listen, OwnAddress, WindowSessions } from '../http/index.ts'
import { createLog } from '../../platform/log.ts'
import type { Keychain } from '../../db/embedded/keys/keyring.ts'
import { adoptKey, recordRecovery } from '../../db/embedded/keys/keyring.ts'
import { lockStore } from '../../db/embedded/files/lock.ts'
import { keyFromCode } from '../../db/embedded/keys/recover.ts'
import type {
  AvailableBackupView,
  Keep,
  RestoreInput,
  StartFault,
  RecoveryAnswer,
} from '../../app/recovery-mode/contract.ts'
import { diagnose } from '../../app/recovery-mode/diagnose.ts'
import { reportOf } from '../../app/recovery-mode/report.ts'
import { createRecoveryServer } from './server.ts'
import { dropUpload, saveUpload, uploadIn } from './upload.ts'

export { findOther, SERVER_FILE, WINDOW_FILE } from '../../app/recovery-mode/diagnose.ts'

/** Options of a start that this module needs; the rest concerns only the starter. */
interface RecoverableStartOptions {
  dataDir: string
  keyFile?: string | undefined
  port: number
  /** The port that a person named; programs and assistants use it from now on. */
  namedPort?: number | undefined
  uiDir: string | null
  log?: ((line: string) => void) | undefined
  now?: (() => Date) | undefined
  windowToken?: string | undefined
  /** The browser sessions, which remain valid when the servers change. */
  sessions?: WindowSessions | undefined
  create?: boolean | 'in_folder'
  recoveredKey?: Buffer | undefined
  /** Also open books on media that cannot be written; nothing is written then. */
  mayOnlyRead?: boolean
  /** Called with the books open, before the port is taken. */
  beforeListening?: (() => Promise<void>) | undefined
  /** Called by the started application if a person wants to restore a backup. */
  closeForRestore?: ((books: { empty: boolean }) => void) | undefined
}

interface Started {
  url: string
  /** The page's address, with a one-time link. */
  uiUrl: string
  mcpUrl: string
  port: number
  windowToken: string
  inject(options: InjectOptions): Promise<LightMyRequestResponse>
  /** Returns true while something is written, issued or sent. */
  busy(): boolean
  whenQuiet(): Promise<void>
  close(): Promise<void>
}

interface RecoverableStartPorts<Options extends RecoverableStartOptions> {
  start: (options: Options) => Promise<Started>
  loadKeychain: () => Promise<Keychain | null>
  version: string
  /** Returns the backups beside closed books, newest first, with the file of each. */
  backupsIn: (dataDir: string) => (AvailableBackupView & { file: string })[]
  /** Replaces the books by a backup, or throws and changes nothing. */
  restore: (request: {
    folder: string
    file: string
    code: string | null
    keyFile: string | undefined
    keychain: Keychain | null
    replaceOther: boolean
    now: () => Date
  }) => Promise<unknown>
  /** Ends the program, if the page may do that. */
  quit?: (() => void) | undefined
}

export interface RecoverableStart extends Started {
  /** Returns the fault that prevents opening the books; null while they are open. */
  trouble(): StartFault | null
}

/** Time for the answer "open" to leave before its server is replaced. */
const ANSWER_LEAVES_MS = 500

/**
 * Starts the application; a fault in opening the books, or a request to restore them, is shown instead of thrown.
 * Throws only if no port is available either.
 */
export async function startWithRecovery<Options extends RecoverableStartOptions>(
  options: Options,
  ports: RecoverableStartPorts<Options>,
): Promise<RecoverableStart> {
  const windowToken = options.windowToken ?? randomBytes(32).toString('base64url')
  const sessions = options.sessions ?? new WindowSessions()
  const server = new RecoverableServer(
    { ...options, windowToken, sessions },
    { windowToken, sessions },
    ports,
  )
  await server.start()
  return server.asStarted()
}

class RecoverableServer<Options extends RecoverableStartOptions> {
  private options: Options
  private readonly windowToken: string
  private readonly sessions: WindowSessions
  private readonly ports: RecoverableStartPorts<Options>
  private readonly now: () => Date
  private readonly log: ReturnType<typeof createLog>
  private trouble: StartFault | null = null
  private shown: FastifyInstance | null = null
  private open: Started | null = null
  private port = 0
  private attempting = false
  private closed = false
  /** The server that answers now; while servers change, the next one. */
  private answering: Promise<Pick<Started, 'inject'>>
  private answerLeft: () => void = () => {}
  /** The books were closed for a restore and contain no company: any backup may replace them. */
  private holdsNothing = false
  /** Resolves when the books are closed for a restore and its page is available. */
  private shutting: Promise<void> = Promise.resolve()

  constructor(
    options: Options,
    { windowToken, sessions }: { windowToken: string; sessions: WindowSessions },
    ports: RecoverableStartPorts<Options>,
  ) {
    this.options = { ...options, closeForRestore: ({ empty }) => this.shutSoon(empty) }
    this.windowToken = windowToken
    this.sessions = sessions
    this.ports = ports
    this.now = options.now ?? (() => new Date())
    this.log = createLog(options.log ?? (() => {}), this.now)
    this.answering = new Promise(() => {})
  }

  /** Opens the books for the first time; a failure is shown. */
  async start(): Promise<void> {
    try {
      this.open = await this.ports.start(this.options)
      this.port = this.open.port
      this.answering = Promise.resolve(this.open)
    } catch (error) {
      await this.show(error, this.options.port)
    }
  }

  private shutSoon(empty: boolean): void {
    this.holdsNothing = empty
    // The answer to the caller is sent first.
    setTimeout(() => {
      this.shutting = this.shutting.then(() => this.shut())
    }, ANSWER_LEAVES_MS)
  }

  /** Closes the books and shows the ways to restore them: current writes are completed first. */
  private async shut(): Promise<void> {
    const { open } = this
    if (!open || this.closed) return
    this.open = null
    let handedOver: (server: Pick<Started, 'inject'>) => void = () => {}
    this.answering = new Promise((done) => (handedOver = done))
    await open.whenQuiet()
    await open.close()
    if (this.closed) return
    await this.show(new AppError('books_shut'), this.port)
    handedOver(await this.answering)
  }

  /** Converts the error of opening `dataDir` to a fault that can be shown to a person. */
  private async look(error: unknown, dataDir = this.options.dataDir): Promise<StartFault> {
    const { loadKeychain, quit } = this.ports
    const canQuit = quit !== undefined
    const found = await diagnose(error, { dataDir, keyFile: this.options.keyFile, loadKeychain, canQuit })
    const isBug = found.kind === 'start_failed'
    this.log({ event: isBug ? 'bug' : 'start', code: found.code, ...(isBug ? { error } : {}) })
    return found
  }

  /** Starts the small server at `port`, or at the next free one. */
  async show(error: unknown, port: number): Promise<void> {
    this.trouble = await this.look(error)
    const address = new OwnAddress(port)
    const { ports } = this
    const app = createRecoveryServer({
      address,
      windowToken: this.windowToken,
      sessions: this.sessions,
      uiDir: this.options.uiDir,
      newId: createIdMaker(() => this.now().getTime()),
      now: this.now,
      log: this.log,
      door: {
        trouble: () => this.current(),
        retry: () => this.attempt({}),
        create: () => this.attempt({ create: true }),
        read: () => this.attempt({ mayOnlyRead: true }),
        recover: (code, keep) => this.recover(code, keep),
        useFolder: (folder) => this.attempt({ dataDir: folder, create: false }),
        backups: () =>
          ports
            .backupsIn(this.options.dataDir)
            .map(({ name, at, reason, bytes }) => ({ name, at, reason, bytes })),
        keepFile: (body) => saveUpload(body, this.options.dataDir),
        restore: (input) => this.restore(input),
        report: () => reportOf(this.current(), { version: this.ports.version, now: this.now() }),
        quit: () => this.ports.quit?.(),
      },
    })
    app.addHook('onResponse', async () => this.answerLeft())
    // Leftover of a run that was killed before the restore; not an upload of the current run.
    await dropUpload(this.options.dataDir)
    this.port = await listen(app, port)
    address.setPort(this.port)
    this.shown = app
    this.answering = Promise.resolve({ inject: (request: InjectOptions) => app.inject(request) })
  }

  private current(): StartFault {
    if (!this.trouble) throw new Error('Nothing is wrong.')
    return this.trouble
  }

  /** Tries to open the books. Resolves in both cases; the real server then starts by itself. */
  private attempt(changes: Partial<RecoverableStartOptions>): Promise<RecoveryAnswer> {
    // One attempt at a time: a second request in the meantime gets the known state.
    if (this.attempting || this.closed) return Promise.resolve({ trouble: this.trouble })
    this.attempting = true
    return new Promise((resolve) => {
      // If any port was allowed, the page is already at this one.
      const namedPort = this.options.port === 0 ? this.port : this.options.namedPort
      const tried: Options = { ...this.options, ...changes, namedPort }
      let handedOver: (server: Pick<Started, 'inject'>) => void = () => {}
      const beforeListening = async (): Promise<void> => {
        const left = new Promise<void>((done) => {
          this.answerLeft = done
          setTimeout(done, ANSWER_LEAVES_MS)
        })
        resolve({ trouble: null })
        await left
        this.answering = new Promise((done) => (handedOver = done))
        await this.shown?.close()
        this.shown = null
      }
      this.ports.start({ ...tried, port: this.port, windowToken: this.windowToken, beforeListening }).then(
        async (started) => {
          this.attempting = false
          this.trouble = null
          this.open = started
          this.options = { ...this.options, dataDir: tried.dataDir }
          handedOver(started)
          if (this.closed) await started.close()
        },
        async (error: unknown) => {
          this.attempting = false
          if (!this.shown && !this.closed) {
            await this.show(error, this.port)
            handedOver(await this.answering)
          }
          const found = await this.look(error, tried.dataDir)
          // A different folder that does not open is reported, and the current one stays.
          if (tried.dataDir === this.options.dataDir) this.trouble = found
          resolve({ trouble: found })
        },
      )
    })
  }

  /**
   * Opens with the key from a recovery code. Throws `recovery_code_wrong`; the key is stored only where the person
   * chose.
   */
  private async recover(code: string, keep: Keep): Promise<RecoveryAnswer> {
    const { dataDir: folder, keyFile } = this.options
    const masterKey = keyFromCode(folder, code)
    const lock = lockStore(folder)
    try {
      if (keep === 'once') recordRecovery(folder, this.now())
      else {
        const keychain = keep === 'keychain' ? await this.ports.loadKeychain() : null
        const named = keep === 'external' ? keyFile : undefined
        await adoptKey(masterKey, { folder, keyFile: named, keychain, now: this.now }, keep)
      }
    } finally {
      lock.release()
    }
    try {
      return await this.attempt(keep === 'once' ? { recoveredKey: masterKey } : {})
    } finally {
      masterKey.fill(0)
    }
  }

  /** Restores an available backup, or the uploaded file, and opens it. If it throws, nothing has changed. */
  private async restore({ name, code, replaceOther }: RestoreInput): Promise<RecoveryAnswer> {
    const { dataDir: folder, keyFile } = this.options
    const atHand = name === null ? null : this.ports.backupsIn(folder).find((one) => one.name === name)
    if (atHand === undefined) throw new AppError('not_found')
    if (this.attempting || this.closed) return { trouble: this.trouble }
    this.attempting = true
    try {
      await this.ports.restore({
        folder,
        file: atHand?.file ?? uploadIn(folder),
        code,
        keyFile,
        keychain: keyFile === undefined ? await this.ports.loadKeychain() : null,
        replaceOther: replaceOther || this.holdsNothing,
        now: this.now,
      })
      await dropUpload(folder)
    } finally {
      this.attempting = false
    }
    return this.attempt({})
  }

  asStarted(): RecoverableStart {
    const url = `http://${HOST}:${this.port}`
    return {
      url,
      uiUrl: `${url}/#link=${this.sessions.newLink()}`,
      mcpUrl: `${url}/api/mcp/svc`,
      port: this.port,
      windowToken: this.windowToken,
      inject: async (request) => (await this.answering).inject(request),
      trouble: () => this.trouble,
      // Nothing is written while the books are closed, and their closing is awaited.
      busy: () => this.open?.busy() ?? false,
      whenQuiet: async () => this.open?.whenQuiet(),
      close: async () => {
        this.closed = true
        await this.shutting
        await this.shown?.close()
        await dropUpload(this.options.dataDir)
        await this.open?.close()
      },
    }
  }
}
