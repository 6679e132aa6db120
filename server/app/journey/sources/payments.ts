/** Payments in the books. */
import type { JourneyFact } from '../contract.ts'
import type { JourneySource } from '../source.ts'

const STATES: Readonly<Record<string, [state: JourneyFact['state'], note: string | null]>> = {
  paid: ['done', null],
  unpaid: ['waiting', null],
  partial: ['waiting', 'partly_paid'],
  overdue: ['waiting', 'overdue'],
  uncollectible: ['failed', 'uncollectible'],
  credit: ['waiting', 'credit_open'],
}

export const paymentSource: JourneySource = {
  channel: 'payment',
  async facts(_ctx, { invoice }) {
    const known = STATES[invoice.payment.status]
    if (!known) return []
    const [state, note] = known
    const last = invoice.payments.toSorted((a, b) => a.date.localeCompare(b.date)).at(-1)
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
  },
}
