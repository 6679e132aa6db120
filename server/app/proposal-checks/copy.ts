/** Sends a document to a customer, checked with the mail as it would be sent. */
import type { Ctx } from '../../context.ts'
import type { ActionRequestOf, Assessment } from '../approvals/index.ts'
import { prepareMail } from '../../documents/mail/index.ts'
import { startInvoiceAssessment, alternativeAction } from './invoice.ts'
import type { CheckAction } from './invoice.ts'
import { point, runCheck } from './points.ts'

export async function checkCopy(
  ctx: Ctx,
  asked: ActionRequestOf<'send_invoice_copy'>,
  judge: CheckAction | null,
): Promise<Assessment> {
  const { row, base } = await startInvoiceAssessment(ctx, asked, (name) => `Send a copy of ${name}`)
  const outline = { ...base, reversible: false, impact: null }
  if (!row) return outline
  if (row.state !== 'issued')
    return {
      ...outline,
      blockers: [point('copy_draft', 'Only issued invoices are sent to customers.')],
      alternatives: judge
        ? await alternativeAction(
            ctx,
            judge,
            'issue_invoice',
            row,
            'Only issued invoices are sent to customers.',
          )
        : [],
    }
  const outcome = await runCheck(() => prepareMail(ctx, { kind: 'invoice', ids: [row.public_id] }))
  if ('blockers' in outcome) return { ...outline, ...outcome }
  const { to: usual, canSend, ownAddresses } = outcome.answer
  const wanted = asked.params.to
  // A test book sends only to its own company's addresses.
  const isForeign = (address: string) => ownAddresses !== null && !ownAddresses.includes(address)
  if (wanted !== undefined && isForeign(wanted))
    return {
      ...outline,
      blockers: [
        point('copy_test_book', 'A test book sends mail to the company itself only.', { to: wanted }),
      ],
    }
  const to = wanted ?? usual[0]
  if (to === undefined)
    return {
      ...outline,
      blockers: [point('copy_no_address', 'The customer has no e-mail address; name one in params.to.')],
    }
  return {
    ...outline,
    facts: { ...outline.facts, to },
    effects: [
      canSend
        ? point('copy_mail', `The PDF goes to ${to}.`, { to })
        : point('copy_program', `The PDF goes to ${to} through the mail program of the computer.`, { to }),
    ],
    // An address other than the customer's own deserves a warning.
    warnings:
      ownAddresses === null && wanted !== undefined && !usual.includes(wanted)
        ? [
            point(
              usual[0] === undefined ? 'copy_new_address' : 'copy_other_address',
              `${wanted} is not the address that is kept of the customer.`,
              { to: wanted, kept: usual[0] ?? '' },
            ),
          ]
        : [],
  }
}
