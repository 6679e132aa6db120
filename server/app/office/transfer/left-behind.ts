/** Rows of a company in tables that only PostgreSQL has: a transfer does not copy them, and says so. */
import type { BulkReader } from '../../../db/bulk.ts'
import { quoted } from '../../../db/bulk.ts'
import { NOT_COPIED } from './references.ts'
import type { Shape } from './shape.ts'
import type { Side } from './side.ts'

/** Returns the tables of the database that the schema of a file does not have, and that have rows of companies. */
export async function officeTables(reader: BulkReader, { byName }: Shape): Promise<string[]> {
  const rows = await reader.select<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname = 'company_id'
       and not a.attisdropped order by c.relname`,
  )
  return rows.map(({ name }) => name).filter((name) => !byName.has(name))
}

/** Returns the names of such tables with rows of the company, other than those that are declared. */
export async function leftBehind({ reader, shape, companyId }: Side): Promise<string[]> {
  const left: string[] = []
  for (const name of await officeTables(reader, shape)) {
    if (name in NOT_COPIED) continue
    const rows = await reader.select(`select 1 from ${quoted(name)} where company_id = ${companyId} limit 1`)
    if (rows.length > 0) left.push(name)
  }
  return left
}
