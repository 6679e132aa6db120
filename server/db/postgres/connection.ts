/**
 * Runs queries on connections of the driver: named prepared statements for texts that come again, and rows as the
 * embedded engine gives them.
 */
import { Kysely, PostgresAdapter, PostgresIntrospector } from 'kysely'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { ClientBase, QueryResult as DriverResult } from 'pg'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Bindable, QueryConnection, RunResult } from '../engines.ts'
import { ConnectionDriver } from '../kysely-driver.ts'
import { bindConnection } from '../query.ts'
import type { Db } from '../query.ts'
import type { Schema } from '../schema.ts'
import { PostgresCompiler, queryDialect } from './compiler.ts'

/** Texts whose names and uses are counted. A server's queries are some thousand; beyond that, texts are built from data. */
const MOST_TEXTS = 5_000
/** A text is prepared when it comes for the second time: one that is built from data never comes again. */
const PREPARED_FROM = 2

interface KnownText {
  name: string
  uses: number
}

const texts = new Map<string, KnownText>()

/** Returns the name under which a text is prepared on every connection; undefined if it is not prepared. */
function statementName(text: string): string | undefined {
  let known = texts.get(text)
  if (!known) {
    if (texts.size >= MOST_TEXTS) return undefined
    texts.set(text, (known = { name: `s${texts.size}`, uses: 0 }))
  }
  known.uses += 1
  return known.uses >= PREPARED_FROM ? known.name : undefined
}

/** What a statement needs of a connection. */
export type Client = Pick<ClientBase, 'query'>

/** The database's code for text that it does not store. */
const UNSTORABLE = '22021'

/** Returns the refusal of a text that came past the checks of inputs, such as one in a file. */
function unstorable(cause: unknown): AppError {
  return new AppError('validation_failed', {
    details: {
      faults: [
        {
          code: 'control_character',
          field: '',
          severity: 'error',
          message: 'Must not hold control characters.',
        },
      ],
    },
    cause,
  })
}

/** Runs a statement on a client; the driver's errors are thrown, and `validation_failed` for text with U+0000. */
export function runOn(
  client: Client,
  text: string,
  values: readonly Bindable[],
): Promise<DriverResult<Record<string, unknown>>> {
  const name = statementName(text)
  return client
    .query<Record<string, unknown>>({
      text,
      values: values as unknown[],
      ...(name === undefined ? {} : { name }),
    })
    .catch((error: unknown) => {
      throw (error as { code?: unknown }).code === UNSTORABLE ? unstorable(error) : error
    })
}

/** Gives a client for the time of one statement. */
type WithClient = <T>(run: (client: Client) => Promise<T>) => Promise<T>

class PostgresConnection implements QueryConnection, DatabaseConnection {
  readonly dialect = queryDialect
  private readonly withClient: WithClient

  constructor(withClient: WithClient) {
    this.withClient = withClient
  }

  async all(text: string, values: readonly Bindable[]): Promise<unknown[]> {
    return (await this.withClient((client) => runOn(client, text, values))).rows
  }

  async get(text: string, values: readonly Bindable[]): Promise<unknown> {
    return (await this.all(text, values))[0]
  }

  async run(text: string, values: readonly Bindable[]): Promise<RunResult> {
    return { changes: (await this.withClient((client) => runOn(client, text, values))).rowCount ?? 0 }
  }

  /** Another server may have written: nothing is kept from one request to the next. */
  cached<T>(_name: string, read: () => T): T {
    return read()
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount } = await this.withClient((client) =>
      runOn(client, sql, parameters as readonly Bindable[]),
    )
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  // oxlint-disable-next-line require-yield -- The interface wants a generator; rows are read in pages.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not used: page through the rows.')
  }
}

/** Creates a Kysely instance whose statements run on the clients that `withClient` gives. */
export function createKysely(withClient: WithClient): Db {
  const connection = new PostgresConnection(withClient)
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new ConnectionDriver(connection),
      createIntrospector: (each) => new PostgresIntrospector(each),
      createQueryCompiler: () => new PostgresCompiler(),
    },
  })
  bindConnection(db, connection)
  return db
}
