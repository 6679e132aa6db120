/** Instalments of an invoice in its answer: what is agreed, and what became of each. */
import { eurosFromCents, percentFromBasisPoints } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import type { Totals } from '../../../domain/tax/totals.ts'
import type { Ctx } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import { owedInstalments, shownInstalments } from '../content.ts'
import type { DraftContent } from '../content.ts'
import type { Invoice } from '../contract.ts'
import { instalmentsOfInvoice } from '../instalments.ts'
import type { InvoiceRow } from '../rows.ts'

type View = NonNullable<Invoice['instalments']>[number]

const lastPayments = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('payment_allocations')
    .innerJoin('payments', 'payments.id', 'payment_allocations.payment_id')
    .select((eb) => ['payment_allocations.instalment', eb.fn.max('payments.date').as('date')])
    .where('payment_allocations.invoice_id', '=', p.invoiceId)
    .where('payments.kind', '<>', 'write_off')
    .groupBy('payment_allocations.instalment'),
)

const waitingDebits = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('remittance_items')
    .innerJoin('remittances', 'remittances.id', 'remittance_items.remittance_id')
    .select(['remittance_items.instalment', 'remittances.public_id'])
    .where('remittance_items.invoice_id', '=', p.invoiceId)
    .where('remittance_items.is_open', '=', 1),
)

function statusOf(
  row: Pick<InvoiceRow, 'state' | 'cancelled_at' | 'uncollectible_at'>,
  facts: { openCents: Cents; dueDate: string; today: string; isRemitted: boolean },
): View['status'] {
  if (row.state === 'draft') return 'draft'
  if (row.cancelled_at !== null) return 'cancelled'
  if (facts.openCents === 0) return 'paid'
  if (row.uncollectible_at !== null) return 'uncollectible'
  if (facts.isRemitted) return 'remitted'
  return facts.dueDate < facts.today ? 'overdue' : 'open'
}

/** Returns the instalments of an invoice; undefined, without a query, for one due date. */
export async function instalmentViews(
  ctx: Ctx,
  row: InvoiceRow,
  content: DraftContent,
  totals: Totals,
): Promise<Invoice['instalments']> {
  const { instalments } = content
  if (instalments === null) return undefined
  const isDraft = row.state === 'draft'
  const shown = shownInstalments(content, totals)
  const owed = owedInstalments(content, totals)
  const open = isDraft ? [] : await instalmentsOfInvoice(ctx, row.id)
  const paid = new Map(
    isDraft
      ? []
      : (await lastPayments.all(ctx.db, { invoiceId: row.id })).map((each) => [each.instalment, each.date]),
  )
  const remitted = new Map(
    isDraft
      ? []
      : (await waitingDebits.all(ctx.db, { invoiceId: row.id })).map((each) => [
          each.instalment,
          each.public_id,
        ]),
  )
  const today = ctx.today()
  return instalments.map((agreed, index): View => {
    const number = index + 1
    const amountCents = owed[index]?.cents ?? 0
    const openCents = isDraft ? amountCents : (open[index]?.openCents ?? 0)
    const { dueDate } = agreed
    const status = statusOf(row, { openCents, dueDate, today, isRemitted: remitted.has(number) })
    return {
      number,
      dueDate,
      percent: agreed.percentBp === null ? undefined : percentFromBasisPoints(agreed.percentBp),
      fixed: agreed.cents === null ? undefined : eurosFromCents(agreed.cents),
      amount: eurosFromCents(amountCents),
      inCurrency: content.currency ? eurosFromCents(shown[index]?.cents ?? 0) : undefined,
      amountDue: row.cancelled_at === null ? eurosFromCents(openCents) : 0,
      status,
      paidOn: status === 'paid' ? (paid.get(number) ?? undefined) : undefined,
      remittanceId: status === 'remitted' ? remitted.get(number) : undefined,
    }
  })
}
