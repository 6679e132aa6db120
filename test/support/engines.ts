/** Which engine the tests of this run use, and what they ask either. */
import { sql } from 'kysely'
import type { Db } from '../../server/db/query.ts'
import { ENGINE } from './postgres/databases.ts'

/**
 * Returns what registers a test or a group of tests about the file of the books; a run on PostgreSQL has none.
 * Example: `inEmbedded(test)('is erased from every page of the file', …)`.
 */
export function inEmbedded<Register extends (...args: never[]) => unknown>(register: Register): Register {
  return ENGINE === 'sqlite' ? register : ((() => {}) as unknown as Register)
}

/** Returns the names of all tables, sorted. */
export async function tablesOf(db: Db): Promise<string[]> {
  const { rows } = await (
    ENGINE === 'pg'
      ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
      : sql<{
          name: string
        }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
  ).execute(db)
  return rows.map(({ name }) => name).toSorted()
}
