/**
 * Kysely over one of the store's connections. It begins no transactions: the store passes a use case the write
 * instance only inside its own `begin immediate`, so that Kysely's own transaction calls are rejected.
 */
import { Kysely, SqliteAdapter, SqliteIntrospector } from 'kysely'
import type {
  CompiledQuery,
  DatabaseConnection,
  DatabaseIntrospector,
  Dialect,
  DialectAdapter,
  Driver,
  QueryCompiler,
  QueryResult,
} from 'kysely'
import type { Bindable } from '../engines.ts'
import { SqliteCompiler } from './compiler.ts'
import type { Connection } from './connection.ts'
import { ConnectionDriver } from '../kysely-driver.ts'
import { inRows } from '../outside/objects.ts'
import { bindConnection } from '../query.ts'
import type { Db } from '../query.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'

class KyselyConnection implements DatabaseConnection {
  readonly connection: Connection
  constructor(connection: Connection) {
    this.connection = connection
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const values = query.parameters as readonly Bindable[]
    try {
      const statement = this.connection.statement(query.sql)
      if (statement.reader) return { rows: statement.all(...values) as R[] }
      return { numAffectedRows: BigInt(statement.run(...values).changes), rows: [] }
    } catch (error) {
      throw this.connection.noted(error)
    }
  }

  // oxlint-disable-next-line require-yield -- The interface wants a generator; we never stream from the writing process.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not used: page through the rows.')
  }
}

/** A Kysely dialect over one connection. */
export class ConnectionDialect implements Dialect {
  private readonly connection: Connection
  constructor(connection: Connection) {
    this.connection = connection
  }
  createAdapter(): DialectAdapter {
    return new SqliteAdapter()
  }
  createDriver(): Driver {
    return new ConnectionDriver(new KyselyConnection(this.connection))
  }
  createQueryCompiler(): QueryCompiler {
    return new SqliteCompiler()
  }
  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db)
  }
}

/** Creates a Kysely instance over a connection, for prepared and one-off queries. */
export function createKysely(connection: Connection): Db {
  const db = new Kysely<Schema>({ dialect: new ConnectionDialect(connection) })
  bindConnection(db, connection)
  return db
}

/** Returns the part of a store that reads rows, over one connection: for checks, which need nothing else of a store. */
export function storeOver(connection: Connection): Store {
  const reader = createKysely(connection)
  const store: Pick<Store, 'engine' | 'reader' | 'readerOf' | 'objects'> = {
    engine: 'sqlite',
    objects: inRows,
    reader,
    readerOf: () => reader,
  }
  return store as Store
}
