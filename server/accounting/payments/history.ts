/**
 * Payments of an earlier program, which under cash accounting make tax due: they settle their document, and are neither
 * booked nor announced, because the balances that a move brings contain them.
 */
import type { HistoryPayment } from '../../domain/history.ts'
import type { Ctx } from '../../context.ts'
import { settleInvoice } from '../../sales/invoices/index.ts'
import { settleReceived } from '../../purchases/invoices/index.ts'
import { deletePayment, findPaymentRow, insertPayment, allocationsOf } from './rows.ts'

/** Codes of the VAT books. */
const METHODS = { '01': 'transfer', '02': 'cheque', '05': 'direct_debit' } as const

interface PaidDocument extends HistoryPayment {
  type: 'invoice' | 'received'
  rowId: number
}

async function settle(
  tx: Ctx,
  { type, rowId, cents }: Pick<PaidDocument, 'type' | 'rowId' | 'cents'>,
  payment: { id: number; date: string },
  times: 1 | -1,
): Promise<void> {
  if (type === 'invoice') await settleInvoice(tx, rowId, times * cents, payment)
  else await settleReceived(tx, rowId, times * cents, payment)
}

/** Records a payment in the transaction of the move; returns its row. */
export async function recordHistoryPayment(tx: Ctx, paid: PaidDocument): Promise<number> {
  const { type, rowId, date, cents, method } = paid
  const comesIn = (type === 'invoice') === cents > 0
  const id = await insertPayment(tx, {
    publicId: tx.newId('pay'),
    kind: 'payment',
    direction: comesIn ? 'in' : 'out',
    date,
    amountCents: Math.abs(cents),
    advanceCents: 0,
    exchangeCents: 0,
    writtenOffCents: 0,
    feeCents: 0,
    method: METHODS[method as keyof typeof METHODS] ?? 'other',
    account: '572',
    reference: null,
    contactId: null,
    bankTransactionId: null,
    remittanceId: null,
    allocations: [{ kind: type, rowId, cents, instalment: 0 }],
  })
  await settle(tx, paid, { id, date }, 1)
  return id
}

/** Removes a payment that a move recorded. Does nothing if it is gone. */
export async function removeHistoryPayment(tx: Ctx, rowId: number): Promise<void> {
  const row = await findPaymentRow(tx, rowId)
  if (!row) return
  for (const { invoiceId, receivedId, cents } of await allocationsOf(tx, rowId)) {
    const paid = { type: invoiceId === undefined ? ('received' as const) : ('invoice' as const), cents }
    await settle(tx, { ...paid, rowId: invoiceId ?? receivedId ?? 0 }, { id: row.id, date: row.date }, -1)
  }
  await deletePayment(tx, rowId)
}
