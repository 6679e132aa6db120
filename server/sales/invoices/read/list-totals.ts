/** What the invoices of a filter add up to: exact at any size, and nobody waits for it. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { selection } from './filter.ts'
import type { ResolvedFilter } from './filter.ts'

/** Invoices that are added up in one go: some ten milliseconds, in which nobody else is answered. */
const AT_ONCE = 10_000

interface Sums {
  count: number
  base: number
  tax: number
  total: number
  due: number
}

/** A sum over the invoices in force: what was annulled is listed and counted, and adds nothing. */
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

/** Rows in the order in which they lie, whatever an index would promise: each is read once. */
async function addUpInTurns(ctx: Ctx, filter: ResolvedFilter, atOnce: number): Promise<Sums> {
  const { last } = await ctx.db
    .selectFrom('invoices')
    .select((eb) => eb.fn.max<number>('id').as('last'))
    .executeTakeFirstOrThrow()
  const conditions = sql.join([sql`invoices.book_id = ${ctx.book.id}`, ...filter.conditions], sql` and `)
  const all: Sums = { count: 0, base: 0, tax: 0, total: 0, due: 0 }
  for (let from = 0; from < last; from += atOnce) {
    const { rows } = await sql<Sums>`
      select ${sql.join(sums())} from invoices not indexed
      where invoices.id > ${from} and invoices.id <= ${from + atOnce} and ${conditions}`.execute(ctx.db)
    for (const row of rows)
      for (const name of ['count', 'base', 'tax', 'total', 'due'] as const) all[name] += row[name]
    await nextTurn()
  }
  return all
}

/** Count and sums of a filter in euros. An invoice that changes meanwhile counts once, as it was or as it is. */
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
