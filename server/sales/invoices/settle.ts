/**
 * Effects of payments on an invoice: the paid amount, and whether it is still owed. The payments themselves belong to
 * another slice.
 */
import type { BusinessDate } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { countCash } from '../../tax/totals/index.ts'
import { prepare } from '../../db/query.ts'
import { settleInstalments } from './instalments.ts'
import type { InstalmentPart } from './instalments.ts'
import { findInvoiceByRow } from './rows.ts'

const setPaid = prepare((db, p: { id: number; paidCents: number; isOwed: number }) =>
  db
    .updateTable('invoices')
    .set({ paid_cents: p.paidCents, is_owed: p.isOwed })
    .where('id', '=', p.id)
    .where('state', '<>', 'draft'),
)

/**
 * Adds to the paid amount of an issued invoice, or one of an earlier program, in euro cents at the invoice's own rate; a negative amount reverses,
 * or pays out a credit. Under cash accounting the VAT of that part accrues with it. Runs in the payment's
 * transaction. Throws for a draft, which owes nothing.
 * @param parts of an invoice in instalments: what of it settles which one.
 */
export async function settleInvoice(
  ctx: Ctx,
  invoiceRowId: number,
  cents: Cents,
  payment: { id: number; date: BusinessDate },
  parts: readonly InstalmentPart[] = [],
): Promise<void> {
  if (!ctx.inTransaction) throw new Error('A payment settles in its own transaction.')
  const row = await findInvoiceByRow(ctx, invoiceRowId)
  if (row === undefined || row.state === 'draft')
    throw new Error(`Invoice ${invoiceRowId} is not issued: nothing of it is owed.`)
  const paidCents = row.paid_cents + cents
  const isLeft = row.cancelled_at === null && row.due_cents - cents > 0
  const isOwed = isLeft && row.uncollectible_at === null ? 1 : 0
  await setPaid.run(ctx.db, { id: row.id, paidCents, isOwed })
  if (row.instalments !== null) await settleInstalments(ctx, row.id, parts)
  const dueCents = row.total_cents - row.withholding_cents - row.replaced_cents
  const { id: paymentId, date } = payment
  const source = { type: 'invoice', id: row.id } as const
  // Has no effect on invoices outside cash accounting.
  await countCash(ctx, { source, paymentId, date, paidCents, dueCents }, cents * dueCents > 0 ? 1 : -1)
  await emitEvent(ctx, 'invoice.changed', { invoiceId: row.public_id })
}

const setUncollectible = prepare((db, p: { id: number; at: number | null; isOwed: number }) =>
  db
    .updateTable('invoices')
    .set({ uncollectible_at: p.at, is_owed: p.isOwed })
    .where('id', '=', p.id)
    .where('state', '<>', 'draft'),
)

/** Marks the rest of an invoice as uncollectible, or reverses that. */
export async function markUncollectible(ctx: Ctx, invoiceRowId: number, given: boolean): Promise<void> {
  const row = await findInvoiceByRow(ctx, invoiceRowId)
  if (row === undefined || row.state === 'draft')
    throw new Error(`Invoice ${invoiceRowId} is not issued: nothing of it is owed.`)
  const isOwed = !given && row.cancelled_at === null && row.due_cents > 0 ? 1 : 0
  await setUncollectible.run(ctx.db, { id: row.id, at: given ? ctx.now().getTime() : null, isOwed })
  await emitEvent(ctx, 'invoice.changed', { invoiceId: row.public_id })
}
