/** Compiles queries for PostgreSQL. */
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { RawNode } from 'kysely'
import { nodeFor } from '../engine-sql.ts'
import type { QueryDialect } from '../engines.ts'
import type { Schema } from '../schema.ts'

/** Kysely's compiler with the texts that are for this engine only. */
export class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    super.visitRaw(nodeFor('pg', node))
  }
}

/** Writes whole numbers into the text, where the planner sees them; in prepared queries they never change. */
class PreparedCompiler extends PostgresCompiler {
  protected override appendValue(value: unknown): void {
    if (Number.isSafeInteger(value)) this.append(String(value))
    else super.appendValue(value)
  }
}

/** How prepared queries are compiled for this engine. */
export const queryDialect: QueryDialect = {
  engine: 'pg',
  builder: new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PreparedCompiler(),
    },
  }),
}
