/** All rows of a database, to compare them before and after. */
import { sql } from 'kysely'
import type { Db } from '../../../server/db/query.ts'
import { shapeOfBuild } from '../../../server/app/company-rows/index.ts'

/**
 * Tables that tell what happened, and keep that a move came and went; figure groups are kinds of operations, without
 * amounts.
 */
const TOLD = ['audit_events', 'audit_heads', 'events', 'actors', 'figure_groups', 'moving_runs']

/** Returns the rows of each table but those. */
export async function dump(db: Db): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const { name } of shapeOfBuild().tables)
    if (!TOLD.includes(name)) found[name] = (await sql`select * from ${sql.table(name)}`.execute(db)).rows
  return found
}
