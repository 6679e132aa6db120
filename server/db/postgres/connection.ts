/**
 * Runs queries on connections of the driver: named prepared statements for texts that come again, and rows as the
 * embedded engine gives them.
 */
import { Kysely, PostgresAdapter, PostgresIntrospector } from 'kysely'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { ClientBase, QueryResult as DriverResult } from 'pg'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Bindable, QueryConnection, ReturnedRows, RunResult } from '../engines.ts'
import { ConnectionDriver } from '../kysely-driver.ts'
import { bindConnection } from '../query.ts'
import type { Db } from '../query.ts'
import type { Schema } from '../schema.ts'
import { PostgresCompiler, queryDialect } from './compiler.ts'
import { mergedWrites, tableOf } from './merged.ts'
import type { Write } from './merged.ts'
import { isPlanOutdated } from './pool.ts'
import { Statement } from './statement.ts'
import type { PreparedText } from './statement.ts'

/** Texts whose names and uses are counted. A server's queries are some thousand; beyond that, texts are built from data. */
const MOST_TEXTS = 5_000
/** A text is prepared when it comes for the second time: one that is built from data never comes again. */
const PREPARED_FROM = 2

interface KnownText extends PreparedText {
  uses: number
}

const texts = new Map<string, KnownText>()
/** Names given so far: none is given twice, as connections remember what was prepared under it. */
let names = 0

/** Returns how a text is prepared on every connection; null if it is not. */
function preparedText(text: string): PreparedText | null {
  let known = texts.get(text)
  if (!known) {
    if (texts.size >= MOST_TEXTS) return null
    texts.set(text, (known = { name: `s${(names += 1)}`, uses: 0 }))
  }
  known.uses += 1
  return known.uses >= PREPARED_FROM ? known : null
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

/** Runs a statement on a client, which may not be prepared any more (`isPlanOutdated`); the driver's errors are thrown, and `validation_failed` for text with U+0000. */
export function runOn(
  client: Client,
  text: string,
  values: readonly Bindable[],
): Promise<DriverResult<Record<string, unknown>>> {
  return new Promise((resolve, reject) => {
    // With a callback: the driver's own promise costs three more.
    const statement = new Statement(text, values, preparedText(text), (error, answer) => {
      if (!error) return resolve(answer)
      // Every connection has prepared it for the columns of before.
      if (isPlanOutdated(error)) texts.clear()
      reject((error as { code?: unknown }).code === UNSTORABLE ? unstorable(error) : error)
    })
    client.query(statement)
  })
}

type Answer = DriverResult<Record<string, unknown>>

/** Gives a client for the time of one statement. */
type WithClient = <T>(run: (client: Client) => Promise<T>) => Promise<T>

class PostgresConnection implements QueryConnection, DatabaseConnection {
  readonly dialect = queryDialect
  private readonly withClient: WithClient
  /** Writes that were not sent yet, each to another table. */
  private waiting: Write[] = []
  /** Statements that were sent and for whose answers nobody waits yet. */
  private readonly ahead: Promise<void>[] = []
  /** How many of these are checked when they are answered. */
  private unchecked = 0
  /** The first error of these. */
  private failure: unknown = null

  constructor(withClient: WithClient) {
    this.withClient = withClient
  }

  /** Runs a statement after those that wait. */
  private async send(text: string, values: readonly Bindable[]): Promise<Answer> {
    if (this.waiting.length > 0) this.sendWaiting()
    try {
      return await this.withClient((client) => runOn(client, text, values))
    } catch (error) {
      // If a statement that nobody has waited for failed before, it ended the transaction: that is the cause.
      await Promise.all(this.ahead)
      throw this.failure ?? error
    } finally {
      if (text.startsWith('rollback to savepoint')) this.failure = null
    }
  }

  private sendWaiting(): void {
    const { sql, values } = mergedWrites(this.waiting)
    this.waiting = []
    this.sendAhead(sql, values, () => {})
  }

  /** Sends a statement without waiting for its answer. */
  private sendAhead(sql: string, values: readonly Bindable[], check: (answer: Answer) => void): void {
    const answered = this.withClient((client) => runOn(client, sql, values))
      .then(check)
      .catch((error: unknown) => void (this.failure ??= error))
    this.ahead.push(answered)
  }

  /** Sends the writes that wait, and waits for all that nobody has waited for. Throws the first error of them. */
  async flush(): Promise<void> {
    if (this.waiting.length > 0) this.sendWaiting()
    await Promise.all(this.ahead.splice(0))
    if (this.failure !== null) throw this.failure
  }

  later(sql: string, values: readonly Bindable[]): void {
    const table = tableOf(sql)
    if (this.waiting.length > 0 && (table === null || this.holds(table))) this.sendWaiting()
    if (table === null) this.sendAhead(sql, values, () => {})
    else this.waiting.push({ sql, values })
  }

  changeOne(sql: string, values: readonly Bindable[], otherwise: () => unknown): void {
    if (this.waiting.length > 0) this.sendWaiting()
    this.unchecked += 1
    this.sendAhead(sql, values, ({ rowCount }) => {
      this.unchecked -= 1
      if (rowCount !== 1) throw otherwise()
    })
  }

  /** True if the database alone decides about what was sent: its commit says that all of it succeeded. */
  get isDecidedByDatabase(): boolean {
    return this.unchecked === 0 && this.failure === null
  }

  private holds(table: string): boolean {
    return this.waiting.some((write) => tableOf(write.sql) === table)
  }

  async together(sql: string, values: readonly Bindable[]): Promise<ReturnedRows> {
    const table = tableOf(sql)
    let write: Write = { sql, values }
    if (table !== null && !this.holds(table)) {
      write = mergedWrites([...this.waiting, write])
      this.waiting = []
    }
    const { rows, rowCount } = await this.send(write.sql, write.values)
    return { rows, changes: rowCount ?? 0 }
  }

  async all(text: string, values: readonly Bindable[]): Promise<unknown[]> {
    return (await this.send(text, values)).rows
  }

  async get(text: string, values: readonly Bindable[]): Promise<unknown> {
    return (await this.all(text, values))[0]
  }

  async run(text: string, values: readonly Bindable[]): Promise<RunResult> {
    return { changes: (await this.send(text, values)).rowCount ?? 0 }
  }

  /** Another server may have written: nothing is kept from one request to the next. */
  cached<T>(_name: string, read: () => T): T {
    return read()
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount } = await this.send(sql, parameters as readonly Bindable[])
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  // oxlint-disable-next-line require-yield -- The interface wants a generator; rows are read in pages.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not used: page through the rows.')
  }
}

/** Creates a Kysely instance whose statements run on the clients that `withClient` gives. */
export function createKysely(withClient: WithClient): Db {
  return createWriter(withClient).db
}

/** A handle of a transaction. */
interface Writer {
  readonly db: Db
  /** Sends the writes that may come later, and waits for the answers to all. */
  flush(): Promise<void>
  /** True if no answer is outstanding that is checked here: what follows in the database needs no wait for `flush`. */
  isDecidedByDatabase(): boolean
}

/** Creates the same for a transaction. */
export function createWriter(withClient: WithClient): Writer {
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
  return {
    db,
    flush: () => connection.flush(),
    isDecidedByDatabase: () => connection.isDecidedByDatabase,
  }
}
