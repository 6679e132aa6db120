/**
 * A complete Sello in a temporary folder: encrypted store, clock controlled by the test, company with both books,
 * server with injected requests.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { onTestFinished } from 'vitest'
import { openSello, serverOver } from '../../server/api/application.ts'
import type { OpenedSello } from '../../server/api/application.ts'
import type { EnvironmentOptions } from '../../server/app/environment.ts'
import { startOfficeWork } from '../../server/app/office/index.ts'
import type {
  OfficeOptions,
  OfficeWork,
  OfficeWorkOptions,
  OpenedOffice,
} from '../../server/app/office/index.ts'
import { officeOperations, openOfficeSello } from '../../server/api/office.ts'
import { openBucket } from '../../server/app/office/index.ts'
import type { Bucket, BucketSettings } from '../../server/app/office/index.ts'
import { loadBook } from '../../server/platform/books/index.ts'
import type { InputOf, OperationName, OutputOf } from '../../server/api/contracts.ts'
import { EVENT_STREAM } from '../../server/domain/contract/define-contract.ts'
import { SCOPES } from '../../server/domain/contract/scopes.ts'
import type { Scope } from '../../server/domain/contract/scopes.ts'
import { NO_BOOK } from '../../server/context.ts'
import type { Actor, AppEnvironment, Book, Ctx, Mode } from '../../server/context.ts'
import { listen, OwnAddress, PERSON } from '../../server/api/http/index.ts'
import { loadOperation } from '../../server/api/operations.ts'
import { runOperation } from '../../server/api/run.ts'
import { IN_OBJECTS } from './objects/run.ts'
import { ENGINE, giveBackDatabase, takeDatabase, testKey } from './postgres/databases.ts'
import type { TestDatabase } from './postgres/databases.ts'
import { copyTemplate } from './setup/store-template.ts'
import { OWNER_PRESENT } from './store.ts'
import { EXAMPLE_COMPANY } from './store.ts'

export const PORT = 4545
/** Streams that continue until one side ends them. */
const ENDLESS = /\/events\/stream(\?|"|$)/
const WINDOW_TOKEN = 'window-token-of-the-tests'
const EXPECT_OPEN = 'The world is closed.'

type OfficeServerOptions = Omit<OfficeOptions, 'url' | 'masterKey' | 'pools'>

export interface WorldOptions {
  at?: string
  company?: Partial<InputOf<'company.create'>>
  /** A folder with a built page. */
  uiDir?: string
  /** Address of an accounting system that otherwise has a fixed one; called without pauses. */
  erpUrl?: string
  /** Another company's world, on PostgreSQL: both are in its database, each with a server of its own. */
  beside?: World
  /** For several tests: closed by the caller's `afterAll(() => world.close())` instead of the end of the test. */
  shared?: boolean
}

export interface Answer {
  status: number
  headers: LightMyRequestResponse['headers']
  /** The parsed JSON; undefined for any other type. */
  body: any
  raw: LightMyRequestResponse
}

interface Asking {
  key?: string
  headers?: Record<string, string>
}

export class World {
  readonly folder = mkdtempSync(join(tmpdir(), 'sello-world-'))
  readonly windowToken = WINDOW_TOKEN
  private time: Date
  private options: WorldOptions
  private sello: OpenedSello | null = null
  private server: FastifyInstance | null = null
  private opened: Record<Mode, Book> | null = null
  private readonly keys = new Map<Mode, string>()
  /** The database, on that engine. */
  database: TestDatabase | null = null
  /** Where its documents are, in the tests with object storage. */
  storage: BucketSettings | null = null
  private readonly closers: (() => Promise<void>)[] = []
  /** Background work of servers of an office, which ends before they close. */
  private readonly works: (() => Promise<void>)[] = []
  /** The work that requests of this server start. */
  private onDemand: Promise<OfficeWork> | null = null

  constructor(options: WorldOptions) {
    this.options = options
    this.time = new Date(options.at ?? '2026-07-01T10:00:00+02:00')
  }

  async open(): Promise<void> {
    const options = {
      person: OWNER_PRESENT,
      now: () => this.time,
      erpMockEndpoint: this.options.erpUrl === undefined ? null : { url: this.options.erpUrl, paceMs: 0 },
      log: (line: string) => this.logged.push(line),
    }
    if (ENGINE === 'pg') {
      const office = await this.openOffice(options)
      this.sello = office
      // On a desk the process of a request does this itself.
      for (const kind of ['erp', 'exports'] as const) office.listeners[kind] = () => this.workOnDemand(office)
    } else this.sello = await this.openDesk(options)
    this.server = await serverOver(this.sello, {
      address: new OwnAddress(PORT),
      windowToken: WINDOW_TOKEN,
      uiDir: this.options.uiDir ?? null,
      ...(ENGINE === 'pg' ? { operations: officeOperations } : {}),
    })
    await this.server.ready()
  }

  private async openDesk(options: EnvironmentOptions): Promise<OpenedSello> {
    if (readdirSync(this.folder).length === 0) await copyTemplate(this.folder)
    return openSello({ ...options, dataDir: this.folder, create: true, keychain: null, cacheKib: 2048 })
  }

  /** Opens another server of the same office, on PostgreSQL; it is closed with the world. */
  async anotherServer(options: { now?: () => Date } = {}): Promise<OpenedOffice> {
    const server = await this.openOffice({
      person: OWNER_PRESENT,
      now: () => this.time,
      erpMockEndpoint: this.options.erpUrl === undefined ? null : { url: this.options.erpUrl, paceMs: 0 },
      log: (line: string) => this.logged.push(line),
      ...options,
    })
    this.closers.unshift(() => server.close())
    return server
  }

  /** Leaves what requests on the first server of an office make due to others. */
  async sleep(): Promise<void> {
    const { listeners } = this.sello as OpenedOffice
    for (const stop of this.works.splice(0)) await stop()
    for (const kind of ['erp', 'exports'] as const) listeners[kind] = () => {}
  }

  private workOnDemand(office: OpenedOffice): void {
    if (this.sello === office) this.onDemand ??= this.startWork(office, { kinds: ['erp', 'exports'] })
  }

  /** Starts the background work of a server of an office; it is stopped before the world closes. */
  async startWork(server: OpenedOffice, options: Omit<OfficeWorkOptions, 'log'> = {}): Promise<OfficeWork> {
    const started = startOfficeWork(server, {
      pollMs: 100,
      log: (line) => this.logged.push(line),
      ...options,
    })
    this.works.push(async () => (await started).stop())
    return started
  }

  private async openOffice(options: OfficeServerOptions): Promise<OpenedOffice> {
    this.database ??= this.options.beside?.database ?? null
    if (!this.database) {
      const database = (this.database = await takeDatabase())
      this.closers.push(() => giveBackDatabase(database))
    }
    const { url, pools } = this.database
    // Every document is outside the rows there.
    const objects = IN_OBJECTS ? { bucket: await this.openBucket(), inRowAtMost: 0 } : {}
    return openOfficeSello({ ...options, url, pools, masterKey: testKey(), ...objects })
  }

  private async openBucket(): Promise<Bucket> {
    const { ownSettings } = await import('./objects/buckets.ts')
    this.storage ??= await ownSettings()
    return openBucket(this.storage, () => new Date())
  }

  /** Address of the database, on that engine. */
  get databaseUrl(): string {
    return this.database?.url ?? ''
  }

  /** Lines of the log: a bug of the server appears here. */
  readonly logged: string[] = []

  /** Creates the company with its live and its test book. */
  async setUp(): Promise<void> {
    const { books } = await this.run(
      'company.create',
      { ...EXAMPLE_COMPANY, ...this.options.company },
      { book: NO_BOOK },
    )
    const load = async (mode: Mode): Promise<Book> => {
      const book = await loadBook(this.env.store.reader, books.find((one) => one.mode === mode)?.id ?? '')
      if (!book) throw new Error('The book was not made.')
      return book
    }
    this.opened = { live: await load('live'), test: await load('test') }
  }

  get env(): AppEnvironment {
    if (!this.sello) throw new Error(EXPECT_OPEN)
    return this.sello.env
  }

  get app(): FastifyInstance {
    if (!this.server) throw new Error(EXPECT_OPEN)
    return this.server
  }

  /** Opens a real port, for requests over the network, and returns it. In `Host` the server still uses `PORT`. */
  listen(): Promise<number> {
    return listen(this.app, 0)
  }

  get books(): Record<Mode, Book> {
    if (!this.opened) throw new Error(EXPECT_OPEN)
    return this.opened
  }

  /** Replaces the accounting system with a fixed address by a mock server, which is closed with the world. */
  standIn({ base, close }: { base: string; close(): Promise<void> }): void {
    this.options = { ...this.options, erpUrl: base }
    this.env.erpMockEndpoint = { url: base, paceMs: 0 }
    this.closers.push(close)
  }

  /** Moves the clock. */
  setTime(at: string | Date): void {
    this.time = new Date(at)
  }

  advance(milliseconds: number): void {
    this.time = new Date(this.time.getTime() + milliseconds)
  }

  /** Returns a context in a book (by default the test book), by default of the person. */
  ctx({ book = 'test', actor = PERSON }: { book?: Mode | Book; actor?: Actor } = {}): Ctx {
    if (!this.sello) throw new Error(EXPECT_OPEN)
    return this.sello.ctx(typeof book === 'string' ? this.books[book] : book, actor)
  }

  /** Runs an operation as the person, without a transport. */
  async run<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    options: { book?: Mode | Book; actor?: Actor } = {},
  ): Promise<OutputOf<Name>> {
    const operation = await loadOperation(name)
    return (await runOperation(operation, this.ctx(options), input)) as OutputOf<Name>
  }

  /** Creates a key, by default with every scope. */
  async makeKey(
    options: { mode?: Mode; scopes?: readonly Scope[]; name?: string } & Partial<
      InputOf<'keys.createByPerson'>
    > = {},
  ) {
    const { mode = 'test', scopes = SCOPES, name = `key ${this.env.newId('key')}`, ...rest } = options
    return this.run('keys.createByPerson', { name, scopes: [...scopes], ...rest }, { book: mode })
  }

  /** Returns the default key of requests: of the test book, with every scope. */
  async key(mode: Mode = 'test'): Promise<string> {
    let key = this.keys.get(mode)
    if (key === undefined) this.keys.set(mode, (key = (await this.makeKey({ mode })).key))
    return key
  }

  /** Sends a request unchanged; only Host is added. */
  async inject(options: InjectOptions): Promise<Answer> {
    const request = { ...options, headers: { host: `127.0.0.1:${PORT}`, ...options.headers } }
    const raw = ENDLESS.test(JSON.stringify(options.url ?? options.path))
      ? await this.beginning(request)
      : await this.app.inject(request)
    const isJson =
      String(raw.headers['content-type'] ?? '').startsWith('application/json') &&
      raw.headers['content-encoding'] === undefined &&
      raw.body !== ''
    return {
      status: raw.statusCode,
      headers: raw.headers,
      body: isJson ? (JSON.parse(raw.body) as unknown) : undefined,
      raw,
    }
  }

  /** Returns the immediate part of an endless answer. */
  private async beginning(request: InjectOptions): Promise<LightMyRequestResponse> {
    const answer = await this.app.inject({ ...request, payloadAsStream: true })
    const body = answer.stream()
    const isEndless = String(answer.headers['content-type']).startsWith(EVENT_STREAM)
    const pieces: Buffer[] = []
    for await (const piece of body) {
      pieces.push(piece as Buffer)
      if (isEndless) break
    }
    const rawPayload = Buffer.concat(pieces)
    const { statusCode, headers } = answer
    return { statusCode, headers, rawPayload, body: rawPayload.toString('utf8') } as LightMyRequestResponse
  }

  private async ask(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body: unknown,
    { key, headers }: Asking,
  ): Promise<Answer> {
    const authorization = `Bearer ${key ?? (await this.key())}`
    return this.inject({
      method,
      url: path,
      headers: {
        authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  }

  get(path: string, asking: Asking = {}): Promise<Answer> {
    return this.ask('GET', path, undefined, asking)
  }

  post(path: string, body?: unknown, asking: Asking = {}): Promise<Answer> {
    return this.ask('POST', path, body, asking)
  }

  patch(path: string, body: unknown, asking: Asking = {}): Promise<Answer> {
    return this.ask('PATCH', path, body, asking)
  }

  delete(path: string, asking: Asking = {}): Promise<Answer> {
    return this.ask('DELETE', path, undefined, asking)
  }

  /** Calls the window's API; text is sent unchanged. */
  call(
    name: string,
    input: unknown = {},
    options: { book?: Mode | null; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const { book = 'test' } = options
    return this.inject({
      method: 'POST',
      url: `/app/call/${name}`,
      headers: {
        authorization: `Bearer ${WINDOW_TOKEN}`,
        'content-type': 'application/json',
        ...(book === null ? {} : { 'sello-book': this.books[book].publicId }),
        ...options.headers,
      },
      payload: typeof input === 'string' ? input : JSON.stringify(input),
    })
  }

  /** Creates a draft in the test book over REST; returns its data. */
  async createDraft(
    changes: Partial<InputOf<'invoices.create'>> = {},
    asking: Asking = {},
  ): Promise<OutputOf<'invoices.create'>> {
    const answer = await this.post('/api/v1/invoices', { ...EXAMPLE_DRAFT, ...changes }, asking)
    if (answer.status !== 201) throw new Error(`The draft was refused: ${answer.raw.body}`)
    return answer.body.data as OutputOf<'invoices.create'>
  }

  /** Validates and issues a draft over REST; returns the issued invoice. */
  async issue(id: string, asking: Asking = {}): Promise<OutputOf<'invoices.issue'>> {
    const validated = await this.post(`/api/v1/invoices/${id}/validate`, {}, asking)
    const confirmationToken: unknown = validated.body.data?.confirmation?.confirmationToken
    const issued = await this.post(`/api/v1/invoices/${id}/issue`, { confirmationToken }, asking)
    if (issued.status !== 200)
      throw new Error(`The issue was refused: ${validated.raw.body} ${issued.raw.body}`)
    return issued.body.data as OutputOf<'invoices.issue'>
  }

  /** Closes everything and opens it again from the same folder. */
  async restart(): Promise<void> {
    await this.shut()
    await this.open()
  }

  /** Closes everything, changes the folder, and opens it again. */
  async restartAfter(change: () => void | Promise<void>): Promise<void> {
    await this.shut()
    await change()
    await this.open()
  }

  private async shut(): Promise<void> {
    const { server, sello } = this
    this.server = null
    // Nothing is started any more.
    this.sello = null
    this.onDemand = null
    for (const stop of this.works.splice(0)) await stop()
    await server?.close()
    await sello?.close()
  }

  async close(): Promise<void> {
    await this.shut()
    for (const close of this.closers) await close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** A supplier's invoice as text, whose sums close. */
export const EXAMPLE_SUPPLIER_FILE = {
  name: 'factura-A-118.txt',
  content: Buffer.from(
    'Papelería Sol, S.L.\nCIF B58818501\nFactura nº: A-118\nFecha: 09/06/2026\nBase 100,00\nIVA 21 % 21,00\nTotal factura 121,00 €\n',
  ).toString('base64'),
}

/** The invoice of three fields: a name, a NIF and one line. */
export const EXAMPLE_DRAFT = {
  clientName: 'Ana Ruiz Gil',
  clientNif: '12345678Z',
  lines: [{ description: 'Mano de obra', quantity: 2, unitPrice: 10 }],
} satisfies InputOf<'invoices.create'>

/** Opens a world with the example company. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const world = new World(options)
  if (!options.shared) onTestFinished(() => world.close())
  try {
    await world.open()
    await world.setUp()
  } catch (error) {
    await world.close()
    throw error
  }
  return world
}
