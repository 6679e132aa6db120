/** Syncs that a crash interrupted. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { AppEnvironment } from '../../../context.ts'
import { numberList } from '../../../db/engine-sql.ts'
import { idsOf } from '../../../platform/jobs/index.ts'
import type { CompanyBooks } from '../../../platform/jobs/index.ts'

/** Not bound: the planner has to recognize the condition of an index. */
export const isRunning = sql<SqlBool>`erp_runs.state = 'running'`

/** Returns the rows of the syncs of a company that have begun and not ended. */
export async function runningRuns(company: CompanyBooks) {
  const rows = await company.reader
    .selectFrom('erp_runs')
    .select(['id', 'book_id'])
    .where(isRunning)
    .where('book_id', 'in', numberList(idsOf(company)))
    .execute()
  // Sorted here: in the order of their rows SQLite would read all of them.
  return rows.toSorted((one, other) => one.id - other.id)
}

/** Marks syncs of a company that a crash ended as interrupted; the next sync continues where they stopped. */
export async function settleInterrupted(env: AppEnvironment, company: CompanyBooks): Promise<void> {
  const left = await runningRuns(company)
  if (left.length === 0) return
  await env.store.transaction(company.companyId, async (db) => {
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
