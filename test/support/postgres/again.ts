/** Lets every transaction of a store run twice, as after a connection that was lost before the commit. */
import type { Store } from '../../../server/db/store.ts'

/** The first run of each work is rolled back when it has done everything. */
export function runTwice(store: Store): void {
  const { transaction } = store
  store.transaction = (companyId, work, start) => {
    let runs = 0
    return transaction.call(
      store,
      companyId,
      async (db) => {
        const done = await work(db)
        // What PostgreSQL answers to changes that crossed with others.
        if ((runs += 1) === 1) throw Object.assign(new Error('Run again.'), { code: '40001' })
        return done
      },
      start,
    ) as Promise<never>
  }
}
