/**
 * Adds a record to an issued invoice, cancelling it or sending it again, checked by the validation that precedes
 * both.
 */
import { eurosFromCents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import type { ActionRequestOf, Assessment } from '../approvals/index.ts'
import { examineRecord, getInvoice } from '../../sales/invoices/index.ts'
import { startInvoiceAssessment, alternativeAction } from './invoice.ts'
import type { CheckAction } from './invoice.ts'
import { point, splitFaults, runCheck } from './points.ts'

export async function checkCancellation(
  ctx: Ctx,
  asked: ActionRequestOf<'cancel_registration'>,
  judge: CheckAction | null,
): Promise<Assessment> {
  const { row, base } = await startInvoiceAssessment(
    ctx,
    asked,
    (name) => `Cancel the registration of ${name}`,
  )
  const outline = { ...base, reversible: false }
  if (!row) return outline
  if (row.state !== 'issued')
    return { ...outline, blockers: [point('cancel_draft', 'It has no registration: a draft is deleted.')] }
  const outcome = await runCheck(() => examineRecord(ctx, row, { action: 'cancel' }))
  const alternatives = judge
    ? await alternativeAction(
        ctx,
        judge,
        'correct_invoice',
        row,
        'Cancel only what should never have existed; errors are corrected by a rectifying invoice.',
      )
    : []
  if ('blockers' in outcome) return { ...outline, ...outcome, alternatives }
  const { number, faults } = outcome.answer
  const due = eurosFromCents(row.due_cents ?? 0)
  return {
    ...outline,
    ...splitFaults(faults),
    alternatives,
    effects: [
      point('cancel_record', `A record that annuls ${number} is made and sent.`, { number }),
      point('cancel_owed', `${due} euros are no longer owed.`, { amount: due }),
    ],
  }
}

export async function checkRetry(ctx: Ctx, asked: ActionRequestOf<'retry_rejected'>): Promise<Assessment> {
  const { row, base } = await startInvoiceAssessment(ctx, asked, (name) => `Send ${name} again, corrected`)
  const outline = { ...base, reversible: false }
  if (!row) return outline
  if (row.registry_status !== 'rejected')
    return { ...outline, blockers: [point('retry_not_rejected', 'The authority has not rejected it.')] }
  const outcome = await runCheck(() => examineRecord(ctx, row, { action: 'amend', changes: {} }))
  if ('blockers' in outcome) return { ...outline, ...outcome }
  const { registry } = await getInvoice(ctx, { id: row.public_id })
  const [said] = registry.errors
  const { number, faults } = outcome.answer
  const judged = splitFaults(faults)
  return {
    ...outline,
    ...judged,
    warnings: [
      ...(said
        ? [
            point('retry_said', `The authority said ${said.authorityCode}. ${said.fix}`, {
              code: said.authorityCode ?? '',
              said: said.message,
            }),
          ]
        : []),
      ...judged.warnings,
    ],
    // A rejected cancellation is requested again, not amended; so is a record that only support can correct.
    blockers:
      said && said.action !== 'correct' && said.action !== 'resend'
        ? [point(`retry_${said.action}`, said.fix), ...judged.blockers]
        : judged.blockers,
    effects: [point('retry_record', `A new record of ${number} is made and sent.`, { number })],
  }
}
