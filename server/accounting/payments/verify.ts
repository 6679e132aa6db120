/** Verifies payments: sums of allocations, balance of each payment, and advances. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Ctx } from '../../context.ts'

interface PaymentsCheck {
  ok: boolean
  checked: number
  faults: string[]
}

const SHOWN = 20

/**
 * Checks that the paid amount of every invoice, issued or received, is the sum of its allocations and at most its
 * total; that its instalments add up to it, whole and open, and each is paid by its own allocations; that the money of every payment equals what it settles; and that no advance is used beyond its amount.
 */
export async function verifyPayments(ctx: Ctx): Promise<PaymentsCheck> {
  const book = ctx.book.id
  const faults: string[] = []
  const report = async (what: string, compared: RawBuilder<unknown>, differ = sql`said <> found`) => {
    const { rows } = await sql<{ id: string; said: number; found: number }>`
      select id, said, found from (${compared}) as compared where ${differ} order by id limit ${SHOWN}`.execute(
      ctx.db,
    )
    for (const row of rows) faults.push(`${what} ${row.id}: ${row.said} is said, ${row.found} is found.`)
  }
  await report(
    'Paid of invoice',
    sql`select i.public_id as id, i.paid_cents as said, coalesce(sum(a.cents), 0) as found from invoices i
      left join (select x.invoice_id, x.cents from payment_allocations x join payments p on p.id = x.payment_id
        where p.kind <> 'write_off') a on a.invoice_id = i.id
      where i.book_id = ${book} group by i.id`,
  )
  await report(
    'Paid of received invoice',
    sql`select r.public_id as id, r.paid_cents as said, coalesce(sum(a.cents), 0) as found from received_invoices r
      left join payment_allocations a on a.received_id = r.id
      where r.book_id = ${book} group by r.id`,
  )
  await report(
    'More than due of invoice',
    sql`select public_id as id, paid_cents as said, due_cents + paid_cents as found from invoices
      where book_id = ${book} and state <> 'draft' and cancelled_at is null and paid_cents <> 0
      and (abs(paid_cents) > abs(due_cents + paid_cents) or paid_cents * (due_cents + paid_cents) < 0)`,
    sql`1 = 1`,
  )
  await report(
    'Owed of invoice',
    sql`select public_id as id, is_owed as said,
      case when due_cents > 0 and uncollectible_at is null and cancelled_at is null then 1 else 0 end as found
      from invoices where book_id = ${book} and state <> 'draft'`,
  )
  await report(
    'Instalments of invoice',
    sql`select i.public_id as id, i.due_cents + i.paid_cents as said, coalesce(sum(s.cents), 0) as found from invoices i
      left join invoice_instalments s on s.invoice_id = i.id
      where i.book_id = ${book} and i.state <> 'draft' and i.instalments is not null
      group by i.id, i.due_cents, i.paid_cents`,
  )
  await report(
    'Open instalments of invoice',
    sql`select i.public_id as id, i.due_cents as said, coalesce(sum(s.open_cents), 0) as found from invoices i
      left join invoice_instalments s on s.invoice_id = i.id
      where i.book_id = ${book} and i.state <> 'draft' and i.instalments is not null
      group by i.id, i.due_cents`,
  )
  await report(
    'Paid of instalment',
    sql`select i.public_id || ' ' || s.position as id, s.paid_cents as said, coalesce(sum(a.cents), 0) as found
      from invoice_instalments s join invoices i on i.id = s.invoice_id
      left join (select x.invoice_id, x.instalment, x.cents from payment_allocations x
        join payments p on p.id = x.payment_id where p.kind <> 'write_off') a
        on a.invoice_id = s.invoice_id and a.instalment = s.position
      where s.book_id = ${book} group by i.public_id, s.position, s.paid_cents`,
  )
  await report(
    'Money of payment',
    sql`select p.public_id as id, p.amount_cents * (case p.direction when 'in' then 1 else -1 end) as said,
      coalesce((select sum(case when a.invoice_id is not null then a.cents when a.received_id is not null then -a.cents
        when v.direction = 'in' then -a.cents else a.cents end)
        from payment_allocations a left join payments v on v.id = a.advance_id where a.payment_id = p.id), 0)
      + p.advance_cents * (case p.direction when 'in' then 1 else -1 end) + p.exchange_cents - p.fee_cents
      - p.written_off_cents as found
      from payments p where p.book_id = ${book}`,
  )
  await report(
    'Used of advance',
    sql`select p.public_id as id, p.advance_cents as said, sum(a.cents) as found from payments p
      join payment_allocations a on a.advance_id = p.id where p.book_id = ${book}
      group by p.id`,
    sql`found > said`,
  )
  const { count } = await ctx.db
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('book_id', '=', book)
    .executeTakeFirstOrThrow()
  return { ok: faults.length === 0, checked: count, faults }
}
