/**
 * Checks whether a proposal can be carried out, and carries it out: each action by the rules of the slice that
 * performs it.
 */
import type { Ctx } from '../../context.ts'
import type { ActionRequest, Assessment, ProposalChecks, Outcome } from '../approvals/index.ts'
import { checkCertificateChange, checkReturn, checkSync } from './book.ts'
import { acceptFix, checkContactFix } from './contact.ts'
import {
  acceptDiscard,
  acceptPayment,
  acceptQuote,
  acceptReceived,
  checkDiscard,
  checkPayment,
  checkQuote,
  checkReceived,
  checkReminder,
} from './everyday.ts'
import { checkCopy } from './copy.ts'
import { acceptCorrection, checkCorrection } from './correct.ts'
import type { CheckAction } from './invoice.ts'
import { checkIssue } from './issue.ts'
import { checkCancellation, checkRetry } from './records.ts'

function checkRequest(ctx: Ctx, asked: ActionRequest, other: CheckAction | null): Promise<Assessment> {
  switch (asked.action) {
    case 'issue_invoice':
      return checkIssue(ctx, asked, other)
    case 'correct_invoice':
      return checkCorrection(ctx, asked, other)
    case 'cancel_registration':
      return checkCancellation(ctx, asked, other)
    case 'retry_rejected':
      return checkRetry(ctx, asked)
    case 'send_invoice_copy':
      return checkCopy(ctx, asked, other)
    case 'sync_erp':
      return checkSync(ctx, asked)
    case 'renew_certificate':
      return checkCertificateChange(ctx, asked)
    case 'prepare_return':
      return checkReturn(ctx, asked)
    case 'fix_client_data':
      return checkContactFix(ctx, asked)
    case 'discard_draft':
      return checkDiscard(ctx, asked)
    case 'record_payment':
      return checkPayment(ctx, asked)
    case 'send_reminder':
      return checkReminder(ctx, asked)
    case 'create_quote':
      return checkQuote(ctx, asked)
    case 'record_received_invoice':
      return checkReceived(ctx, asked)
  }
}

/** Alternatives are assessed without further alternatives, which could form a cycle. */
const alone: CheckAction = (ctx, asked) => checkRequest(ctx, asked, null)

async function accept(tx: Ctx, { asked, taxReturn }: Assessment): Promise<Outcome> {
  const invoiceId = asked.targetId ?? ''
  switch (asked.action) {
    case 'issue_invoice':
      return { step: 'issue', invoiceId }
    case 'correct_invoice':
      return acceptCorrection(tx, asked)
    case 'cancel_registration':
      return { step: 'annul', invoiceId }
    case 'retry_rejected':
      return { step: 'amend', invoiceId }
    case 'send_invoice_copy':
      return { step: 'mail', invoiceId, to: asked.params.to ?? null }
    case 'sync_erp':
      return { step: 'sync' }
    case 'renew_certificate':
      return { step: 'certificate' }
    case 'prepare_return':
      if (!taxReturn) throw new Error('A return without a period cannot be prepared.')
      return { step: 'return', ...taxReturn }
    case 'fix_client_data':
      return acceptFix(tx, asked)
    case 'discard_draft':
      return acceptDiscard(tx, asked)
    case 'record_payment':
      return acceptPayment(tx, asked)
    case 'send_reminder':
      return { step: 'reminder', invoiceId }
    case 'create_quote':
      return acceptQuote(tx, asked)
    case 'record_received_invoice':
      return acceptReceived(tx, asked)
  }
}

export const proposalChecks: ProposalChecks = {
  assess: (ctx, asked) => checkRequest(ctx, asked, alone),
  accept,
}
