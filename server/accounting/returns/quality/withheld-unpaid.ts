/**
 * Counts received invoices with withholding that were not paid within their period: the duty to declare the amount
 * withheld arises with the payment (RIRPF art. 78.1; RIS art. 65), but the totals count it by the date of the
 * document.
 */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { Ctx } from '../../../context.ts'
import type { ModelNumber } from '../contract.ts'
import type { ReturnPeriod } from '../calendar/periods.ts'

const REASONS: Partial<Record<ModelNumber, 'professional' | 'rent'>> = {
  '111': 'professional',
  '190': 'professional',
  '115': 'rent',
  '180': 'rent',
}

/** Returns the number of documents of a return's period with withholding that were not fully paid by its last day. */
export async function withheldUnpaid(ctx: Ctx, model: ModelNumber, period: ReturnPeriod): Promise<number> {
  const reason = REASONS[model]
  if (reason === undefined) return 0
  const { from, to } = period
  const { count } = await ctx.db
    .selectFrom('received_invoices')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('book_id', '=', ctx.book.id)
    .where('state', '=', 'entered')
    .where('withholding_reason', '=', reason)
    .where('withholding_cents', '<>', 0)
    // An operation is never after its invoice, except for advances: the index limits what is read.
    .where('issue_date', '>=', from)
    .where(sql<SqlBool>`coalesce(operation_date, issue_date) between ${from} and ${to}`)
    .where(
      sql<SqlBool>`(select coalesce(sum(payment_allocations.cents), 0) from payment_allocations
        join payments on payments.id = payment_allocations.payment_id
        where payment_allocations.received_id = received_invoices.id and payments.date <= ${to}) < payable_cents`,
    )
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Returns the number of received invoices of a period whose withholding is neither for professionals nor for rent: no
 * return in Sello declares it.
 */
export async function withheldForOther(
  ctx: Ctx,
  { from, to }: Pick<ReturnPeriod, 'from' | 'to'>,
): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('received_invoices')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('book_id', '=', ctx.book.id)
    .where('state', '=', 'entered')
    .where('withholding_reason', '=', 'other')
    .where('withholding_cents', '<>', 0)
    .where('issue_date', '>=', from)
    .where(sql<SqlBool>`coalesce(operation_date, issue_date) between ${from} and ${to}`)
    .executeTakeFirstOrThrow()
  return count
}
