/** Converts payment rows to API output, several at once. */
import { eurosFromCents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import type { Payment } from './contract.ts'

/** Returns payments by row id, in that order, with two queries for all of them. */
export async function paymentViews(ctx: Ctx, ids: readonly number[]): Promise<Payment[]> {
  if (ids.length === 0) return []
  const rows = await ctx.db
    .selectFrom('payments')
    .leftJoin('contacts', 'contacts.id', 'payments.contact_id')
    .leftJoin('remittances', 'remittances.id', 'payments.remittance_id')
    .selectAll('payments')
    .select([
      'contacts.public_id as contact_public_id',
      'contacts.name as contact_name',
      'remittances.public_id as remittance_public_id',
    ])
    .where('payments.book_id', '=', ctx.book.id)
    .where('payments.id', 'in', ids)
    .execute()
  const allocations = await ctx.db
    .selectFrom('payment_allocations')
    .leftJoin('invoices', 'invoices.id', 'payment_allocations.invoice_id')
    .leftJoin('parties', 'parties.id', 'invoices.party_id')
    .leftJoin('received_invoices', 'received_invoices.id', 'payment_allocations.received_id')
    .leftJoin('payments as advances', 'advances.id', 'payment_allocations.advance_id')
    .select([
      'payment_allocations.payment_id',
      'payment_allocations.cents',
      'payment_allocations.instalment',
      'invoices.public_id as invoice_public_id',
      'invoices.number as invoice_number',
      'parties.name as party_name',
      'received_invoices.public_id as received_public_id',
      'received_invoices.supplier_number',
      'received_invoices.supplier_name',
      'advances.public_id as advance_public_id',
    ])
    .where('payment_allocations.payment_id', 'in', ids)
    .orderBy('payment_allocations.payment_id')
    .orderBy('payment_allocations.position')
    .execute()
  const uses = await ctx.db
    .selectFrom('payment_allocations')
    .select((eb) => ['advance_id', eb.fn.sum<number>('cents').as('cents')])
    .where('advance_id', 'in', ids)
    .groupBy('advance_id')
    .execute()
  const used = new Map(uses.map((row) => [row.advance_id, row.cents]))
  const settled = new Map<number, Payment['allocations']>()
  for (const row of allocations) {
    const list = settled.get(row.payment_id) ?? []
    settled.set(row.payment_id, list)
    list.push({
      ...(row.invoice_public_id === null
        ? {}
        : {
            invoice: { id: row.invoice_public_id, number: row.invoice_number, name: row.party_name ?? '' },
          }),
      ...(row.received_public_id === null
        ? {}
        : {
            received: {
              id: row.received_public_id,
              number: row.supplier_number,
              name: row.supplier_name ?? '',
            },
          }),
      ...(row.advance_public_id === null ? {} : { advance: { id: row.advance_public_id } }),
      ...(row.instalment === 0 ? {} : { instalment: row.instalment }),
      amount: eurosFromCents(row.cents),
    })
  }
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    return [
      {
        id: row.public_id,
        kind: row.kind,
        direction: row.direction,
        date: row.date,
        amount: eurosFromCents(row.amount_cents),
        method: row.method,
        account: row.account,
        reference: row.reference,
        contact:
          row.contact_public_id === null ? null : { id: row.contact_public_id, name: row.contact_name ?? '' },
        allocations: settled.get(id) ?? [],
        advance: eurosFromCents(row.advance_cents),
        advanceLeft: eurosFromCents(row.advance_cents - (used.get(id) ?? 0)),
        exchangeDifference: eurosFromCents(row.exchange_cents),
        writtenOff: eurosFromCents(row.written_off_cents),
        fee: eurosFromCents(row.fee_cents),
        onBank: row.bank_transaction_id !== null,
        remittanceId: row.remittance_public_id,
        createdAt: new Date(row.created_at).toISOString(),
      },
    ]
  })
}
