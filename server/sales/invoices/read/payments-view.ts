/** Payments of an invoice in its answer. */
import { eurosFromCents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import type { Invoice } from '../contract.ts'

const paymentsQuery = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('payment_allocations')
    .innerJoin('payments', 'payments.id', 'payment_allocations.payment_id')
    .select((eb) => [
      'payments.public_id',
      'payments.date',
      'payments.method',
      'payments.reference',
      // Several instalments of one payment are one payment of the invoice.
      eb.fn.sum<number>('payment_allocations.cents').as('cents'),
    ])
    .where('payment_allocations.invoice_id', '=', p.invoiceId)
    .where('payments.kind', '<>', 'write_off')
    .groupBy(['payments.id', 'payments.public_id', 'payments.date', 'payments.method', 'payments.reference'])
    .orderBy('payments.date')
    .orderBy('payments.id'),
)

/** Returns the payments of an invoice, in euros; set-offs count as `other`, uncollectible amounts are not paid. */
export async function paymentsOf(ctx: Ctx, invoiceId: number): Promise<Invoice['payments']> {
  const rows = await paymentsQuery.all(ctx.db, { invoiceId })
  return rows.map((row) => ({
    id: row.public_id,
    date: row.date,
    amount: eurosFromCents(row.cents),
    method: row.method ?? 'other',
    reference: row.reference ?? undefined,
  }))
}
