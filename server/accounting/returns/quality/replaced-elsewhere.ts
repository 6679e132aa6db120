/**
 * Counts the full invoices (F3) that stand for tickets of another program: what those declared is not known here, so the sale
 * counts once more, and the return says so.
 */
import { sql } from 'kysely'
import type { Ctx } from '../../../context.ts'
import type { FiscalWarning, ModelNumber } from '../contract.ts'
import type { ReturnPeriod } from '../calendar/periods.ts'

const CONCERNED: readonly ModelNumber[] = ['303', '390', '130']

/** The warning of a return that counts such invoices; the instalment accumulates from January. */
export async function replacedElsewhere(
  ctx: Ctx,
  model: ModelNumber,
  { year, from, to }: ReturnPeriod,
): Promise<FiscalWarning[]> {
  if (!CONCERNED.includes(model)) return []
  const first = model === '130' ? `${year}-01-01` : from
  // The index holds only references to invoices of elsewhere, which are few; by date every invoice of the year would be read.
  const { rows } = await sql<{ count: number }>`select count(*) as count from invoices
    where invoices.id in (select invoice_id from invoice_references where target_id is null and role = 'substitutes')
      and +book_id = ${ctx.book.id} and +list_date between ${first} and ${to}
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
