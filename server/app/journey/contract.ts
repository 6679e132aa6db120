/** Contracts of the journey of an invoice: from its registration to its payment, as facts prove it. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { businessDate, Instant, PathId } from '../../domain/contract/fields.ts'

export const JOURNEY_STEPS = ['registered', 'delivered', 'seen', 'accepted', 'paid'] as const
export type JourneyStepName = (typeof JOURNEY_STEPS)[number]

const JourneyState = z.enum(['done', 'waiting', 'failed', 'unknown', 'not_applicable']).meta({
  description:
    'done: a fact proves it; waiting: it is still to come; failed: a fact says the opposite, such as a rejection; unknown: it may have happened, and nothing says so; not_applicable: this invoice has no such step.',
})
export type JourneyState = z.infer<typeof JourneyState>

const JourneyChannel = z.enum(['registry', 'mail', 'reply', 'payment', 'exchange', 'portal', 'entry']).meta({
  description:
    'registry: the records of the tax agency; mail; reply: what the customer answered with the reply page; payment: the books; exchange: the public platform; portal: the entry point of public bodies; entry: a received invoice as it came and was entered.',
})
export type JourneyChannel = z.infer<typeof JourneyChannel>

const fact = {
  state: JourneyState,
  at: Instant.nullable().meta({ description: 'When it happened, as far as the channel says.' }),
  day: businessDate('Day on which it happened, where only the day is known.').nullable(),
  channel: JourneyChannel,
  evidence: z
    .strictObject({
      type: z.enum(['record', 'mail', 'reply', 'payment', 'exchange', 'submission', 'document']),
      id: z.string().meta({
        description:
          'Of the record, mail, reply, payment, followed invoice of the exchange, submission to the portal, or document.',
      }),
      label: z.string().meta({ description: 'Its number, its recipients or what it is called.' }),
    })
    .nullable(),
  note: z.string().nullable().meta({
    description:
      'What to know of it, as a code, such as mail_server_took_it: the server of the recipient took the mail, and nothing says that a person got it.',
  }),
}

const JourneyFact = z.strictObject(fact).meta({ id: 'InvoiceJourneyFact' })
export type JourneyFact = z.infer<typeof JourneyFact>

const JourneyStep = z
  .strictObject({
    step: z.enum(JOURNEY_STEPS),
    ...fact,
    channel: JourneyChannel.nullable(),
    due: businessDate('Of the payment: the last day.').nullable(),
    facts: z.array(JourneyFact).meta({ description: 'All that any channel says of it, newest first.' }),
  })
  .meta({ id: 'InvoiceJourneyStep' })
export type JourneyStep = z.infer<typeof JourneyStep>

export const invoiceJourneyContract = defineContract({
  name: 'invoices.journey',
  summary: 'How far an issued invoice has come: registered, delivered, seen, accepted, paid.',
  description:
    'Each step names the fact that proves it and its channel. It is computed when it is asked for. What a customer answered by mail or reply page is not a status of the public platform.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/invoices/:id/journey' },
  input: z.strictObject({ id: PathId }),
  output: z
    .strictObject({
      invoiceId: z.string(),
      number: z.string(),
      steps: z.array(JourneyStep).meta({ description: 'The five steps in their order.' }),
    })
    .meta({ id: 'InvoiceJourney' }),
  errors: ['not_found', 'invoice_number_ambiguous', 'invoice_not_issued'],
})

export const receivedJourneyContract = defineContract({
  name: 'received.journey',
  summary: 'How far a received invoice has come: delivered, entered, accepted, paid.',
  description:
    'The same steps as of an issued invoice. `registered` is the duty of its issuer and not applicable here; `seen` is that it was entered.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/received-invoices/:id/journey' },
  input: z.strictObject({ id: PathId.meta({ description: 'Identifier or reception number.' }) }),
  output: z
    .strictObject({
      receivedId: z.string(),
      number: z.string().meta({ description: 'Its own correlative; empty for history.' }),
      steps: z.array(JourneyStep).meta({ description: 'The five steps in their order.' }),
    })
    .meta({ id: 'ReceivedJourney' }),
  errors: ['not_found'],
})
