/** What an amendment would change, for a second person who has to confirm it. */
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Ctx } from '../../../context.ts'
import { findConfirmation } from '../issue/confirmations.ts'
import type { AmendChanges } from '../contract.ts'
import type { InvoiceRow } from '../rows.ts'
import { examineRecord } from './examine-record.ts'
import { requestOf } from './record-step.ts'

/** Returns the changes that a token of an amendment holds; null for a token that is not good for one. */
export async function requestedChanges(
  ctx: Ctx,
  row: InvoiceRow,
  token: string,
): Promise<AmendChanges | null> {
  try {
    const confirmation = await findConfirmation(ctx, token, { invoiceId: row.id, action: 'amend' })
    const request = confirmation.used_at === null ? await requestOf(confirmation) : null
    return request?.action === 'amend' ? request.changes : null
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** Lists the facts of the registration that changes would replace. */
export async function amendedFacts(
  ctx: Ctx,
  row: InvoiceRow,
  written: unknown,
): Promise<{ name: string; before: string | number | null; value: string | number | null }[]> {
  const { AmendChanges } = await import('../contract.ts')
  const { record } = await examineRecord(ctx, row, { action: 'amend', changes: AmendChanges.parse(written) })
  if (record.kind !== 'registration') return []
  return record.changes.map(({ field, from, to }) => ({ name: field, before: from, value: to }))
}
