/** What only the owner may allow programs: each step that they ask for, and keys that need not ask. */
import type { decideApprovalContract } from '../../sales/invoices/issue/approvals-contract.ts'
import type { createKeyByPersonContract } from '../../platform/api-keys/contract.ts'
import type { UseCase } from '../../context.ts'
import { decideApproval as decide } from '../../sales/invoices/index.ts'
import { createKeyByPerson as createKey } from '../../platform/api-keys/index.ts'
import { lockOf } from '../app-lock/index.ts'

/**
 * Whoever says yes shows first that they are the owner, unless the owner has turned that off; a no does no harm. Otherwise a
 * program that moves the pointer, or has found a way into the window, could ask and answer by itself. Throws `identity_needed`, `lock_code_wrong` and `lock_wait`.
 */
export const decideApproval: UseCase<typeof decideApprovalContract> = async (ctx, { code, ...input }) => {
  if (input.decision === 'approve') {
    const lock = await lockOf(ctx.env)
    if (lock.kept?.beforeApproval ?? true) await lock.prove(ctx, 'approve', code)
  }
  return decide(ctx, input)
}

/**
 * Makes a key. One that issues in a live book without asking anybody is made by the owner alone: any program of this account
 * can start the command line. Throws `identity_needed`, `lock_code_wrong` and `lock_wait`.
 */
export const createKeyByPerson: UseCase<typeof createKeyByPersonContract> = async (
  ctx,
  { code, ...input },
) => {
  if (ctx.book.mode === 'live' && input.approval === 'never')
    await (await lockOf(ctx.env)).prove(ctx, 'setting', code)
  return createKey(ctx, input)
}
