/**
 * Counts the full invoices (F3) that replace tickets of another program. The amounts those declared are unknown here,
 * so the sale counts again, and the return warns about it.
 */
import { sql } from 'kysely'
import { unindexed } from '../../../db/engine-sql.ts'
import type { Ctx } from '../../../context.ts'
import type { FiscalWarning, ModelNumber } from '../contract.ts'
import type { ReturnPeriod } from '../calendar/periods.ts'

const CONCERNED: readonly ModelNumber[] = ['303', '390', '420', '425', '130']

/** Returns the warning of a return that contains such invoices; the instalment accumulates from January. */
export async function replacedElsewhere(
  ctx: Ctx,
  model: ModelNumber,
  { year, from, to }: ReturnPeriod,
): Promise<FiscalWarning[]> {
  if (!CONCERNED.includes(model)) return []
  const first = model === '130' ? `${year}-01-01` : from
  // The index holds only references to invoices of other programs, which are few; by date, every invoice of the year
  // would be read.
  const { rows } = await sql<{ count: number }>`select count(*) as count from invoices
    where invoices.id in (select invoice_id from invoice_references where target_id is null and role = 'substitutes')
      and ${unindexed(sql.ref('book_id'))} = ${ctx.book.id} and ${unindexed(sql.ref('list_date'))} between ${first} and ${to}
      and kind = 'F3' and state = 'issued' and cancelled_at is null`.execute(ctx.db)
  const count = rows[0]?.count ?? 0
  if (count === 0) return []
  return [
    {
      code: 'replaced_elsewhere',
      severity: 'warning',
      count,
      message:
        'Full invoices stand for tickets of another program: if those were declared, take the sale off here.',
    },
  ]
}
