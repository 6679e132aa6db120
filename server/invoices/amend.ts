/** Amend: a new record corrects what the registry was told of an invoice; the invoice itself stays as it was issued. */
import { recordAudit } from '../audit/index.ts'
import { AppError } from '../core/errors.ts'
import { emitEvent } from '../events/index.ts'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import type { Ctx, UseCase } from '../ctx.ts'
import { appendRegistration } from '../registry/index.ts'
import { keepAmendment } from './amendments.ts'
import type { Confirmation } from './confirmations.ts'
import type { Invoice } from './contract.ts'
import { stepConfirmed, takeStep } from './record-step.ts'
import type { Step } from './record-step.ts'
import { rebookEntry } from './booking.ts'
import { countInvoice } from './counting.ts'
import { markReactivated } from './rows.ts'
import type { InvoiceRow } from './rows.ts'

const putRight: Step = async (tx, row, examination) => {
  const { record, content, totals, number, issueDate } = examination
  if (record.kind !== 'registration') throw new AppError('confirmation_invalid')
  const { rowId } = await appendRegistration(tx, row.id, record.registration)
  await keepAmendment(tx, { recordRowId: rowId, invoiceId: row.id, changes: record.changes })
  if (row.cancelled_at !== null) {
    await markReactivated(tx, row)
    await countInvoice(tx, { rowId: row.id, content, totals, issueDate }, 1)
    await rebookEntry(tx, row.id, tx.today())
  }
  await recordAudit(tx, {
    action: 'invoice.amended',
    target: { type: 'invoice', id: row.public_id, label: number },
  })
  await emitEvent(tx, 'invoice.amended', { invoiceId: row.public_id, number })
}

/** Amends with a confirmation that a person approved. */
export function amendConfirmed(tx: Ctx, row: InvoiceRow, confirmation: Confirmation): Promise<Invoice> {
  return stepConfirmed(tx, row, confirmation, putRight)
}

/**
 * Amend a registration with the token of its validation, which holds the changes. An annulled invoice comes back into force
 * and into the figures. Record, amendment, figures, history and event commit together.
 */
export const amendInvoice: UseCase<ParsedInputOf<'invoices.amend'>, OutputOf<'invoices.amend'>> = (
  ctx,
  input,
) => takeStep(ctx, 'amend', input, putRight)
