/** Tells how far an invoice has come. */
import { AppError } from '../../domain/errors/app-error.ts'
import type { UseCase } from '../../context.ts'
import { getInvoice, isSimplified, resolveInvoice } from '../../sales/invoices/index.ts'
import type { Invoice } from '../../sales/invoices/contract.ts'
import { getReceived, resolveReceived } from '../../purchases/invoices/index.ts'
import { combineJourney } from './combine.ts'
import type { ChannelFact } from './combine.ts'
import type { invoiceJourneyContract, JourneyStepName, receivedJourneyContract } from './contract.ts'
import { RECEIVED_SOURCES, SOURCES } from './sources/index.ts'

/** Returns the steps that an invoice does not have. */
function withoutStep(invoice: Invoice): JourneyStepName[] {
  const steps: JourneyStepName[] = []
  if (invoice.state === 'history' || invoice.registry.status === 'not_registered') steps.push('registered')
  // Nobody is named to whom it could be delivered.
  if (isSimplified(invoice.kind) && invoice.clientNif === null) steps.push('delivered', 'seen', 'accepted')
  if (invoice.payment.status === 'cancelled') steps.push('accepted', 'paid')
  return steps
}

/** Computes the journey of an invoice. Throws `invoice_not_issued` for a draft. */
export const invoiceJourney: UseCase<typeof invoiceJourneyContract> = async (ctx, { id }) => {
  const row = await resolveInvoice(ctx, id)
  if (row.state === 'draft') throw new AppError('invoice_not_issued', { details: { id: row.public_id } })
  const invoice = await getInvoice(ctx, { id: row.public_id })
  const facts: ChannelFact[] = []
  for (const source of SOURCES)
    for (const fact of await source.facts(ctx, { rowId: row.id, invoice }))
      facts.push({ ...fact, channel: source.channel })
  return {
    invoiceId: invoice.id,
    number: invoice.number ?? '',
    steps: combineJourney(facts, { notApplicable: withoutStep(invoice), due: invoice.dueDate }),
  }
}

/** Computes the journey of a received invoice. */
export const receivedJourney: UseCase<typeof receivedJourneyContract> = async (ctx, { id }) => {
  const row = await resolveReceived(ctx, id)
  const entry = await getReceived(ctx, { id: row.public_id })
  const facts: ChannelFact[] = []
  for (const source of RECEIVED_SOURCES)
    for (const fact of await source.facts(ctx, { rowId: row.id, entry }))
      facts.push({ ...fact, channel: source.channel })
  // Its registration is the duty of its issuer.
  const notApplicable: JourneyStepName[] = ['registered']
  if (row.state === 'void') notApplicable.push('accepted', 'paid')
  return {
    receivedId: row.public_id,
    number: entry.receptionNumber,
    steps: combineJourney(facts, { notApplicable, due: entry.dueDate }),
  }
}
