/** Effects of payments on a received invoice; the payments themselves belong to another slice. */
import type { BusinessDate } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Cents } from '../../domain/money.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { settleCash } from './post.ts'
import { contentOfReceived, findReceived, findReceivedByRow, writePaid } from './rows.ts'
import type { ReceivedRow } from './rows.ts'

/** Returns a received invoice of the book by identifier or reception number. Throws `not_found`. */
export async function resolveReceived(ctx: Ctx, idOrNumber: string): Promise<ReceivedRow> {
  return orNotFound(await findReceived(ctx, idOrNumber))
}

/**
 * Adds to the paid amount of a received invoice, in euro cents; a negative amount reverses. Runs in the payment's
 * transaction.
 */
export async function settleReceived(
  ctx: Ctx,
  receivedRowId: number,
  cents: Cents,
  payment: { id: number; date: BusinessDate },
): Promise<void> {
  if (!ctx.inTransaction) throw new Error('A payment settles in its own transaction.')
  const row = orNotFound(await findReceivedByRow(ctx, receivedRowId))
  if (row.state === 'void') throw new AppError('received_void', { details: { id: row.public_id } })
  const paidCents = row.paid_cents + cents
  await writePaid(ctx, row, paidCents)
  if (row.cash_accounting === 1) {
    const content = await contentOfReceived(ctx.db, row)
    await settleCash(ctx, { rowId: row.id, content, files: row.files }, { ...payment, cents, paidCents })
  }
  await emitEvent(ctx, 'received.changed', { receivedId: row.public_id })
}
