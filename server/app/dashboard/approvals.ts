/** Approvals that only the owner can give: steps that programs request, and keys that issue without asking. */
import type { decideApprovalContract } from '../../sales/invoices/issue/approvals-contract.ts'
import type { createKeyByPersonContract } from '../../platform/api-keys/contract.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { decideApproval as decide } from '../../sales/invoices/index.ts'
import { createKeyByPerson as createKey } from '../../platform/api-keys/index.ts'
import { lockOf } from '../app-lock/index.ts'

/** True for a person of an office, who has just proved to be there: the call has brought the proof with it. */
const isVerified = ({ actor }: Ctx): boolean => actor.kind === 'user' && actor.rights !== undefined

/**
 * Decides an approval. A yes requires proof of the owner, unless the owner has turned that off; a no does not.
 * Otherwise a program that controls the pointer, or has entered the window, could request and approve by itself.
 * Throws `identity_needed`, `lock_code_wrong` and `lock_wait`.
 */
export const decideApproval: UseCase<typeof decideApprovalContract> = async (ctx, { code, ...input }) => {
  if (input.decision === 'approve' && !isVerified(ctx)) {
    const lock = await lockOf(ctx.env)
    if (lock.kept?.beforeApproval ?? true) await lock.prove(ctx, 'approve', code)
  }
  return decide(ctx, input)
}

/**
 * Creates a key. One that issues in a live book without asking requires proof of the owner, because any program of
 * this account can start the command line. Throws `identity_needed`, `lock_code_wrong` and `lock_wait`.
 */
export const createKeyByPerson: UseCase<typeof createKeyByPersonContract> = async (
  ctx,
  { code, ...input },
) => {
  if (ctx.book.mode === 'live' && input.approval === 'never' && !isVerified(ctx))
    await (await lockOf(ctx.env)).prove(ctx, 'setting', code)
  return createKey(ctx, input)
}
