/** The counters and places of an open store, and the policy they follow: one row of its settings. */
import type { CappedFamily } from '../../domain/contract/rate-limits.ts'
import type { Db } from '../../db/query.ts'
import type { Store } from '../../db/store.ts'
import type { LimitPolicy } from './contract.ts'
import { Counters } from './counters.ts'
import { Semaphore } from './expensive-semaphore.ts'

const SETTING = 'limits'

/** What keys of one open store share. */
export interface StoreLimits {
  counters: Counters
  places: Record<CappedFamily, Semaphore>
}

const byStore = new WeakMap<Store, StoreLimits>()

/** The limits of an open store; the same ones whichever door asks. */
export function limitsOf(store: Store): StoreLimits {
  let limits = byStore.get(store)
  if (!limits) {
    limits = { counters: new Counters(), places: { documents: new Semaphore(), outward: new Semaphore() } }
    byStore.set(store, limits)
  }
  return limits
}

/** Lets the store's limits follow what was chosen for it. To be called before the first request. */
export async function loadLimits(store: Store): Promise<StoreLimits> {
  const limits = limitsOf(store)
  const row = await store.reader
    .selectFrom('settings')
    .select('value')
    .where('name', '=', SETTING)
    .executeTakeFirst()
  // A plan that this version does not know must not keep the books shut; the default refuses nobody.
  if (row) {
    const { LimitPolicy } = await import('./contract.ts')
    const kept = LimitPolicy.safeParse(JSON.parse(row.value))
    if (kept.success) limits.counters.apply(kept.data)
  }
  return limits
}

/** Keeps what was chosen. */
export async function savePolicy(db: Db, policy: LimitPolicy): Promise<void> {
  const value = JSON.stringify(policy)
  await db
    .insertInto('settings')
    .values({ name: SETTING, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
