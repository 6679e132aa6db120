/** Adds up the invoices of a filter: exact at any size, without blocking other requests. */
import { notIndexed } from '../../../db/engine-sql.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { selection } from './filter.ts'
import type { ResolvedFilter } from './filter.ts'

/** Invoices added up at a time: about ten milliseconds, during which no other request is answered. */
const AT_ONCE = 10_000

interface Sums {
  count: number
  base: number
  tax: number
  total: number
  due: number
}

/** Returns a sum over the invoices in force: annulled ones are listed and counted, and add nothing. */
const inForce = (column: 'base_cents' | 'tax_cents' | 'total_cents') =>
  sql<number>`coalesce(sum(case when invoices.cancelled_at is null then ${sql.ref(`invoices.${column}`)} else 0 end), 0)`

const sums = () => [
  sql<number>`count(*)`.as('count'),
  inForce('base_cents').as('base'),
  inForce('tax_cents').as('tax'),
  inForce('total_cents').as('total'),
  sql<number>`coalesce(sum(case when invoices.is_owed = 1 then invoices.due_cents else 0 end), 0)`.as('due'),
]

async function isMany(ctx: Ctx, filter: ResolvedFilter, atOnce: number): Promise<boolean> {
  const beyond = await selection(ctx, filter).select('invoices.id').limit(1).offset(atOnce).executeTakeFirst()
  return beyond !== undefined
}

/** Reads rows in storage order, whatever index would fit: each is read once. */
async function addUpInTurns(ctx: Ctx, filter: ResolvedFilter, atOnce: number): Promise<Sums> {
  const { last } = await ctx.db
    .selectFrom('invoices')
    .select((eb) => eb.fn.max<number>('id').as('last'))
    .executeTakeFirstOrThrow()
  const conditions = sql.join([sql`invoices.book_id = ${ctx.book.id}`, ...filter.conditions], sql` and `)
  const all: Sums = { count: 0, base: 0, tax: 0, total: 0, due: 0 }
  for (let from = 0; from < last; from += atOnce) {
    const { rows } = await sql<Sums>`
      select ${sql.join(sums())} from invoices ${notIndexed}
      where invoices.id > ${from} and invoices.id <= ${from + atOnce} and ${conditions}`.execute(ctx.db)
    for (const row of rows)
      for (const name of ['count', 'base', 'tax', 'total', 'due'] as const) all[name] += row[name]
    await nextTurn()
  }
  return all
}

/**
 * Returns count and sums of a filter in euros. An invoice that changes meanwhile counts once, before or after its
 * change.
 */
export async function totalsOfFilter(ctx: Ctx, filter: ResolvedFilter, atOnce = AT_ONCE): Promise<Sums> {
  if (filter.nothing) return { count: 0, base: 0, tax: 0, total: 0, due: 0 }
  const { count, base, tax, total, due } = (await isMany(ctx, filter, atOnce))
    ? await addUpInTurns(ctx, filter, atOnce)
    : await selection(ctx, filter).select(sums()).executeTakeFirstOrThrow()
  return {
    count,
    base: eurosFromCents(base),
    tax: eurosFromCents(tax),
    total: eurosFromCents(total),
    due: eurosFromCents(due),
  }
}
