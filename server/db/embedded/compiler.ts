/** Compiles queries for SQLite. */
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { RawNode } from 'kysely'
import { nodeFor } from '../engine-sql.ts'
import type { QueryDialect } from '../engines.ts'
import type { Schema } from '../schema.ts'

/** Kysely's compiler with the texts that are for this engine only. */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    super.visitRaw(nodeFor('sqlite', node))
  }
}

/**
 * Writes whole numbers into the text: `limit ?` takes SQLite several times as long as `limit 1`, and the numbers
 * never change.
 */
class PreparedCompiler extends SqliteCompiler {
  protected override appendValue(value: unknown): void {
    if (Number.isSafeInteger(value)) this.append(String(value))
    else super.appendValue(value)
  }
}

/** How prepared queries are compiled for this engine. */
export const queryDialect: QueryDialect = {
  engine: 'sqlite',
  builder: new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new PreparedCompiler(),
    },
  }),
}
