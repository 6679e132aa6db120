/** Verifies that the tax totals match the invoices in force: amounts owed, entries of each invoice, annulments. */
import { sql } from 'kysely'
import type { Ctx } from '../../../context.ts'
import { verifyTaxTotals } from '../../../tax/totals/index.ts'

const MAX_FAULTS = 20

/**
 * Returns the invoices whose state contradicts their amounts or records. Each check is one statement, so that it sees
 * one state of the store.
 */
async function statusFaults(ctx: Ctx): Promise<string[]> {
  const owed = await sql<{ number: string }>`
    select number from invoices
    where book_id = ${ctx.book.id} and state = 'issued' and is_owed <>
      (case when cancelled_at is null and uncollectible_at is null and due_cents > 0 then 1 else 0 end)
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

/**
 * Returns the invoices whose entries in the tax totals differ from their breakdown, in their month of accrual; an
 * annulled one has none. Replaced invoices are reversed in parts of their own.
 */
async function countedFaults(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select invoices.number from (
      select figure_entries.source_id as id, figure_entries.month, figure_groups.tax_treatment as treatment,
        figure_groups.vat_rate_bp as rate, figure_groups.surcharge_bp as surcharge_rate,
        figure_entries.base_cents as base, figure_entries.tax_cents as vat, figure_entries.surcharge_cents as surcharge
      from figure_entries join figure_groups on figure_groups.id = figure_entries.group_id
      where figure_groups.book_id = ${ctx.book.id} and figure_entries.source = 1 and figure_groups.stage <> 'settled'
        and figure_entries.part = 0
      union all
      select invoices.id,
        cast(replace(substr(case when invoices.kind like 'R%' then invoices.issue_date
          else coalesce(invoices.operation_date, invoices.issue_date) end, 1, 7), '-', '') as integer),
        invoice_taxes.tax_treatment, coalesce(invoice_taxes.vat_rate_bp, -1), coalesce(invoice_taxes.surcharge_bp, -1),
        -invoice_taxes.base_cents, -invoice_taxes.tax_cents, -invoice_taxes.surcharge_cents
      from invoices join invoice_taxes on invoice_taxes.invoice_id = invoices.id
      where invoices.book_id = ${ctx.book.id} and invoices.state = 'issued' and invoices.cancelled_at is null
    ) as entries join invoices on invoices.id = entries.id
    group by entries.id, invoices.number, month, treatment, rate, surcharge_rate
    having sum(base) <> 0 or sum(vat) <> 0 or sum(surcharge) <> 0
    order by entries.id limit ${MAX_FAULTS}`.execute(ctx.db)
  return [...new Set(rows.map(({ number }) => `${number}: its figures are not what it says.`))]
}

/** Returns the entries of invoices that do not exist or are not issued. */
async function strayFaults(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ id: number; month: number }>`
    select distinct figure_entries.source_id as id, figure_entries.month as month from figure_entries
      join figure_groups on figure_groups.id = figure_entries.group_id
      left join invoices on invoices.id = figure_entries.source_id
    where figure_groups.book_id = ${ctx.book.id} and figure_entries.source = 1
      and (invoices.id is null or invoices.state <> 'issued' or invoices.book_id <> figure_groups.book_id)
    limit ${MAX_FAULTS}`.execute(ctx.db)
  return rows.map(({ month }) => `${month}: its figures hold an invoice that is none.`)
}

/** Returns the contradictions between the tax totals of the book and its invoices. */
export async function figureFaults(ctx: Ctx): Promise<string[]> {
  return [
    ...(await statusFaults(ctx)),
    ...(await countedFaults(ctx)),
    ...(await strayFaults(ctx)),
    ...(await verifyTaxTotals(ctx)),
  ]
}
