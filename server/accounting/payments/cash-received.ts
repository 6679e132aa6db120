/** What customers paid in cash in a year, for the lists of third parties. */
import { sql } from 'kysely'
import type { Ctx } from '../../context.ts'
import type { Cents } from '../../domain/money.ts'

interface CashParty {
  nif: string
  name: string
  cents: Cents
}

/** Returns the customers with a tax number whose payments in cash of a year exceed an amount, the largest first. */
export async function cashReceived(ctx: Ctx, year: number, aboveCents: Cents): Promise<CashParty[]> {
  const sum = sql<number>`sum(payment_allocations.cents)`
  const rows = await ctx.db
    .selectFrom('payments')
    .innerJoin('payment_allocations', 'payment_allocations.payment_id', 'payments.id')
    .innerJoin('invoices', 'invoices.id', 'payment_allocations.invoice_id')
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .select(['parties.nif', sql<string>`max(parties.name)`.as('name'), sum.as('cents')])
    .where('payments.book_id', '=', ctx.book.id)
    .where('payments.method', '=', 'cash')
    .where('payments.direction', '=', 'in')
    .where('payments.date', '>=', `${year}-01-01`)
    .where('payments.date', '<=', `${year}-12-31`)
    .where('parties.nif', 'is not', null)
    .groupBy('parties.nif')
    .having(sum, '>', aboveCents)
    .orderBy('cents', 'desc')
    .execute()
  return rows.flatMap(({ nif, name, cents }) => (nif === null ? [] : [{ nif, name, cents: Number(cents) }]))
}
