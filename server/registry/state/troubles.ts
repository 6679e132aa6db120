/** What is wrong with the records of a book, in numbers: for summaries of many books. */
import type { Ctx } from '../../context.ts'
import { findChain } from '../chain/rows.ts'
import { findFlow, needsAction, queueCounts } from '../queue/rows.ts'

interface RegistryTroubles {
  records: number
  /** Records that need a person: rejected, accepted with errors, or in conflict. */
  needAction: number
  pending: number
  /** When the oldest pending record was made, in milliseconds since 1970. */
  oldestAt: number | null
  chain: 'ok' | 'held' | 'broken'
  /** The authority refuses every message. */
  stopped: boolean
}

/** Counts from the indexes of open and troubled submissions. */
export async function registryTroubles(ctx: Ctx): Promise<RegistryTroubles> {
  const chain = await findChain(ctx)
  const flow = await findFlow(ctx)
  const { pending, oldestAt } = await queueCounts(ctx)
  const { count } = await ctx.db
    .selectFrom('registry_submissions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('registry_submissions.book_id', '=', ctx.book.id)
    .where(needsAction())
    .executeTakeFirstOrThrow()
  return {
    records: chain.records,
    needAction: count,
    pending,
    oldestAt,
    chain: chain.broken_at !== null ? 'broken' : chain.held_for !== null ? 'held' : 'ok',
    stopped: flow.stopped === 1,
  }
}
