/** Several servers of one office in this process: environments of their own over one database, each with its doors. */
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { onTestFinished } from 'vitest'
import { serverOver } from '../../../server/api/application.ts'
import type { OperationName, OutputOf, InputOf } from '../../../server/api/contracts.ts'
import { listen, OwnAddress } from '../../../server/api/http/index.ts'
import { officeOperations, openOfficeSello } from '../../../server/api/office.ts'
import { DIRECTORY_CALLBACK } from '../../../server/api/office-server/session-cookie.ts'
import { installSignIn } from '../../../server/api/office-server/sign-in-routes.ts'
import { createOfficeGate } from '../../../server/api/office-server/window.ts'
import { peopleOf } from '../../../server/app/people/index.ts'
import { loadOperation } from '../../../server/api/operations.ts'
import { runOperation } from '../../../server/api/run.ts'
import type { OpenedSello } from '../../../server/app/environment.ts'
import type { OfficeOptions } from '../../../server/app/office/index.ts'
import { NO_BOOK } from '../../../server/context.ts'
import type { AppEnvironment, Book, Ctx, Mode } from '../../../server/context.ts'
import { SCOPES } from '../../../server/domain/contract/scopes.ts'
import { loadBook } from '../../../server/platform/books/index.ts'
import { EXAMPLE_COMPANY, OWNER_PRESENT } from '../store.ts'
import { giveBackDatabase, takeDatabase, testKey } from './databases.ts'
import type { TestDatabase } from './databases.ts'

const PORT = 4545
/** Where people of the tests sign in. */
export const SITE = { id: 'office.test', origins: ['https://office.test'] } as const

/** Also answers under the name at which people sign in. */
function admitSite(address: OwnAddress): void {
  address.entrances = new Set(['/', DIRECTORY_CALLBACK])
  address.hosts = new Set([...address.hosts, SITE.id])
  address.origins = new Set([...address.origins, ...SITE.origins])
}

export class OfficeServer {
  readonly sello: OpenedSello
  readonly app: FastifyInstance
  readonly address: OwnAddress
  readonly logged: string[]
  private isClosed = false

  constructor(sello: OpenedSello, app: FastifyInstance, address: OwnAddress, logged: string[]) {
    this.sello = sello
    this.app = app
    this.address = address
    this.logged = logged
  }

  get env(): AppEnvironment {
    return this.sello.env
  }

  ctx(book: Book): Ctx {
    return this.sello.ctx(book, { kind: 'user', id: 'user', name: 'Persona' })
  }

  /** Runs an operation as the person. */
  async run<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    book: Book,
  ): Promise<OutputOf<Name>> {
    return (await runOperation(await loadOperation(name), this.ctx(book), input)) as OutputOf<Name>
  }

  /** Sends a request with a key. */
  ask(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    key: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<LightMyRequestResponse> {
    return this.app.inject({
      method,
      url: `/api/v1${path}`,
      headers: {
        host: `127.0.0.1:${PORT}`,
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
  }

  /** Opens a real port and returns the address. */
  async listen(): Promise<string> {
    const port = await listen(this.app, 0)
    this.address.setPort(port)
    admitSite(this.address)
    return `http://127.0.0.1:${port}`
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    await this.app.close()
    await this.sello.close()
  }
}

/** An office of a test, closed at its end. */
export class Office {
  readonly database: TestDatabase
  readonly servers: OfficeServer[] = []

  constructor(database: TestDatabase) {
    this.database = database
  }

  /** Starts another server. Its clock is the database's unless `now` is given. */
  async start(options: Partial<OfficeOptions> = {}): Promise<OfficeServer> {
    const logged: string[] = []
    const sello = await openOfficeSello({
      url: this.database.url,
      masterKey: testKey(),
      connections: 4,
      person: OWNER_PRESENT,
      log: (line) => logged.push(line),
      ...options,
    })
    const address = new OwnAddress(PORT)
    admitSite(address)
    const people = peopleOf(sello)
    people.site = SITE
    const app = await serverOver(sello, {
      address,
      windowToken: null,
      officeWindow: {
        gate: createOfficeGate(people),
        install: (server) => installSignIn(server, people),
      },
      uiDir: null,
      operations: officeOperations,
    })
    await app.ready()
    const server = new OfficeServer(sello, app, address, logged)
    this.servers.push(server)
    return server
  }

  /** Creates a company and returns its two books. */
  async company(nif: string = EXAMPLE_COMPANY.nif ?? ''): Promise<Record<Mode, Book>> {
    const [server] = this.servers
    if (!server) throw new Error('No server is open.')
    const { books } = await server.run('company.create', { ...EXAMPLE_COMPANY, nif }, NO_BOOK)
    const load = async (mode: Mode): Promise<Book> =>
      (await loadBook(server.env.store.reader, books.find((one) => one.mode === mode)?.id ?? ''))!
    return { live: await load('live'), test: await load('test') }
  }

  /** Creates a key with every scope. */
  async key(book: Book, name = 'key'): Promise<{ key: string; id: string }> {
    const made = await this.servers[0]!.run('keys.createByPerson', { name, scopes: [...SCOPES] }, book)
    return { key: made.key, id: made.id }
  }
}

/** Opens an office with some servers on an empty database. */
export async function openOfficeOf(count: number, options: Partial<OfficeOptions> = {}): Promise<Office> {
  const office = new Office(await takeDatabase())
  onTestFinished(async () => {
    await Promise.all(office.servers.map((server) => server.close()))
    await giveBackDatabase(office.database)
  })
  for (let started = 0; started < count; started += 1) await office.start(options)
  return office
}
