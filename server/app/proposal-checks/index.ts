/** Whether what is proposed can be done, and what a yes does of it: each action by the rules of those who do it anyway. */
import type { Ctx } from '../../context.ts'
import type { Asked, Assessment, Feasibility, Outcome } from '../approvals/index.ts'
import { judgeCertificate, judgeReturn, judgeSync } from './book.ts'
import { acceptFix, judgeFix } from './contact.ts'
import {
  acceptDiscard,
  acceptPayment,
  acceptQuote,
  acceptReceived,
  judgeDiscard,
  judgePayment,
  judgeQuote,
  judgeReceived,
  judgeReminder,
} from './everyday.ts'
import { judgeCopy } from './copy.ts'
import { acceptCorrection, judgeCorrection } from './correct.ts'
import type { Judge } from './invoice.ts'
import { judgeIssue } from './issue.ts'
import { judgeCancellation, judgeRetry } from './records.ts'

function judge(ctx: Ctx, asked: Asked, other: Judge | null): Promise<Assessment> {
  switch (asked.action) {
    case 'issue_invoice':
      return judgeIssue(ctx, asked, other)
    case 'correct_invoice':
      return judgeCorrection(ctx, asked, other)
    case 'cancel_registration':
      return judgeCancellation(ctx, asked, other)
    case 'retry_rejected':
      return judgeRetry(ctx, asked)
    case 'send_invoice_copy':
      return judgeCopy(ctx, asked, other)
    case 'sync_erp':
      return judgeSync(ctx, asked)
    case 'renew_certificate':
      return judgeCertificate(ctx, asked)
    case 'prepare_return':
      return judgeReturn(ctx, asked)
    case 'fix_client_data':
      return judgeFix(ctx, asked)
    case 'discard_draft':
      return judgeDiscard(ctx, asked)
    case 'record_payment':
      return judgePayment(ctx, asked)
    case 'send_reminder':
      return judgeReminder(ctx, asked)
    case 'create_quote':
      return judgeQuote(ctx, asked)
    case 'record_received_invoice':
      return judgeReceived(ctx, asked)
  }
}

/** An alternative is judged by itself: one that led to another would go round in a circle. */
const alone: Judge = (ctx, asked) => judge(ctx, asked, null)

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

export const feasibility: Feasibility = { assess: (ctx, asked) => judge(ctx, asked, alone), accept }
