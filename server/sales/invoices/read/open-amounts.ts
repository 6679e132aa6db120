/** Open amounts and drafts: the numbers that pages and reminders use. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Ctx } from '../../../context.ts'
import type { InvoiceSummary } from '../contract.ts'
import { summaryView } from './view.ts'

/**
 * Returns the invoices to collect, the longest due first; those without a due date come last. Each part follows the
 * order of its index.
 */
export async function oldestOwed(ctx: Ctx, limit: number): Promise<InvoiceSummary[]> {
  const today = ctx.today()
  const part = (dated: boolean, most: number) =>
    ctx.db
      .selectFrom('invoices')
      .innerJoin('parties', 'parties.id', 'invoices.party_id')
      .leftJoin('series', 'series.id', 'invoices.series_id')
      .selectAll('invoices')
      .select(['parties.name as client_name', 'parties.nif as client_nif', 'series.code as series_code'])
      .where('invoices.book_id', '=', ctx.book.id)
      .where(sql<SqlBool>`invoices.is_owed = 1`)
      .where('invoices.due_date', dated ? 'is not' : 'is', null)
      .orderBy('invoices.due_date')
      .orderBy('invoices.id')
      .limit(most)
      .execute()
  const dated = await part(true, limit)
  const undated = dated.length < limit ? await part(false, limit - dated.length) : []
  return [...dated, ...undated].map((row) => summaryView(ctx, row, today))
}

/** Counts the drafts of the book, or those made within some days. */
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
