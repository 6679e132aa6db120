/**
 * Counts the full invoices (F3) that stand for tickets of another program: what those declared is not known here, so the sale
 * counts once more, and the return says so.
 */
import type { Ctx } from '../ctx.ts'
import type { FiscalWarning, ModelNumber } from './contract.ts'
import type { ReturnPeriod } from './periods.ts'

const CONCERNED: readonly ModelNumber[] = ['303', '390', '130']

/** The warning of a return that counts such invoices; the instalment accumulates from January. */
export async function replacedElsewhere(
  ctx: Ctx,
  model: ModelNumber,
  { year, from, to }: ReturnPeriod,
): Promise<FiscalWarning[]> {
  if (!CONCERNED.includes(model)) return []
  const { count } = await ctx.db
    .selectFrom('invoices')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('book_id', '=', ctx.book.id)
    .where('state', '=', 'issued')
    .where('kind', '=', 'F3')
    .where('cancelled_at', 'is', null)
    .where('list_date', '>=', model === '130' ? `${year}-01-01` : from)
    .where('list_date', '<=', to)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('invoice_references')
          .select('invoice_references.position')
          .whereRef('invoice_references.invoice_id', '=', 'invoices.id')
          .where('role', '=', 'substitutes')
          .where('target_id', 'is', null),
      ),
    )
    .executeTakeFirstOrThrow()
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
