/** The days by which something is to be reported of an invoice (see `RelatedRecords` of context.ts). Imports no schema: it is loaded at start. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { AnswerDue, Ctx } from '../../../context.ts'

/** More than any calendar shows. */
const MOST = 1_000

/** Returns the reports that have not been admitted and whose last day is in a range, the first day first. */
export async function answersDue(
  ctx: Ctx,
  { from, to }: { from: BusinessDate; to: BusinessDate },
): Promise<AnswerDue[]> {
  const rows = await ctx.db
    .selectFrom('exchange_reports')
    .innerJoin('exchange_documents', 'exchange_documents.id', 'exchange_reports.document_id')
    .select([
      'exchange_reports.public_id as id',
      'exchange_reports.kind',
      'exchange_reports.last_day',
      'exchange_documents.number',
      'exchange_documents.partner_name',
      'exchange_documents.partner_nif',
    ])
    .where('exchange_reports.book_id', '=', ctx.book.id)
    .where('exchange_reports.state', 'in', ['to_send', 'unknown'])
    .where('exchange_reports.last_day', '>=', from)
    .where('exchange_reports.last_day', '<=', to)
    .orderBy('exchange_reports.last_day')
    .orderBy('exchange_reports.id')
    .limit(MOST)
    .execute()
  return rows.flatMap(({ id, kind, last_day: lastDay, number, partner_name: name, partner_nif: nif }) =>
    lastDay === null ? [] : [{ id, kind, lastDay, number, partner: name ?? nif }],
  )
}
