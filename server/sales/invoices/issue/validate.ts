/** Validate: every rule of an irreversible step, a preview of its record, and its token. */
import { recordAudit } from '../../../platform/audit/index.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { approvalRequired, requestApproval } from './approvals.ts'
import { mintConfirmation } from './confirmations.ts'
import type { validateInvoiceContract, ValidationResult } from '../contract.ts'
import { examineStep } from './examine-step.ts'
import type { Examined, StepRequest } from './examine-step.ts'
import { readInvoice } from '../read/get.ts'
import { ownerLanguage } from '../../../db/owner-language.ts'
import { summaryForUser } from './summary-for-user.ts'

function mayIssue(ctx: Ctx): boolean {
  return ctx.actor.kind !== 'key' || ctx.actor.scopes.includes('invoices.issue')
}

async function confirm(
  ctx: Ctx,
  examined: Examined,
  request: StepRequest,
): Promise<NonNullable<ValidationResult['confirmation']>> {
  const { row, hash } = examined
  const { token, tokenHash, expiresAt } = await mintConfirmation(ctx, {
    action: request.action,
    invoiceId: row.id,
    version: row.version,
    contentHash: hash,
    details: request.action === 'amend' ? JSON.stringify(request.changes) : null,
  })
  await recordAudit(ctx, {
    action: 'invoice.confirmation_given',
    target: { type: 'invoice', id: row.public_id },
  })
  const approval = approvalRequired(ctx)
    ? await requestApproval(ctx, examined, { action: request.action, tokenHash, expiresAt })
    : ({ required: false, status: 'not_required' } as const)
  return {
    confirmationToken: token,
    expiresAt: new Date(expiresAt).toISOString(),
    contentHash: hash.toString('hex'),
    approval,
  }
}

function requestOf({
  action = 'issue',
  changes,
}: ContractInput<typeof validateInvoiceContract>): StepRequest {
  if (action === 'amend') return { action, changes: changes ?? {} }
  if (changes !== undefined)
    throw validationFailed([
      {
        code: 'changes_without_amend',
        field: 'changes',
        severity: 'error',
        message: 'Changes go with action amend only.',
        fix: 'Set action to amend, or change the draft itself.',
      },
    ])
  return { action }
}

/** Validates a step; when it is allowed and the caller may perform it, mints the token. */
export const validateInvoice: UseCase<typeof validateInvoiceContract> = async (ctx, input) => {
  const { id, expectedVersion } = input
  // No tool uses the token of these steps: an assistant that got one would request it repeatedly.
  if (ctx.channel === 'mcp' && (input.action ?? 'issue') !== 'issue') throw new AppError('step_for_the_owner')
  const request = requestOf(input)
  // An issue follows soon; should loading fail, the issue says so.
  if (request.action === 'issue') ctx.env.truth.load()?.catch(() => {})
  const language = await ownerLanguage(ctx.db)
  const answer = ({ faults, preview }: Examined): ValidationResult => ({
    valid: !faults.some((fault) => fault.severity === 'error'),
    issues: faults,
    summaryForUser: summaryForUser(request.action, preview, faults, language),
    preview,
  })
  if (!mayIssue(ctx))
    return readInvoice(ctx, id, async () => answer(await examineStep(ctx, id, request, expectedVersion)))
  return ctx.transaction(async (tx) => {
    const examined = await examineStep(tx, id, request, expectedVersion)
    const result = answer(examined)
    return result.valid ? { ...result, confirmation: await confirm(tx, examined, request) } : result
  })
}
