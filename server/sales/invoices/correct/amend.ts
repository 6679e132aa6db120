/** Amend: a new record corrects the registration of an invoice; the invoice itself stays as issued. */
import { recordAudit } from '../../../platform/audit/index.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { appendRegistration, recordRowId } from '../../../registry/index.ts'
import { saveAmendment } from './amendments.ts'
import { amendedDetail } from './examine-record.ts'
import type { Confirmation } from '../issue/confirmations.ts'
import type { amendInvoiceContract, Invoice } from '../contract.ts'
import { stepConfirmed, executeStep } from './record-step.ts'
import type { Step } from './record-step.ts'
import { rebookEntry } from '../issue/booking.ts'
import { amendedParty, saveAmendedParty } from '../draft/parties.ts'
import { countInvoice, moveToCustomer } from '../issue/counting.ts'
import type { CountedInvoice } from '../issue/counting.ts'
import type { PartyFacts } from '../draft/parties.ts'
import { markReactivated } from '../rows.ts'
import type { InvoiceRow } from '../rows.ts'

const CASH_ACCOUNTING = '07'

const putRight: Step = async (tx, row, examination) => {
  const { record, content, totals, number, issueDate } = examination
  if (record.kind !== 'registration') throw new AppError('confirmation_invalid')
  const { sequence } = await appendRegistration(tx, row.id, record.registration, {
    detailOf: () => amendedDetail(examination, examination.client),
  })
  await saveAmendment(tx, {
    recordRowId: await recordRowId(tx, sequence),
    invoiceId: row.id,
    changes: record.changes,
  })
  const counted = { rowId: row.id, content, totals, issueDate }
  const client = await movedCustomer(tx, counted, examination.client)
  if (row.cancelled_at === null) {
    if (client) await moveToCustomer(tx, counted, client)
  } else {
    if (client) await saveAmendedParty(tx, row.id, client)
    await markReactivated(tx, row)
    await countInvoice(tx, counted, 1)
    await rebookEntry(tx, row.id, tx.today())
  }
  await recordAudit(tx, {
    action: 'invoice.amended',
    target: { type: 'invoice', id: row.public_id, label: number },
  })
  await emitEvent(tx, 'invoice.amended', { invoiceId: row.public_id, number })
}

/**
 * Returns the customer of the registry record when it differs from the one the invoice counts under. Cash accounting
 * stores its tax by the customer's place: there the country stays.
 */
async function movedCustomer(
  tx: Ctx,
  { rowId, content }: CountedInvoice,
  told: PartyFacts,
): Promise<PartyFacts | null> {
  const counted = (await amendedParty(tx, rowId)) ?? content.client
  const isCash = content.lines.some(({ regimeKey }) => regimeKey === CASH_ACCOUNTING)
  const client = isCash && told.country !== counted.country ? { ...told, country: counted.country } : told
  const isSame =
    client.name === counted.name &&
    client.nif === counted.nif &&
    client.idType === counted.idType &&
    client.country === counted.country
  return isSame ? null : client
}

/** Amends with a confirmation that a person approved. */
export function amendConfirmed(tx: Ctx, row: InvoiceRow, confirmation: Confirmation): Promise<Invoice> {
  return stepConfirmed(tx, row, confirmation, putRight)
}

/**
 * Amends a registration with the token of its validation, which holds the changes. An annulled invoice comes back
 * into force and into the totals. Record, amendment, totals, history and event commit together.
 */
export const amendInvoice: UseCase<typeof amendInvoiceContract> = (ctx, input) =>
  executeStep(ctx, 'amend', input, putRight)
