/**
 * Verifies that the stored totals equal the sums of their entries. Each comparison is one statement, so it sees one
 * moment.
 */
import { sql } from 'kysely'
import type { Ctx } from '../../context.ts'

const MAX_FAULTS = 20

/** Returns the differences between stored totals and their entries or the totals by party. Empty when they agree. */
export async function verifyTaxTotals(ctx: Ctx): Promise<string[]> {
  const months = await sql<{ month: number; treatment: string }>`
    select month, tax_treatment as treatment from (
      select group_id, month, base_cents, tax_cents, surcharge_cents, deductible_cents, income_cents, documents from month_figures
        join figure_groups on figure_groups.id = group_id where book_id = ${ctx.book.id}
      union all
      select group_id, month, -base_cents, -tax_cents, -surcharge_cents, -deductible_cents, -income_cents, -1 from figure_entries
        join figure_groups on figure_groups.id = group_id where book_id = ${ctx.book.id}
    ) as entries join figure_groups on figure_groups.id = entries.group_id
    group by entries.group_id, month, tax_treatment
    having sum(base_cents) <> 0 or sum(tax_cents) <> 0 or sum(surcharge_cents) <> 0 or sum(deductible_cents) <> 0
      or sum(income_cents) <> 0 or sum(documents) <> 0
    order by month limit ${MAX_FAULTS}`.execute(ctx.db)
  const parties = await sql<{ side: string; period: number }>`
    select side, period from (
      select side, month as period, base_cents, total_cents, documents from period_totals where book_id = ${ctx.book.id}
      union all
      select case side when 0 then 'issued' else 'received' end, period, -base_cents, -total_cents, -documents
        from party_figures where book_id = ${ctx.book.id} and period % 100 between 1 and 12
    ) as sums
    group by side, period
    having sum(base_cents) <> 0 or sum(total_cents) <> 0 or sum(documents) <> 0
    order by period limit ${MAX_FAULTS}`.execute(ctx.db)
  const spans = await sql<{ party: string; year: number }>`
    select figure_parties.name as party, year from (
      select party_id, side, period / 100 as year,
        case when period % 100 = 0 then 'year' when period % 100 > 20 then 'quarter' else 'month' end as span,
        sum(base_cents) as base, sum(third_cents) as third
      from party_figures where book_id = ${ctx.book.id} group by party_id, side, period / 100,
          case when period % 100 = 0 then 'year' when period % 100 > 20 then 'quarter' else 'month' end
    ) as spans join figure_parties on figure_parties.id = party_id
    group by party_id, side, year, figure_parties.name
    having min(base) <> max(base) or min(third) <> max(third) or count(*) <> 3
    order by party_id, side, year limit ${MAX_FAULTS}`.execute(ctx.db)
  return [
    ...months.rows.map(
      ({ month, treatment }) => `${month}: its tax with ${treatment} is not that of its entries.`,
    ),
    ...parties.rows.map(({ side, period }) => `${period}: what was ${side} is not the sum of its parties.`),
    ...spans.rows.map(
      ({ party, year }) => `${party}: the months of ${year} are not its quarters and its year.`,
    ),
  ]
}
