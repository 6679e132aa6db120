/** Integrity check of the outbox: no event is missing. */
import { highestGiven } from '../../db/engine-sql.ts'
import { sql } from 'kysely'
import type { Proof } from '../../domain/proof.ts'
import { FAULTS_LISTED } from '../../domain/proof.ts'
import type { Ctx } from '../../context.ts'

/**
 * Checks the sequence of identifiers. Events are never deleted and identifiers never reused, so that a gap, or an end
 * before the last assigned identifier, is a fault.
 */
export async function verifyEvents(ctx: Ctx): Promise<Proof> {
  const { rows } = await sql<{ kept: number; first: number; last: number; given: number }>`
    select count(*) as kept, coalesce(min(id), 1) as first, coalesce(max(id), 0) as last,
      ${highestGiven('events')} as given from events`.execute(ctx.db)
  const [{ kept, first, last, given } = { kept: 0, first: 1, last: 0, given: 0 }] = rows
  const faults: string[] = []
  if (kept < last) {
    const { rows: gaps } = await sql<{ id: number }>`
      select e.id + 1 as id from events e where e.id < ${last} and not exists (select 1 from events n where n.id = e.id + 1)
      order by e.id limit ${FAULTS_LISTED}`.execute(ctx.db)
    if (first > 1) faults.push('Event 1 is missing from the outbox.')
    for (const { id } of gaps) faults.push(`Event ${id} is missing from the outbox.`)
  }
  if (given > last) faults.push(`Events up to ${given} were written; the last one in the outbox is ${last}.`)
  return { checked: kept, faults: faults.slice(0, FAULTS_LISTED) }
}
