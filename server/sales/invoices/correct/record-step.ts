/**
 * Shared procedure of the two steps after an issue, annulling and amending: token, approval, examination, then the
 * step.
 */
import { AppError } from '../../../domain/errors/app-error.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx } from '../../../context.ts'
import { closeApprovals, refuseUnapproved } from '../issue/approvals.ts'
import { findConfirmation, spendConfirmation } from '../issue/confirmations.ts'
import type { Confirmation } from '../issue/confirmations.ts'
import type { Invoice } from '../contract.ts'
import { examineRecord } from './examine-record.ts'
import type { RecordExamination, RecordRequest } from './examine-record.ts'
import { issuedRow } from '../read/get.ts'
import { refuseFaulty } from '../draft/faults.ts'
import { findInvoice, setRegistryStatus } from '../rows.ts'
import type { InvoiceRow } from '../rows.ts'
import { invoiceView } from '../read/view.ts'

/** Returns the action of a token; of an amendment with the changes that it holds. */
export async function requestOf({ action, details }: Confirmation): Promise<RecordRequest> {
  if (action !== 'amend') return { action: 'cancel' }
  const { AmendChanges } = await import('../contract.ts')
  return { action, changes: AmendChanges.parse(JSON.parse(details ?? '{}')) }
}

/** Effect of a step once it is allowed: the record and its consequences in the books. */
export type Step = (tx: Ctx, row: InvoiceRow, examination: RecordExamination) => Promise<void>

/** Performs a step on an issued invoice with an unspent confirmation, in the step's transaction. */
export async function stepConfirmed(
  tx: Ctx,
  row: InvoiceRow,
  confirmation: Confirmation,
  step: Step,
): Promise<Invoice> {
  const examination = await examineRecord(tx, row, await requestOf(confirmation))
  await spendConfirmation(tx, confirmation, { version: row.version, contentHash: examination.hash })
  refuseFaulty(examination.faults)
  await step(tx, row, examination)
  await setRegistryStatus(tx, row.id, 'pending')
  await closeApprovals(tx, row.id)
  tx.wake('sender')
  return invoiceView(tx, orNotFound(await findInvoice(tx, row.public_id)))
}

/**
 * Performs an irreversible step on an issued invoice, in one transaction. A repeated call after success returns the
 * invoice as it is now with `replayed`; any other second use of the token is rejected.
 */
export async function executeStep(
  ctx: Ctx,
  action: RecordRequest['action'],
  input: { id: string; confirmationToken?: string | undefined },
  step: Step,
): Promise<Invoice> {
  const { id, confirmationToken } = input
  if (!confirmationToken) throw new AppError('confirmation_required', { field: 'confirmationToken' })
  return ctx.transaction(async (tx) => {
    const row = await issuedRow(tx, id)
    const confirmation = await findConfirmation(tx, confirmationToken, { invoiceId: row.id, action })
    if (confirmation.used_at !== null) return { ...(await invoiceView(tx, row)), replayed: true }
    await refuseUnapproved(tx, confirmation, async () => ({
      version: row.version,
      hash: (await examineRecord(tx, row, await requestOf(confirmation))).hash,
    }))
    return stepConfirmed(tx, row, confirmation, step)
  })
}
