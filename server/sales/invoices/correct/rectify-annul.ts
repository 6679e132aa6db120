/** Conditions for annulling an invoice that others depend on, and the effects on them. */
import { eurosFromCents } from '../../../domain/money.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { Ctx } from '../../../context.ts'
import { replacesInvoices } from '../issue/counting.ts'
import { isInForce, referringTo } from '../references/references.ts'
import { contentOf } from '../rows.ts'
import type { InvoiceRow } from '../rows.ts'

/**
 * Returns the faults of annulling an invoice in force: its rectifications and substitutes must go first, and so must
 * its recorded payments. Annulling a rectification restores what it corrected.
 */
export async function annulFaults(ctx: Ctx, row: InvoiceRow): Promise<Fault[]> {
  if (row.cancelled_at !== null) return []
  const faults: Fault[] = []
  const followers = [
    ...(await referringTo(ctx, row.id, 'rectifies')),
    ...(await referringTo(ctx, row.id, 'substitutes')),
  ].filter(isInForce)
  for (const { number } of followers)
    faults.push({
      code: 'cancel_has_followers',
      field: '',
      severity: 'error',
      message: `${number ?? ''} builds on this invoice.`,
      fix: `Annul ${number ?? ''} first, or rectify instead of annulling.`,
      params: { number: number ?? '' },
    })
  if (row.paid_cents !== 0)
    faults.push({
      code: 'cancel_has_payments',
      field: '',
      severity: 'error',
      message: `${eurosFromCents(row.paid_cents)} euros are recorded as paid for it.`,
      fix: 'Take the payments back first, or rectify instead: money was moved, so the operation took place.',
      params: { amount: eurosFromCents(row.paid_cents) },
    })
  const content = await contentOf(ctx.db, row)
  const numbers = content.references.map(({ number }) => number).join(', ')
  if (numbers !== '')
    faults.push({
      code: replacesInvoices(content) ? 'cancel_brings_back' : 'cancel_undoes_credit',
      field: '',
      severity: 'warning',
      message: replacesInvoices(content)
        ? `${numbers} counts again as it was issued.`
        : `What it took off ${numbers} is owed again.`,
      fix: 'Go on if that is right.',
      params: { number: numbers },
    })
  return faults
}
