/** Cancel: annuls an issued invoice at the registry and removes it from every total; its number stays taken. */
import { recordAudit } from '../../../platform/audit/index.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { normalizeText } from '../../../domain/text.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { appendCancellation } from '../../../registry/index.ts'
import { unbookEntry } from '../issue/booking.ts'
import { countInvoice } from '../issue/counting.ts'
import type { Confirmation } from '../issue/confirmations.ts'
import type { cancelInvoiceContract, Invoice } from '../contract.ts'
import { stepConfirmed, executeStep } from './record-step.ts'
import type { Step } from './record-step.ts'
import { markAnnulled } from '../rows.ts'
import type { InvoiceRow } from '../rows.ts'

const annul =
  (reason: string): Step =>
  async (tx, row, examination) => {
    const { record, content, totals, number, issueDate, issuer } = examination
    if (record.kind !== 'cancellation') throw new AppError('confirmation_invalid')
    await appendCancellation(tx, row.id, record.cancellation, issuer.name)
    if (row.cancelled_at === null) {
      await markAnnulled(tx, row.id)
      await countInvoice(tx, { rowId: row.id, content, totals, issueDate }, -1)
      await unbookEntry(tx, row.id, tx.today())
    }
    await recordAudit(tx, {
      action: 'invoice.cancelled',
      target: { type: 'invoice', id: row.public_id, label: reason ? `${number}: ${reason}` : number },
    })
    await emitEvent(tx, 'invoice.cancelled', { invoiceId: row.public_id, number })
  }

/** Annuls with a confirmation that a person approved. */
export function cancelConfirmed(tx: Ctx, row: InvoiceRow, confirmation: Confirmation): Promise<Invoice> {
  return stepConfirmed(tx, row, confirmation, annul(''))
}

/**
 * Annuls an invoice with the token of its validation. Record, totals, history and event commit together. If the
 * registry rejected an earlier annulment, the invoice is already annulled in the books, and only a new record is
 * made.
 */
export const cancelInvoice: UseCase<typeof cancelInvoiceContract> = (ctx, input) =>
  executeStep(ctx, 'cancel', input, annul(normalizeText(input.reason ?? '')))
