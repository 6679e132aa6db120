/** The counters and slots of an open store, and their policy: one row of its settings. */
import type { CappedFamily } from '../../domain/contract/rate-limits.ts'
import type { AppEnvironment } from '../../context.ts'
import type { Db } from '../../db/query.ts'
import type { Store } from '../../db/store.ts'
import type { LimitPolicy } from './contract.ts'
import { Counters } from './counters.ts'
import { Semaphore } from './expensive-semaphore.ts'
import { SharedCounts } from './shared-counts.ts'

const SETTING = 'limits'
/** In an office another server may have changed the policy, and its notice can get lost. */
const LOOK_MS = 30_000

/** State shared by the keys of one open store. */
export interface StoreLimits {
  counters: Counters
  /** What the servers of an office count together; null on a desk. */
  shared: SharedCounts | null
  /** Of this process: they protect its computer. */
  places: Record<CappedFamily, Semaphore>
}

const byStore = new WeakMap<Store, StoreLimits>()

type Environment = Pick<AppEnvironment, 'store' | 'servers' | 'report'>

/** Returns the limits of an open store, which all transports share. */
export function limitsOf({ store, servers, report }: Environment): StoreLimits {
  let limits = byStore.get(store)
  if (!limits) {
    const shared = servers && new SharedCounts(servers, (error) => report('limits', error))
    limits = {
      counters: new Counters(undefined, shared),
      shared,
      places: { documents: new Semaphore(), outward: new Semaphore() },
    }
    byStore.set(store, limits)
  }
  return limits
}

async function readPolicy({ store, ...env }: Environment): Promise<StoreLimits> {
  const limits = limitsOf({ store, ...env })
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

/**
 * Applies the stored policy to the store's limits, and goes on doing so in an office until `stop`. Call it before the
 * first request.
 */
export async function loadLimits(env: Environment): Promise<{ limits: StoreLimits; stop: () => void }> {
  const limits = await readPolicy(env)
  const { servers } = env
  if (!servers) return { limits, stop: () => {} }
  const look = (): void =>
    void readPolicy(env).catch((error: unknown) => {
      env.report('limits', error)
    })
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  const endNotices = servers.onTold('limits', look)
  return {
    limits,
    stop: () => {
      clearInterval(timer)
      endNotices()
    },
  }
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
