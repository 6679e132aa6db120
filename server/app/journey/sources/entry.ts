/** A received invoice as it came and as it stands in the books. */
import { receivedArrivals } from '../../../purchases/incoming/index.ts'
import type { Arrival } from '../../../purchases/incoming/arrivals/contract.ts'
import { receivedPayments } from '../../../accounting/payments/index.ts'
import type { JourneyFact } from '../contract.ts'
import { paymentFacts } from './payments.ts'
import type { ReceivedSource, SourceFact } from '../source.ts'

/** Codes of how it came, all of which the window has words for. */
export const ENTRY_NOTES = [
  'came_by_mail',
  'came_by_folder',
  'came_by_drop',
  'came_by_program',
  'came_by_platform',
] as const

const came = ({ channel, arrivedAt, documentId, name }: Arrival): SourceFact => ({
  step: 'delivered',
  state: 'done',
  at: arrivedAt,
  day: null,
  evidence: { type: 'document', id: documentId, label: name },
  note: `came_by_${channel}` satisfies (typeof ENTRY_NOTES)[number],
})

/** How it came; without a document, the day on which it was received. And that it was entered. */
export const entrySource: ReceivedSource = {
  channel: 'entry',
  async facts(ctx, { entry }) {
    const { items } = await receivedArrivals(ctx, { id: entry.id })
    const evidence = { type: 'document' as const, id: entry.id, label: entry.receptionNumber }
    const delivered: SourceFact[] =
      items.length > 0
        ? items.map(came)
        : [{ step: 'delivered', state: 'done', at: null, day: entry.receptionDate, evidence, note: null }]
    return [
      ...delivered,
      { step: 'seen', state: 'done', at: entry.createdAt, day: null, evidence, note: null },
    ]
  },
}

const STATES: Readonly<Record<string, [state: JourneyFact['state'], note: string | null]>> = {
  paid: ['done', null],
  unpaid: ['waiting', null],
  partial: ['waiting', 'partly_paid'],
  overdue: ['waiting', 'overdue'],
}

/** Payments of it in the books. */
export const receivedPaymentSource: ReceivedSource = {
  channel: 'payment',
  async facts(ctx, { entry }) {
    const known = STATES[entry.payment.status]
    return known ? paymentFacts(known, (await receivedPayments(ctx, { id: entry.id })).items) : []
  },
}
