/**
 * Counts work that should not be interrupted (writes, messages to the authority, mails), so that a restart can wait
 * for it.
 */

interface Meter {
  count: number
  waiting: (() => void)[]
}

/** Counted per store: work in one store does not affect another. */
const meters = new WeakMap<object, Meter>()

/** Runs the work and counts it as in flight until it has settled. */
export async function track<T>(store: object, work: () => Promise<T>): Promise<T> {
  const meter = meters.get(store) ?? { count: 0, waiting: [] }
  meters.set(store, meter)
  meter.count += 1
  try {
    return await work()
  } finally {
    meter.count -= 1
    if (meter.count === 0) for (const go of meter.waiting.splice(0)) go()
  }
}

export function isInFlight(store: object): boolean {
  return (meters.get(store)?.count ?? 0) > 0
}

/** Resolves when no work is in flight. Work that starts later is not waited for. */
export async function waitUntilIdle(store: object): Promise<void> {
  // An earlier waiter may have started new work.
  while (isInFlight(store)) await new Promise<void>((go) => meters.get(store)?.waiting.push(go))
}
