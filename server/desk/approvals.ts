/** A person's answer to what a program asks: from the owner alone, where the owner wants it so. */
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import type { UseCase } from '../ctx.ts'
import { decideApproval as decide } from '../invoices/index.ts'
import { lockOf } from './lock/index.ts'

/**
 * Whoever says yes may have to show that they are the owner first; a no does no harm. Otherwise a program that moves the
 * pointer could ask and answer by itself. Throws `identity_needed`, `lock_code_wrong` and `lock_wait`.
 */
export const decideApproval: UseCase<
  ParsedInputOf<'approvals.decide'>,
  OutputOf<'approvals.decide'>
> = async (ctx, { code, ...input }) => {
  if (input.decision === 'approve') {
    const lock = await lockOf(ctx.env)
    if (lock.kept?.beforeApproval) await lock.prove(ctx, 'approve', code)
  }
  return decide(ctx, input)
}
