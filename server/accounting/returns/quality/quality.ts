/** Quality of a period's totals: what is missing, pending or rejected. Reads only indexes and stored counters. */
import { largest, smallest } from '../../../db/engine-sql.ts'
import { sql } from 'kysely'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Ctx } from '../../../context.ts'
import { monthTotals } from '../../../tax/totals/index.ts'
import type { Months } from '../../../tax/totals/index.ts'
import { foreignVatDeducted } from './foreign-vat.ts'
import { prepare } from '../../../db/query.ts'
import type { FiscalWarning } from '../contract.ts'

interface Quality {
  drafts: number
  rejected: number
  /** Registry records not sent or not answered yet. */
  pending: number
  missingNif: number
  withoutFile: number
  received: number
  /** Received invoices that deduct VAT of a foreign supplier without a Spanish tax number. */
  foreignVat: number
  gaps: string[]
}

const byStatus = prepare(
  (
    db,
    p: {
      bookId: number
      status: 'not_issued' | 'rejected' | 'pending' | 'sending' | 'unknown'
      from: string
      to: string
    },
  ) =>
    db
      .selectFrom('invoices')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('book_id', '=', p.bookId)
      .where('registry_status', '=', p.status)
      // Allows the partial index of records that are not accepted.
      .where(sql<boolean>`registry_status <> 'accepted'`)
      .where('list_date', '>=', p.from)
      .where('list_date', '<=', p.to),
)

/** Newest numbers of each series checked here; the verification of the books checks all. */
const NEWEST = 2000

async function gapsOf(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ code: string; expected: number; found: number }>`
    select code, next_number - lowest - skipped as expected,
      (select count(*) from invoices where series_id = spans.id and sequence >= lowest and sequence < next_number
        and not exists (select 1 from series_gaps where series_gaps.series_id = spans.id
          and invoices.sequence between series_gaps.first and series_gaps.last)) as found
    from (
      select id, code, next_number, lowest,
        coalesce((select sum(${smallest(sql`last`, sql`next_number - 1`)} - ${largest(sql`first`, sql`lowest`)} + 1) from series_gaps
          where series_gaps.series_id = newest.id and last >= lowest), 0) as skipped
      from (
        select id, code, next_number, ${largest(sql`start_number`, sql`next_number - ${NEWEST}`)} as lowest
        from series where book_id = ${ctx.book.id} and kind <> 'quote'
      ) as newest
    ) as spans order by code`.execute(ctx.db)
  return rows
    .filter(({ expected, found }) => expected !== found)
    .map(
      ({ code, expected, found }) =>
        `${code}: ${expected} numbers were given of late, ${found} invoices have one.`,
    )
}

/** Returns the quality of a period of whole months. */
export async function qualityOf(
  ctx: Ctx,
  period: { from: BusinessDate; to: BusinessDate; months: Months },
): Promise<Quality> {
  const { from, to, months } = period
  const count = async (status: 'not_issued' | 'rejected' | 'pending' | 'sending' | 'unknown') =>
    (await byStatus.first(ctx.db, { bookId: ctx.book.id, status, from, to }))?.count ?? 0
  const issued = await monthTotals(ctx, 'issued', months)
  const received = await monthTotals(ctx, 'received', months)
  return {
    drafts: await count('not_issued'),
    rejected: await count('rejected'),
    pending: (await count('pending')) + (await count('sending')) + (await count('unknown')),
    missingNif: issued.reduce((sum, { missingNif }) => sum + missingNif, 0),
    withoutFile: received.reduce((sum, { withoutFile }) => sum + withoutFile, 0),
    received: received.reduce((sum, { documents }) => sum + documents, 0),
    foreignVat: await foreignVatDeducted(ctx, months),
    gaps: await gapsOf(ctx),
  }
}

/** Returns the warnings to check before a return is filed, most severe first. */
export function warningsOf(
  quality: Quality,
  period: { to: BusinessDate },
  today: BusinessDate,
): FiscalWarning[] {
  const warnings: FiscalWarning[] = []
  const add = (
    code: FiscalWarning['code'],
    severity: FiscalWarning['severity'],
    count: number,
    message: string,
  ) => {
    if (count > 0) warnings.push({ code, severity, count, message })
  }
  add('rejected', 'error', quality.rejected, 'Records were refused by the registry.')
  add('numbering_gaps', 'error', quality.gaps.length, 'Numbers are missing in a series.')
  if (today <= period.to)
    warnings.push({ code: 'period_open', severity: 'info', message: 'The period has not ended yet.' })
  add('unregistered', 'warning', quality.pending, 'Records still wait for the registry.')
  add('drafts_left', 'warning', quality.drafts, 'Drafts of the period are not issued and count nowhere.')
  add('missing_nif', 'warning', quality.missingNif, 'Invoices lack the customer’s tax number.')
  add(
    'foreign_vat_deducted',
    'warning',
    quality.foreignVat,
    'Received invoices deduct VAT of a supplier from abroad without a Spanish tax number: another country’s VAT cannot be deducted here.',
  )
  add('without_file', 'warning', quality.withoutFile, 'Received invoices have no file.')
  if (quality.received === 0)
    warnings.push({
      code: 'no_purchases',
      severity: 'info',
      message: 'No received invoices are entered: deductible VAT and expenses are missing.',
    })
  return warnings
}
