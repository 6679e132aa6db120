/** Payments in the books. */
import type { JourneyFact } from '../contract.ts'
import type { JourneySource, SourceFact } from '../source.ts'

const STATES: Readonly<Record<string, [state: JourneyFact['state'], note: string | null]>> = {
  paid: ['done', null],
  unpaid: ['waiting', null],
  partial: ['waiting', 'partly_paid'],
  overdue: ['waiting', 'overdue'],
  uncollectible: ['failed', 'uncollectible'],
  credit: ['waiting', 'credit_open'],
}

/** Returns what payments say of an invoice: its state, and the newest of them; nothing for a state that says nothing. */
export function paymentFacts(
  known: readonly [state: JourneyFact['state'], note: string | null] | undefined,
  payments: readonly { id: string; date: string; reference?: string | null }[],
): SourceFact[] {
  if (!known) return []
  const [state, note] = known
  const last = payments.toSorted((a, b) => a.date.localeCompare(b.date)).at(-1)
  return [
    {
      step: 'paid',
      state,
      at: null,
      day: last && (state === 'done' || note === 'partly_paid') ? last.date : null,
      evidence: last ? { type: 'payment', id: last.id, label: last.reference ?? last.date } : null,
      note,
    },
  ]
}

export const paymentSource: JourneySource = {
  channel: 'payment',
  facts: async (_ctx, { invoice }) => paymentFacts(STATES[invoice.payment.status], invoice.payments),
}
