/** Finds the same invoice, or the same paper, in the books and among the other incoming documents. */
import type { Ctx } from '../../context.ts'
import type { DuplicateOf } from './contract.ts'
import type { IncomingFacts } from './facts.ts'

/** Returns what a document repeats, the most certain first; null if nothing. */
export async function findIncomingDuplicate(_ctx: Ctx, _facts: IncomingFacts): Promise<DuplicateOf | null> {
  return null
}
