/** Syncs that a crash interrupted. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { AppEnvironment } from '../../../context.ts'

/** Not bound: the planner has to recognize the condition of an index. */
export const isRunning = sql<SqlBool>`erp_runs.state = 'running'`

/** Marks syncs that a crash ended as interrupted; the next sync continues where they stopped. */
export async function settleInterrupted(env: AppEnvironment): Promise<void> {
  const running = await env.store.reader.selectFrom('erp_runs').select('id').where(isRunning).execute()
  if (running.length === 0) return
  await env.store.transaction(null, async (db) => {
    for (const { id } of running) {
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
