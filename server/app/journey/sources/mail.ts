/** Mails about the invoice. A server that takes a mail does not say that a person got it. */
import { invoiceMails } from '../../../documents/mail/index.ts'
import type { Mail } from '../../../documents/mail/contract.ts'
import type { JourneyFact } from '../contract.ts'
import type { JourneySource } from '../source.ts'

const STATES: Readonly<Record<Mail['state'], [state: JourneyFact['state'], note: string | null] | null>> = {
  queued: ['waiting', null],
  sending: ['waiting', null],
  sent: ['done', 'mail_server_took_it'],
  failed: ['failed', 'mail_failed'],
  unknown: ['unknown', 'mail_outcome_unknown'],
  handed: ['unknown', 'mail_program_has_it'],
  discarded: null,
}

export const mailSource: JourneySource = {
  channel: 'mail',
  async facts(ctx, { invoice }) {
    const { items } = await invoiceMails(ctx, { id: invoice.id })
    return items.flatMap((mail) => {
      const known = STATES[mail.state]
      if (known === null || (mail.kind !== 'invoice' && mail.kind !== 'reminder')) return []
      const [state, note] = known
      return [
        {
          step: 'delivered' as const,
          state,
          at: mail.settledAt ?? mail.createdAt,
          day: null,
          evidence: { type: 'mail' as const, id: mail.id, label: mail.to.join(', ') },
          note,
        },
      ]
    })
  },
}
