/** What is owed and what waits: the figures of the list that pages and reminders build on. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { BusinessDate } from '../core/dates.ts'
import { daysBetween } from '../core/dates.ts'
import type { Ctx } from '../ctx.ts'
import type { InvoiceSummary } from './contract.ts'
import { summaryView } from './view.ts'

export interface Owed {
  amountCents: number
  invoices: number
}

const stillDue = sql<number>`coalesce(sum(due_cents), 0)`

/** What customers owe. */
export async function owedFigures(ctx: Ctx): Promise<Owed> {
  const row = await ctx.db
    .selectFrom('invoices')
    .select((eb) => [stillDue.as('amount'), eb.fn.countAll<number>().as('invoices')])
    .where('book_id', '=', ctx.book.id)
    .where(sql<SqlBool>`is_owed = 1`)
    .executeTakeFirstOrThrow()
  return { amountCents: row.amount, invoices: row.invoices }
}

/** What is past its due date, and since when the oldest. */
export async function overdueFigures(ctx: Ctx): Promise<Owed & { oldestDays: number | null }> {
  const today = ctx.today()
  const row = await ctx.db
    .selectFrom('invoices')
    .select((eb) => [
      stillDue.as('amount'),
      eb.fn.countAll<number>().as('invoices'),
      eb.fn.min('due_date').as('oldest'),
    ])
    .where('book_id', '=', ctx.book.id)
    .where(sql<SqlBool>`is_owed = 1`)
    .where('due_date', '<', today)
    .executeTakeFirstOrThrow()
  return {
    amountCents: row.amount,
    invoices: row.invoices,
    oldestDays: row.oldest ? daysBetween(row.oldest, today) : null,
  }
}

/** Invoices to collect, the longest due first. */
export async function oldestOwed(ctx: Ctx, limit: number): Promise<InvoiceSummary[]> {
  const today = ctx.today()
  const rows = await ctx.db
    .selectFrom('invoices')
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .leftJoin('series', 'series.id', 'invoices.series_id')
    .selectAll('invoices')
    .select(['parties.name as client_name', 'parties.nif as client_nif', 'series.code as series_code'])
    .where('invoices.book_id', '=', ctx.book.id)
    .where(sql<SqlBool>`invoices.is_owed = 1`)
    .orderBy(sql`invoices.due_date is null`)
    .orderBy('invoices.due_date')
    .orderBy('invoices.id')
    .limit(limit)
    .execute()
  return rows.map((row) => summaryView(ctx, row, today))
}

/** Drafts in the book, or those made in a stretch of days. */
export async function countDrafts(
  ctx: Ctx,
  period?: { from: BusinessDate; to: BusinessDate },
): Promise<number> {
  let query = ctx.db
    .selectFrom('invoices')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('book_id', '=', ctx.book.id)
    .where(sql<SqlBool>`registry_status = 'not_issued' and registry_status <> 'accepted'`)
  if (period) query = query.where('list_date', '>=', period.from).where('list_date', '<=', period.to)
  return (await query.executeTakeFirstOrThrow()).count
}
