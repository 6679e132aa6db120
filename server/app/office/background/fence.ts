/** Keeps the holder of a lease from writing once another server holds it. */
import type { AppEnvironment } from '../../../context.ts'
import { holdLease } from '../../../db/postgres/tables/due-work.ts'
import type { TakenWork } from '../../../db/postgres/tables/due-work.ts'

/**
 * Returns an environment whose transactions commit only while the lease is held: each begins by locking its row. Throws
 * `LeaseLost` in a transaction that comes too late.
 */
export function fenced(env: AppEnvironment, taken: TakenWork): AppEnvironment {
  const { store } = env
  const transaction: typeof store.transaction = (companyId, work) =>
    store.transaction(companyId, async (db) => {
      await holdLease(db, taken)
      return work(db)
    })
  return { ...env, store: Object.assign(Object.create(store) as typeof store, { transaction }) }
}
