/** The day on which payments settled an invoice in full. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import { prepare } from '../../db/query.ts'
import type { Ctx } from '../../context.ts'

const ofInvoice = prepare((db, p: { id: number }) =>
  db
    .selectFrom('payment_allocations')
    .innerJoin('payments', 'payments.id', 'payment_allocations.payment_id')
    .select(['payments.date', 'payments.kind', 'payment_allocations.cents'])
    .where('payment_allocations.invoice_id', '=', p.id)
    .orderBy('payments.date')
    .orderBy('payments.id'),
)

const ofReceived = prepare((db, p: { id: number }) =>
  db
    .selectFrom('payment_allocations')
    .innerJoin('payments', 'payments.id', 'payment_allocations.payment_id')
    .select(['payments.date', 'payments.kind', 'payment_allocations.cents'])
    .where('payment_allocations.received_id', '=', p.id)
    .orderBy('payments.date')
    .orderBy('payments.id'),
)

/** An amount that was settled on a day; negative where a payment was returned. */
interface SettledPart {
  date: BusinessDate
  cents: Cents
}

/**
 * Returns the day on which parts, in order, completed an amount for the last time; null while something is open. Nothing
 * is completed where nothing was paid.
 */
export function completionDay(parts: readonly SettledPart[], payableCents: Cents): BusinessDate | null {
  if (payableCents === 0) return null
  const sign = Math.sign(payableCents)
  let settledCents = 0
  let day: BusinessDate | null = null
  for (const { date, cents } of parts) {
    settledCents += cents
    const isComplete = sign * (payableCents - settledCents) <= 0
    if (!isComplete) day = null
    else day ??= date
  }
  return day
}

/** Returns the day on which an invoice was paid in full, by row id; null while something is owed. What was written off is not paid. */
export async function paidInFullOn(
  ctx: Ctx,
  document: { invoiceId: number } | { receivedId: number },
  payableCents: Cents,
): Promise<BusinessDate | null> {
  const parts =
    'invoiceId' in document
      ? await ofInvoice.all(ctx.db, { id: document.invoiceId })
      : await ofReceived.all(ctx.db, { id: document.receivedId })
  return completionDay(
    parts.filter(({ kind }) => kind !== 'write_off'),
    payableCents,
  )
}
