/** Proof that the figures are those of the invoices in force: what is owed, what each month brought, who is annulled. */
import { sql } from 'kysely'
import type { Ctx } from '../ctx.ts'

const MAX_FAULTS = 20

/** Invoices that say of themselves what their amounts or their records do not. Each in one statement: one moment. */
async function statusFaults(ctx: Ctx): Promise<string[]> {
  const owed = await sql<{ number: string }>`
    select number from invoices
    where book_id = ${ctx.book.id} and state = 'issued' and is_owed <>
      (case when cancelled_at is null and total_cents - withholding_cents - paid_cents > 0 then 1 else 0 end)
    order by id limit ${MAX_FAULTS}`.execute(ctx.db)
  const annulled = await sql<{ number: string }>`
    select number from invoices
    where book_id = ${ctx.book.id} and state = 'issued' and
      (case when cancelled_at is null then 'registration' else 'cancellation' end) <>
      coalesce((select registry_records.kind from registry_records
        where registry_records.invoice_id = invoices.id order by registry_records.id desc limit 1), '')
    order by id limit ${MAX_FAULTS}`.execute(ctx.db)
  return [
    ...owed.rows.map(({ number }) => `${number}: what is owed of it is not what is unpaid.`),
    ...annulled.rows.map(({ number }) => `${number}: its last record does not say whether it is annulled.`),
  ]
}

/** Months whose figures are not the sum of their invoices in force. */
async function monthFaults(ctx: Ctx): Promise<string[]> {
  const totals = await sql<{ month: string }>`
    select month from (
      select month, invoices, base_cents, total_cents, withholding_cents from month_totals
        where book_id = ${ctx.book.id}
      union all
      select substr(coalesce(operation_date, issue_date), 1, 7), -1, -base_cents, -total_cents, -withholding_cents
        from invoices where book_id = ${ctx.book.id} and state = 'issued' and cancelled_at is null
    ) as entries
    group by month
    having sum(invoices) <> 0 or sum(base_cents) <> 0 or sum(total_cents) <> 0 or sum(withholding_cents) <> 0
    order by month limit ${MAX_FAULTS}`.execute(ctx.db)
  const taxes = await sql<{ month: string; treatment: string }>`
    select month, treatment from (
      select month, tax_treatment as treatment, vat_rate_bp as rate, surcharge_bp as surcharge_rate,
        base_cents as base, tax_cents as tax, surcharge_cents as surcharge
        from month_taxes where book_id = ${ctx.book.id}
      union all
      select substr(coalesce(invoices.operation_date, invoices.issue_date), 1, 7), invoice_taxes.tax_treatment,
        coalesce(invoice_taxes.vat_rate_bp, -1), coalesce(invoice_taxes.surcharge_bp, -1),
        -invoice_taxes.base_cents, -invoice_taxes.tax_cents, -invoice_taxes.surcharge_cents
        from invoices join invoice_taxes on invoice_taxes.invoice_id = invoices.id
        where invoices.book_id = ${ctx.book.id} and invoices.state = 'issued' and invoices.cancelled_at is null
    ) as entries
    group by month, treatment, rate, surcharge_rate
    having sum(base) <> 0 or sum(tax) <> 0 or sum(surcharge) <> 0
    order by month limit ${MAX_FAULTS}`.execute(ctx.db)
  return [
    ...totals.rows.map(({ month }) => `${month}: its figures are not the sum of its invoices.`),
    ...taxes.rows.map(
      ({ month, treatment }) => `${month}: its tax with ${treatment} is not that of its invoices.`,
    ),
  ]
}

/** What the figures of the book say that its invoices do not. */
export async function figureFaults(ctx: Ctx): Promise<string[]> {
  return [...(await statusFaults(ctx)), ...(await monthFaults(ctx))]
}
