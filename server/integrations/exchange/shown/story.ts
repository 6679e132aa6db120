/** What the exchange knows of one invoice, for the journey of that invoice. */
import type { Ctx } from '../../../context.ts'
import { factsOf, reportsOf } from '../state/rows.ts'
import type { DocumentRow, FactRow, ReportRow } from '../state/rows.ts'

/** One followed document with its facts and what this side said, each oldest first. */
export interface ExchangeStory {
  document: Pick<
    DocumentRow,
    'public_id' | 'state' | 'why' | 'number' | 'csv' | 'sent_at' | 'next_at' | 'changed_at'
  >
  facts: FactRow[]
  reports: ReportRow[]
}

/**
 * Returns the followed documents of an issued or received invoice by its row, oldest first: more than one if it was
 * withdrawn and sent again. Empty if it is not followed.
 */
export async function exchangeStories(
  ctx: Ctx,
  of: { invoiceRow: number } | { receivedRow: number },
): Promise<ExchangeStory[]> {
  const query = ctx.db
    .selectFrom('exchange_documents')
    .select(['id', 'public_id', 'state', 'why', 'number', 'csv', 'sent_at', 'next_at', 'changed_at'])
    .where('book_id', '=', ctx.book.id)
    .orderBy('id')
  const documents = await (
    'invoiceRow' in of
      ? query.where('invoice_id', '=', of.invoiceRow)
      : query.where('received_id', '=', of.receivedRow)
  ).execute()
  const stories: ExchangeStory[] = []
  for (const { id, ...document } of documents)
    stories.push({ document, facts: await factsOf(ctx, id), reports: await reportsOf(ctx, id) })
  return stories
}
