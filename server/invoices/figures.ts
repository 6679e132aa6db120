/** Figures that others build on: what is owed, what each month brought, and the tax totals of a period. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { BusinessDate } from '../core/dates.ts'
import { daysBetween } from '../core/dates.ts'
import type { TaxTreatment } from '../core/totals.ts'
import type { Ctx } from '../ctx.ts'
import type { InvoiceSummary } from './contract.ts'
import { summaryView } from './view.ts'

export interface Owed {
  amountCents: number
  invoices: number
}

const stillDue = sql<number>`coalesce(sum(total_cents - withholding_cents - paid_cents), 0)`

/** What customers owe. */
export async function owedFigures(ctx: Ctx): Promise<Owed> {
  const row = await ctx.db
    .selectFrom('invoices')
    .select((eb) => [stillDue.as('amount'), eb.fn.countAll<number>().as('invoices')])
    .where('book_id', '=', ctx.book.id)
    .where(sql<SqlBool>`is_owed = 1`)
    .executeTakeFirstOrThrow()
  return { amountCents: row.amount, invoices: row.invoices }
}

/** What is past its due date, and since when the oldest. */
export async function overdueFigures(ctx: Ctx): Promise<Owed & { oldestDays: number | null }> {
  const today = ctx.today()
  const row = await ctx.db
    .selectFrom('invoices')
    .select((eb) => [
      stillDue.as('amount'),
      eb.fn.countAll<number>().as('invoices'),
      eb.fn.min('due_date').as('oldest'),
    ])
    .where('book_id', '=', ctx.book.id)
    .where(sql<SqlBool>`is_owed = 1`)
    .where('due_date', '<', today)
    .executeTakeFirstOrThrow()
  return {
    amountCents: row.amount,
    invoices: row.invoices,
    oldestDays: row.oldest ? daysBetween(row.oldest, today) : null,
  }
}

/** Invoices to collect, the longest due first. */
export async function oldestOwed(ctx: Ctx, limit: number): Promise<InvoiceSummary[]> {
  const today = ctx.today()
  const rows = await ctx.db
    .selectFrom('invoices')
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .leftJoin('series', 'series.id', 'invoices.series_id')
    .selectAll('invoices')
    .select(['parties.name as client_name', 'parties.nif as client_nif', 'series.code as series_code'])
    .where('invoices.book_id', '=', ctx.book.id)
    .where(sql<SqlBool>`invoices.is_owed = 1`)
    .orderBy(sql`invoices.due_date is null`)
    .orderBy('invoices.due_date')
    .orderBy('invoices.id')
    .limit(limit)
    .execute()
  return rows.map((row) => summaryView(ctx, row, today))
}

export interface MonthFigures {
  month: string
  invoices: number
  baseCents: number
  totalCents: number
  withholdingCents: number
}

/** Issued totals of the months from `from` to `to` (`YYYY-MM`), only those with invoices. */
export async function monthFigures(ctx: Ctx, from: string, to: string): Promise<MonthFigures[]> {
  const rows = await ctx.db
    .selectFrom('month_totals')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('month', '>=', from)
    .where('month', '<=', to)
    // A month whose invoices were all annulled keeps a row of zeros.
    .where('invoices', '>', 0)
    .orderBy('month')
    .execute()
  return rows.map((row) => ({
    month: row.month,
    invoices: row.invoices,
    baseCents: row.base_cents,
    totalCents: row.total_cents,
    withholdingCents: row.withholding_cents,
  }))
}

export interface PeriodTax {
  taxTreatment: TaxTreatment
  vatRateBp: number | null
  surchargeBp: number | null
  baseCents: number
  taxCents: number
  surchargeCents: number
}

/** Tax totals of whole months, by treatment and rate, from the month figures. */
export async function monthTaxes(ctx: Ctx, from: string, to: string): Promise<PeriodTax[]> {
  const rows = await ctx.db
    .selectFrom('month_taxes')
    .select((eb) => [
      'tax_treatment',
      'vat_rate_bp',
      'surcharge_bp',
      eb.fn.sum<number>('base_cents').as('base'),
      eb.fn.sum<number>('tax_cents').as('tax'),
      eb.fn.sum<number>('surcharge_cents').as('surcharge'),
    ])
    .where('book_id', '=', ctx.book.id)
    .where('month', '>=', from)
    .where('month', '<=', to)
    .groupBy(['tax_treatment', 'vat_rate_bp', 'surcharge_bp'])
    .orderBy('tax_treatment')
    .orderBy('vat_rate_bp', 'desc')
    .execute()
  // What was annulled leaves a row of zeros behind, which is nothing to tell.
  const told = rows.filter((row) => row.base !== 0 || row.tax !== 0 || row.surcharge !== 0)
  return told.map((row) => ({
    taxTreatment: row.tax_treatment,
    vatRateBp: row.vat_rate_bp === -1 ? null : row.vat_rate_bp,
    surchargeBp: row.surcharge_bp === -1 ? null : row.surcharge_bp,
    baseCents: row.base,
    taxCents: row.tax,
    surchargeCents: row.surcharge,
  }))
}

/** Drafts in the book, or those made in a stretch of days. */
export async function countDrafts(
  ctx: Ctx,
  period?: { from: BusinessDate; to: BusinessDate },
): Promise<number> {
  let query = ctx.db
    .selectFrom('invoices')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('book_id', '=', ctx.book.id)
    .where(sql<SqlBool>`registry_status = 'not_issued' and registry_status <> 'accepted'`)
  if (period) query = query.where('list_date', '>=', period.from).where('list_date', '<=', period.to)
  return (await query.executeTakeFirstOrThrow()).count
}

export interface ClientTotal {
  name: string
  nif: string | null
  baseCents: number
  totalCents: number
}

/** Issued totals by customer in a stretch of days, largest first, without what was annulled. A customer is a NIF, or a name when there is none. */
export async function clientTotals(
  ctx: Ctx,
  from: BusinessDate,
  to: BusinessDate,
  options: { limit?: number; aboveCents?: number } = {},
): Promise<ClientTotal[]> {
  let query = ctx.db
    .selectFrom('invoices')
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .select((eb) => [
      eb.fn.max('parties.name').as('name'),
      eb.fn.max('parties.nif').as('nif'),
      eb.fn.sum<number>('invoices.base_cents').as('base'),
      eb.fn.sum<number>(sql<number>`invoices.base_cents + invoices.tax_cents`).as('total'),
    ])
    .where('invoices.book_id', '=', ctx.book.id)
    .where('invoices.state', '=', 'issued')
    .where('invoices.cancelled_at', 'is', null)
    .where('invoices.list_date', '>=', from)
    .where('invoices.list_date', '<=', to)
    .groupBy(sql`coalesce(parties.nif, parties.search)`)
    .orderBy('base', 'desc')
  const { aboveCents, limit } = options
  if (aboveCents !== undefined)
    query = query.having(sql<SqlBool>`sum(invoices.base_cents + invoices.tax_cents) > ${aboveCents}`)
  if (limit !== undefined) query = query.limit(limit)
  const rows = await query.execute()
  return rows.map((row) => ({ name: row.name, nif: row.nif, baseCents: row.base, totalCents: row.total }))
}

/** Issued invoices of a stretch of days by the state of their registration, and those without a customer's NIF. */
export async function periodQuality(
  ctx: Ctx,
  from: BusinessDate,
  to: BusinessDate,
): Promise<{ rejected: number; pending: number; missingNif: number }> {
  const row = await ctx.db
    .selectFrom('invoices')
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .select([
      sql<number>`coalesce(sum(invoices.registry_status = 'rejected'), 0)`.as('rejected'),
      sql<number>`coalesce(sum(invoices.registry_status in ('pending', 'sending', 'unknown')), 0)`.as(
        'pending',
      ),
      sql<number>`coalesce(sum(parties.nif is null and invoices.kind = 'F1' and invoices.cancelled_at is null), 0)`.as(
        'missing',
      ),
    ])
    .where('invoices.book_id', '=', ctx.book.id)
    .where('invoices.state', '=', 'issued')
    .where('invoices.list_date', '>=', from)
    .where('invoices.list_date', '<=', to)
    .executeTakeFirstOrThrow()
  return { rejected: row.rejected, pending: row.pending, missingNif: row.missing }
}
