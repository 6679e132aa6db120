/** Syncs that a crash interrupted. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { AppEnvironment, Book } from '../../../context.ts'
import { numberList } from '../../../db/engine-sql.ts'
import { idsOf } from '../../../platform/jobs/index.ts'

/** Not bound: the planner has to recognize the condition of an index. */
export const isRunning = sql<SqlBool>`erp_runs.state = 'running'`

/** Returns the rows of the syncs of some books that have begun and not ended. */
export function runningRuns(env: AppEnvironment, books: readonly Book[]) {
  return env.store.reader
    .selectFrom('erp_runs')
    .select(['id', 'book_id'])
    .where(isRunning)
    .where('book_id', 'in', numberList(idsOf(books)))
    .orderBy('id')
    .execute()
}

/** Marks syncs that a crash ended as interrupted; the next sync continues where they stopped. */
export async function settleInterrupted(env: AppEnvironment, books: readonly Book[]): Promise<void> {
  const running = await runningRuns(env, books)
  for (const { companyId, id: bookId } of books) {
    const left = running.filter((run) => run.book_id === bookId)
    if (left.length > 0) await settleOf(env, companyId, left)
  }
}

async function settleOf(
  env: AppEnvironment,
  companyId: number,
  left: readonly { id: number }[],
): Promise<void> {
  await env.store.transaction(companyId, async (db) => {
    for (const { id } of left) {
      await db
        .updateTable('erp_runs')
        .set({
          state: 'failed',
          error_code: 'erp_interrupted',
          resumable: 1,
          finished_at: env.now().getTime(),
        })
        .where('id', '=', id)
        .execute()
      await db
        .updateTable('erp_run_resources')
        .set({ state: 'waiting' })
        .where('run_id', '=', id)
        .where('state', '=', 'running')
        .execute()
    }
  })
}
