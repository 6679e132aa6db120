/**
 * The history by position, for the window's scroll bar: positions come from a narrow index, and rows are read only
 * for the visible part.
 */
import { indexedBy } from '../../db/engine-sql.ts'
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import type { auditPeopleContract, auditTermsContract, windowAuditContract } from './contract.ts'
import { addDays, startOfDay } from '../../domain/dates.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { assertOrder, listedEvent, rows } from './list.ts'

const DEFAULT_LIMIT = 200

type Filter = Omit<ContractInput<typeof windowAuditContract>, 'offset' | 'limit'>

/** The index is named because SQLite would otherwise scan the full rows, which contain the hashes. */
const places = sql<{ sequence: number }>`audit_events ${indexedBy('audit_events_by_place')}`

async function conditionsOf(ctx: Ctx, filter: Filter) {
  const { from, to, actor, action, outcome } = filter
  const conditions = [sql<SqlBool>`book_id = ${ctx.book.id}`]
  if (from) conditions.push(sql<SqlBool>`at >= ${startOfDay(from).getTime()}`)
  if (to) conditions.push(sql<SqlBool>`at < ${startOfDay(addDays(to, 1)).getTime()}`)
  if (action) conditions.push(sql<SqlBool>`action = ${action}`)
  if (outcome) conditions.push(sql<SqlBool>`outcome = ${outcome}`)
  if (actor) {
    // A renamed key occurs once for each of its names.
    const actors = await ctx.db
      .selectFrom('actors')
      .select('id')
      .where((where) => where.or([where('public_id', '=', actor), where('name', '=', actor)]))
      .execute()
    conditions.push(
      actors.length > 0
        ? sql<SqlBool>`actor_id in (${sql.join(actors.map(({ id }) => id))})`
        : sql<SqlBool>`1 = 0`,
    )
  }
  return sql.join(conditions, sql` and `)
}

/** Returns one page of the history by position, newest first. */
export const windowAudit: UseCase<typeof windowAuditContract> = async (
  ctx,
  { offset = 0, limit = DEFAULT_LIMIT, ...filter },
) => {
  assertOrder(filter)
  const conditions = await conditionsOf(ctx, filter)
  const counted = await sql<{
    count: number
  }>`select count(*) as count from ${places} where ${conditions}`.execute(ctx.db)
  const found = await sql<{ sequence: number }>`
    select sequence from ${places} where ${conditions} order by sequence desc limit ${limit} offset ${offset}
  `.execute(ctx.db)
  const sequences = found.rows.map(({ sequence }) => sequence)
  const events =
    sequences.length === 0
      ? []
      : await rows(ctx)
          // The range says nothing new: it tells a planner that does not know the book to follow the key.
          .where('audit_events.sequence', '<=', sequences[0] ?? 0)
          .where('audit_events.sequence', '>=', sequences.at(-1) ?? 0)
          .where('audit_events.sequence', 'in', sequences)
          .orderBy('audit_events.sequence', 'desc')
          .execute()
  return { items: events.map(listedEvent), count: counted.rows[0]?.count ?? 0 }
}

/** Returns the actors and actions that occur in the book's history. */
export const listAuditTerms: UseCase<typeof auditTermsContract> = async (ctx) => {
  const actions = await sql<{ action: string }>`
    select distinct action from ${places} where book_id = ${ctx.book.id} order by action
  `.execute(ctx.db)
  const actors = await sql<{ kind: 'user' | 'key' | 'system'; id: string; name: string }>`
    select kind, public_id as id, name from actors
    where id in (select distinct actor_id from ${places} where book_id = ${ctx.book.id}) order by id
  `.execute(ctx.db)
  // The last name of a renamed key.
  return {
    actors: [...new Map(actors.rows.map((actor) => [actor.id, actor])).values()],
    actions: actions.rows.map(({ action }) => action),
  }
}

/** Most actions that are named for a person. */
const MOST_ACTIONS = 20

/** Returns the people of an office who occur in the history, who acted last first. The owner of a desk is not one. */
export const listAuditPeople: UseCase<typeof auditPeopleContract> = async (ctx) => {
  const { rows: found } = await sql<{
    id: string
    name: string
    action: string
    count: number
    first: number
    last: number
  }>`
    select actors.public_id as id, actors.name, done.action, done.count, done.first, done.last
    from (
      select actor_id, action, count(*) as count, min(at) as first, max(at) as last
      from ${places} where book_id = ${ctx.book.id} group by actor_id, action
    ) as done join actors on actors.id = done.actor_id
    where actors.kind = 'user' and actors.public_id <> 'user'
    order by done.last desc
  `.execute(ctx.db)
  // A person who has changed the name has a row for each.
  const people = Map.groupBy(found, ({ id }) => id)
  return {
    items: [...people].map(([id, rows]) => {
      const actions = new Map<string, number>()
      for (const { action, count } of rows) actions.set(action, (actions.get(action) ?? 0) + count)
      const entered = rows.find(({ action }) => action === 'books.entered')
      const iso = (at: number): string => new Date(at).toISOString()
      return {
        id,
        name: rows[0]?.name ?? id,
        firstAt: iso(Math.min(...rows.map(({ first }) => first))),
        lastAt: iso(Math.max(...rows.map(({ last }) => last))),
        enteredAt: entered ? iso(entered.last) : null,
        entries: rows.reduce((sum, { count }) => sum + count, 0),
        actions: [...actions]
          .map(([action, count]) => ({ action, count }))
          .toSorted((a, b) => b.count - a.count)
          .slice(0, MOST_ACTIONS),
      }
    }),
  }
}
