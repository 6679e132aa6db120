/** Lists of what customers answered. */
import { cursorPage } from '../../db/ordered-rows.ts'
import type { RowOrder } from '../../db/ordered-rows.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { resolveInvoice } from '../invoices/index.ts'
import type { listRepliesContract, Reply } from './contract.ts'
import { answersOf, pagesOf, shownAnswers } from './rows.ts'
import type { ShownAnswer } from './rows.ts'
import { replyViews } from './view.ts'

const DEFAULT_LIMIT = 50

const NEWEST_FIRST: RowOrder<ShownAnswer> = {
  columns: ['reply_answers.taken_at', 'reply_answers.id'],
  descending: true,
  position: (row) => [row.taken_at, row.id],
}

/** Returns the answers of one invoice, the one said last first. */
export async function repliesOf(ctx: Ctx, invoiceRow: number): Promise<Reply[]> {
  const rows = await answersOf(ctx, [invoiceRow])
  const views = replyViews(rows)
  return rows
    .toSorted((a, b) => b.said_at - a.said_at || b.id - a.id)
    .flatMap(({ id }) => views.get(id) ?? [])
}

export const listReplies: UseCase<typeof listRepliesContract> = async (ctx, input) => {
  const { invoiceId, cursor, limit = DEFAULT_LIMIT } = input
  const invoiceRow = invoiceId === undefined ? null : (await resolveInvoice(ctx, invoiceId)).id
  let query = shownAnswers(ctx)
  if (invoiceRow !== null) query = query.where('reply_answers.invoice_id', '=', invoiceRow)
  const { rows, nextCursor } = await cursorPage(query.$castTo<ShownAnswer>(), NEWEST_FIRST, {
    list: 'replies',
    bound: { invoiceId: invoiceId ?? null },
    cursor,
    limit,
  })
  const views = replyViews(await answersOf(ctx, [...new Set(rows.map((row) => row.invoice_id))]))
  const offered = invoiceRow === null ? [] : await pagesOf(ctx, invoiceRow)
  return {
    items: rows.flatMap(({ id }) => views.get(id) ?? []),
    offered: offered.map((page) => ({
      id: page.public_id,
      language: page.language,
      offeredAt: new Date(page.offered_at).toISOString(),
      offeredBy: page.offered_by,
      supersededAt: page.superseded_at === null ? null : new Date(page.superseded_at).toISOString(),
    })),
    nextCursor,
  }
}
