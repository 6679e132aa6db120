/** Finds what else in the books may belong to an incoming document. */
import type { Ctx } from '../../context.ts'
import type { IncomingMatch } from './contract.ts'
import type { IncomingFacts } from './facts.ts'

/** Returns what may belong to a document, the likeliest first. */
export async function matchesOf(_ctx: Ctx, _facts: IncomingFacts): Promise<IncomingMatch[]> {
  return []
}
