/** Validate: every rule before the irreversible step, a preview of what would be registered, and the token for it. */
import { recordAudit } from '../audit/index.ts'
import { eurosFromCents } from '../core/money.ts'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import type { Ctx, UseCase } from '../ctx.ts'
import { mintConfirmation } from './confirmations.ts'
import type { ValidationResult } from './contract.ts'
import { draftRow } from './drafts.ts'
import { readInvoice } from './get.ts'
import { examineDraft } from './examine.ts'
import type { Examination } from './examine.ts'
import { partyView } from './parties.ts'
import type { InvoiceRow } from './rows.ts'
import { breakdownView, withholdingView } from './view.ts'

function previewOf(examination: Examination): ValidationResult['preview'] {
  const { content, totals } = examination
  const withholding = withholdingView(totals)
  return {
    number: examination.number,
    kind: content.kind,
    issueDate: examination.issueDate,
    issuer: partyView(examination.issuer),
    client: partyView(content.client),
    taxBreakdown: breakdownView(totals),
    total: eurosFromCents(totals.totalCents),
    ...(withholding ? { withholding } : {}),
    amountDue: eurosFromCents(totals.amountDueCents),
    environment: examination.environment,
  }
}

/**
 * Whether a person has to say yes before this key's issue takes effect: in live books always, unless the key was made
 * with `approval: never`; a person at the window is that yes.
 */
export function approvalRequired(ctx: Ctx): boolean {
  if (ctx.book.mode === 'test' || ctx.actor.kind !== 'key') return false
  return ctx.actor.approval === 'always' || ctx.channel === 'mcp'
}

function mayIssue(ctx: Ctx): boolean {
  return ctx.actor.kind !== 'key' || ctx.actor.scopes.includes('invoices.issue')
}

async function confirm(
  ctx: Ctx,
  row: InvoiceRow,
  examination: Examination,
): Promise<NonNullable<ValidationResult['confirmation']>> {
  const { token, expiresAt } = await mintConfirmation(ctx, {
    invoiceId: row.id,
    draftVersion: row.version,
    contentHash: examination.hash,
  })
  await recordAudit(ctx, {
    action: 'invoice.confirmation_given',
    target: { type: 'invoice', id: row.public_id },
  })
  const required = approvalRequired(ctx)
  return {
    confirmationToken: token,
    expiresAt: new Date(expiresAt).toISOString(),
    contentHash: examination.hash.toString('hex'),
    approval: { required, status: required ? 'pending' : 'not_required' },
  }
}

/** Check a draft; when it may be issued and the caller may issue, mint the token. */
export const validateInvoice: UseCase<
  ParsedInputOf<'invoices.validate'>,
  OutputOf<'invoices.validate'>
> = async (ctx, input) => {
  const examine = async (within: Ctx) => {
    const row = await draftRow(within, input.id, input.expectedVersion)
    return { row, examination: await examineDraft(within, row) }
  }
  const answer = (examination: Examination): ValidationResult => ({
    valid: !examination.faults.some((fault) => fault.severity === 'error'),
    issues: examination.faults,
    preview: previewOf(examination),
  })
  if (!mayIssue(ctx)) return readInvoice(ctx, input.id, async () => answer((await examine(ctx)).examination))
  return ctx.transaction(async (tx) => {
    const { row, examination } = await examine(tx)
    const result = answer(examination)
    return result.valid ? { ...result, confirmation: await confirm(tx, row, examination) } : result
  })
}
