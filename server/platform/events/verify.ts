/** Integrity check of the outbox: no event is missing. */
import { highestGiven } from '../../db/engine-sql.ts'
import { sql } from 'kysely'
import type { Proof } from '../../domain/proof.ts'
import { FAULTS_LISTED } from '../../domain/proof.ts'
import type { Ctx } from '../../context.ts'

/**
 * Setting of books that were moved out of an office: the last event that got its identifier there; or of a file of which
 * a company was deleted: the last event before that.
 */
export const EVENTS_OF_OFFICE = 'events_of_office'

/** Returns the last event before which identifiers may be missing. */
async function lastOfOffice(ctx: Ctx): Promise<number> {
  const row = await ctx.db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', EVENTS_OF_OFFICE)
    .executeTakeFirst()
  return Number(row?.value ?? 0)
}

/**
 * Checks the sequence of identifiers. In a file events are never deleted and identifiers never reused, so that a gap, or
 * an end before the last assigned identifier, is a fault. An office gives identifiers to many companies at once, also
 * to transactions that fail: there the events of a book have gaps, as those that it took from there with it.
 */
export async function verifyEvents(ctx: Ctx): Promise<Proof> {
  if (ctx.env.store.engine === 'pg') {
    const row = await ctx.db
      .selectFrom('events')
      .select((eb) => eb.fn.countAll<number>().as('kept'))
      .where('book_id', '=', ctx.book.id)
      .executeTakeFirst()
    return { checked: row?.kept ?? 0, faults: [] }
  }
  const from = await lastOfOffice(ctx)
  const { rows } = await sql<{ kept: number; first: number; last: number; given: number }>`
    select count(*) as kept, coalesce(min(id), ${from + 1}) as first, coalesce(max(id), ${from}) as last,
      ${highestGiven('events')} as given from events where id > ${from}`.execute(ctx.db)
  const [{ kept, first, last, given } = { kept: 0, first: from + 1, last: from, given: 0 }] = rows
  const faults: string[] = []
  if (from + kept < last) {
    const { rows: gaps } = await sql<{ id: number }>`
      select e.id + 1 as id from events e where e.id > ${from} and e.id < ${last}
        and not exists (select 1 from events n where n.id = e.id + 1)
      order by e.id limit ${FAULTS_LISTED}`.execute(ctx.db)
    if (first > from + 1) faults.push(`Event ${from + 1} is missing from the outbox.`)
    for (const { id } of gaps) faults.push(`Event ${id} is missing from the outbox.`)
  }
  if (given > last) faults.push(`Events up to ${given} were written; the last one in the outbox is ${last}.`)
  return { checked: kept, faults: faults.slice(0, FAULTS_LISTED) }
}
