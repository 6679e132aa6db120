/**
 * A start that does not give up: when the books cannot be opened, a small server shows why in the same page, and makes
 * way for the real one, at the same address and with the same token, as soon as they can.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { AppError } from '../../domain/errors/catalog.ts'
import { createIdMaker } from '../../domain/ids.ts'
import { createLog, HOST, listen, OwnAddress, WindowSessions } from '../http/index.ts'
import type { Keychain } from '../../db/keys/keyring.ts'
import { adoptKey, noteRecovery } from '../../db/keys/keyring.ts'
import { lockStore } from '../../db/files/lock.ts'
import { keyFromCode } from '../../db/keys/recover.ts'
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

/** What a start needs; the rest of its options are the starter's own business. */
export interface RecoverableStartOptions {
  dataDir: string
  keyFile?: string | undefined
  port: number
  /** The port that a person named; programs and assistants are to know that one from now on. */
  namedPort?: number | undefined
  uiDir: string | null
  log?: ((line: string) => void) | undefined
  now?: (() => Date) | undefined
  windowToken?: string | undefined
  /** The browsers that were let in, which stay so when the servers change. */
  sessions?: WindowSessions | undefined
  create?: boolean | 'in_folder'
  recoveredKey?: Buffer | undefined
  /** Open books on media that cannot be written as well: nothing is written then. */
  mayOnlyRead?: boolean
  /** Called with the books open, before the port is taken. */
  beforeListening?: (() => Promise<void>) | undefined
  /** Called by whoever is started when a person wants to restore a backup. */
  closeForRestore?: ((books: { empty: boolean }) => void) | undefined
}

export interface Started {
  url: string
  /** The page's address, with a link that works once. */
  uiUrl: string
  mcpUrl: string
  port: number
  windowToken: string
  inject(options: InjectOptions): Promise<LightMyRequestResponse>
  /** Is anything being written or issued, or a message on its way? */
  busy(): boolean
  whenQuiet(): Promise<void>
  close(): Promise<void>
}

export interface RecoverableStartPorts<Options extends RecoverableStartOptions> {
  start: (options: Options) => Promise<Started>
  loadKeychain: () => Promise<Keychain | null>
  version: string
  /** The backups beside books that are shut, newest first, with the file of each. */
  backupsIn: (dataDir: string) => (AvailableBackupView & { file: string })[]
  /** Puts a backup in the place of the books, or throws and changes nothing. */
  restore: (request: {
    folder: string
    file: string
    code: string | null
    keyFile: string | undefined
    keychain: Keychain | null
    replaceOther: boolean
    now: () => Date
  }) => Promise<unknown>
  /** Ends the program, where the page may do that. */
  quit?: (() => void) | undefined
}

export interface RecoverableStart extends Started {
  /** What keeps the books shut; null while they are open. */
  trouble(): StartFault | null
}

/** How long the answer that says "open" may take to leave before its server makes way. */
const ANSWER_LEAVES_MS = 500

/**
 * Starts; what keeps the books from opening is shown instead of thrown, and so is a wish to restore them. Throws only when no
 * port can be had either.
 */
export async function startWithRecovery<Options extends RecoverableStartOptions>(
  options: Options,
  ports: RecoverableStartPorts<Options>,
): Promise<RecoverableStart> {
  const windowToken = options.windowToken ?? randomBytes(32).toString('base64url')
  const sessions = options.sessions ?? new WindowSessions()
  const patient = new Patient({ ...options, windowToken, sessions }, { windowToken, sessions }, ports)
  await patient.start()
  return patient.asStarted()
}

class Patient<Options extends RecoverableStartOptions> {
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
  /** Whoever answers now; during a change of guard whoever will. */
  private answering: Promise<Pick<Started, 'inject'>>
  private answerLeft: () => void = () => {}
  /** Books without a company were closed for a restoring: whatever is restored may take their place. */
  private holdsNothing = false
  /** The books closing for a restoring, until its page can be had. */
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

  /** The first opening; what fails is shown. */
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
    // The answer to whoever asked leaves first.
    setTimeout(() => {
      this.shutting = this.shutting.then(() => this.shut())
    }, ANSWER_LEAVES_MS)
  }

  /** Closes the books and shows the ways to restore them: what is being written is finished first. */
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

  /** What an opening of `dataDir` failed with, as a person can be told. */
  private async look(error: unknown, dataDir = this.options.dataDir): Promise<StartFault> {
    const { loadKeychain, quit } = this.ports
    const canQuit = quit !== undefined
    const found = await diagnose(error, { dataDir, keyFile: this.options.keyFile, loadKeychain, canQuit })
    const isBug = found.kind === 'start_failed'
    this.log({ event: isBug ? 'bug' : 'start', code: found.code, ...(isBug ? { error } : {}) })
    return found
  }

  /** Puts the small server up at `port`, or at the next free one. */
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
    // Of a run that was killed before it was restored; not of whoever sends one as soon as somebody listens.
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

  /** Tries to open the books. Answers when they are open or are not; the real server follows by itself. */
  private attempt(changes: Partial<RecoverableStartOptions>): Promise<RecoveryAnswer> {
    // One at a time: a second request meanwhile learns what is known.
    if (this.attempting || this.closed) return Promise.resolve({ trouble: this.trouble })
    this.attempting = true
    return new Promise((resolve) => {
      // Where any port would do, the page is at this one by now.
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
          // Another folder that does not open is told of, and not gone to.
          if (tried.dataDir === this.options.dataDir) this.trouble = found
          resolve({ trouble: found })
        },
      )
    })
  }

  /** Opens with the key under a recovery code. Throws `recovery_code_wrong`; the key is kept only where the person said. */
  private async recover(code: string, keep: Keep): Promise<RecoveryAnswer> {
    const { dataDir: folder, keyFile } = this.options
    const masterKey = keyFromCode(folder, code)
    const lock = lockStore(folder)
    try {
      if (keep === 'once') noteRecovery(folder, this.now())
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

  /** Restores a backup at hand, or the file that was sent, and opens it. What it throws left everything as it was. */
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
      // Nothing is written while the books are shut, and closing them is waited for.
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
