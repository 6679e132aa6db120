/** Reads payments: pages by cursor, single payments, and the payments of an invoice. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import type {
  getPaymentContract,
  invoicePaymentsContract,
  listPaymentsContract,
  receivedPaymentsContract,
  windowPaymentsContract,
} from './contract.ts'
import { eurosFromCents } from '../../domain/money.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { cursorPage, inOrder } from '../../db/ordered-rows.ts'
import type { RowOrder } from '../../db/ordered-rows.ts'
import { findContact } from '../../catalog/contacts/index.ts'
import { resolveInvoice } from '../../sales/invoices/index.ts'
import { resolveReceived } from '../../purchases/invoices/index.ts'
import { paymentRowId } from './targets.ts'
import { paymentViews } from './view.ts'

const DEFAULT_LIMIT = 50

type Filter = Omit<ContractInput<typeof listPaymentsContract>, 'limit' | 'cursor' | 'totals'>

async function matching(ctx: Ctx, filter: Filter) {
  let query = ctx.db.selectFrom('payments').where('payments.book_id', '=', ctx.book.id)
  const { direction, kind, method, from, to, contactId, onAccount } = filter
  if (direction !== undefined) query = query.where('payments.direction', '=', direction)
  if (kind !== undefined) query = query.where('payments.kind', '=', kind)
  if (method !== undefined) query = query.where('payments.method', '=', method)
  if (from !== undefined) query = query.where('payments.date', '>=', from)
  if (to !== undefined) query = query.where('payments.date', '<=', to)
  if (contactId !== undefined)
    query = query.where('payments.contact_id', '=', (await findContact(ctx, contactId))?.id ?? -1)
  if (onAccount)
    query = query.where(
      sql<SqlBool>`payments.advance_cents > (select coalesce(sum(cents), 0) from payment_allocations where advance_id = payments.id)`,
    )
  return query
}

async function sumsOf(selection: Awaited<ReturnType<typeof matching>>) {
  const sums = await selection
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(case when payments.direction = 'in' then amount_cents else 0 end), 0)`.as(
        'in',
      ),
      sql<number>`coalesce(sum(case when payments.direction = 'out' then amount_cents else 0 end), 0)`.as(
        'out',
      ),
    ])
    .executeTakeFirstOrThrow()
  return { count: sums.count, in: eurosFromCents(sums.in), out: eurosFromCents(sums.out) }
}

const NEWEST_FIRST: RowOrder<{ id: number; date: string }> = {
  columns: ['payments.date', 'payments.id'],
  descending: true,
  position: ({ date, id }) => [date, id],
}

/** Returns a page of payments, newest first. */
export const listPayments: UseCase<typeof listPaymentsContract> = async (
  ctx,
  { limit = DEFAULT_LIMIT, cursor, totals, ...filter },
) => {
  const selection = await matching(ctx, filter)
  const { rows, nextCursor } = await cursorPage(
    selection.select(['payments.id', 'payments.date']),
    NEWEST_FIRST,
    { list: 'payments', bound: filter, cursor, limit },
  )
  const sums = totals ? await sumsOf(selection) : null
  return {
    items: await paymentViews(
      ctx,
      rows.map((row) => row.id),
    ),
    nextCursor,
    ...(sums ? { totals: sums } : {}),
  }
}

/** Returns a range of the list by position, for the window's scroll bar. */
export const windowPayments: UseCase<typeof windowPaymentsContract> = async (
  ctx,
  { offset = 0, limit = 200, ...filter },
) => {
  const selection = await matching(ctx, filter)
  const rows = await inOrder(selection.select('payments.id'), NEWEST_FIRST)
    .limit(limit)
    .offset(offset)
    .execute()
  const sums = await sumsOf(selection)
  return {
    items: await paymentViews(
      ctx,
      rows.map((row) => row.id),
    ),
    ...sums,
  }
}

/** Returns one payment. */
export const getPayment: UseCase<typeof getPaymentContract> = async (ctx, { id }) =>
  orNotFound((await paymentViews(ctx, [await paymentRowId(ctx, id)]))[0])

async function paymentsAt(ctx: Ctx, column: 'invoice_id' | 'received_id', rowId: number) {
  const rows = await ctx.db
    .selectFrom('payment_allocations')
    .innerJoin('payments', 'payments.id', 'payment_allocations.payment_id')
    .select('payments.id')
    .where(`payment_allocations.${column}`, '=', rowId)
    .orderBy('payments.date')
    .orderBy('payments.id')
    .execute()
  // A payment of several instalments has an allocation for each.
  return paymentViews(ctx, [...new Set(rows.map((row) => row.id))])
}

/** Returns the payments of an issued invoice, oldest first. */
export const invoicePayments: UseCase<typeof invoicePaymentsContract> = async (ctx, { id }) => {
  const row = await resolveInvoice(ctx, id)
  return {
    items: await paymentsAt(ctx, 'invoice_id', row.id),
    amountDue: eurosFromCents(row.cancelled_at === null ? row.due_cents : 0),
  }
}

/** Returns the payments of a received invoice, oldest first. */
export const receivedPayments: UseCase<typeof receivedPaymentsContract> = async (ctx, { id }) => {
  const row = await resolveReceived(ctx, id)
  return {
    items: await paymentsAt(ctx, 'received_id', row.id),
    amountDue: eurosFromCents(row.state === 'void' ? 0 : row.payable_cents - row.paid_cents),
  }
}
