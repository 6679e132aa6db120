/** The counters and slots of an open store, and their policy: one row of its settings. */
import type { CappedFamily } from '../../domain/contract/rate-limits.ts'
import type { Db } from '../../db/query.ts'
import type { Store } from '../../db/store.ts'
import type { LimitPolicy } from './contract.ts'
import { Counters } from './counters.ts'
import { Semaphore } from './expensive-semaphore.ts'

const SETTING = 'limits'

/** State shared by the keys of one open store. */
export interface StoreLimits {
  counters: Counters
  places: Record<CappedFamily, Semaphore>
}

const byStore = new WeakMap<Store, StoreLimits>()

/** Returns the limits of an open store, which all transports share. */
export function limitsOf(store: Store): StoreLimits {
  let limits = byStore.get(store)
  if (!limits) {
    limits = { counters: new Counters(), places: { documents: new Semaphore(), outward: new Semaphore() } }
    byStore.set(store, limits)
  }
  return limits
}

/** Applies the stored policy to the store's limits. Call it before the first request. */
export async function loadLimits(store: Store): Promise<StoreLimits> {
  const limits = limitsOf(store)
  const row = await store.reader
    .selectFrom('settings')
    .select('value')
    .where('name', '=', SETTING)
    .executeTakeFirst()
  // An unknown plan must not prevent the books from opening; the default refuses no request.
  if (row) {
    const { LimitPolicy } = await import('./contract.ts')
    const kept = LimitPolicy.safeParse(JSON.parse(row.value))
    if (kept.success) limits.counters.apply(kept.data)
  }
  return limits
}

/** Stores the policy. */
export async function savePolicy(db: Db, policy: LimitPolicy): Promise<void> {
  const value = JSON.stringify(policy)
  await db
    .insertInto('settings')
    .values({ name: SETTING, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
