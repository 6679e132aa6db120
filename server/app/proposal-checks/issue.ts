/** Issues a draft, checked by the validation that precedes every issue. */
import { eurosFromCents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import type { ActionRequestOf, Assessment } from '../approvals/index.ts'
import { examineDraft } from '../../sales/invoices/index.ts'
import { startInvoiceAssessment, alternativeAction } from './invoice.ts'
import type { CheckAction } from './invoice.ts'
import { point, splitFaults } from './points.ts'

export async function checkIssue(
  ctx: Ctx,
  asked: ActionRequestOf<'issue_invoice'>,
  judge: CheckAction | null,
): Promise<Assessment> {
  const { row, base } = await startInvoiceAssessment(ctx, asked, (name) => `Issue ${name}`)
  const outline = { ...base, reversible: false }
  if (!row) return outline
  if (row.state !== 'draft')
    return {
      ...outline,
      blockers: [point('invoice_not_draft', 'It is issued already.')],
      alternatives: judge
        ? await alternativeAction(
            ctx,
            judge,
            'correct_invoice',
            row,
            'An issued invoice is changed by a rectifying one.',
          )
        : [],
    }
  const { number, issueDate, environment, totals, faults } = await examineDraft(ctx, row)
  const [due, tax] = [eurosFromCents(totals.amountDueCents), eurosFromCents(totals.taxCents)]
  const month = issueDate.slice(0, 7)
  return {
    ...outline,
    ...splitFaults(faults),
    effects: [
      point('issue_number', `It gets the number ${number}, dated ${issueDate}.`, { number, date: issueDate }),
      point(`issue_sent_${environment}`, `A record of it is made and sent (${environment}).`),
      point('issue_owed', `${row.client_name} owes ${due} euros.`, { client: row.client_name, amount: due }),
      ...(tax === 0
        ? []
        : [point('issue_vat', `${tax} euros of VAT fall in ${month}.`, { amount: tax, month })]),
    ],
  }
}
