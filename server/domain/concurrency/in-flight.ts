/** Counts what should not be cut short (writes, messages to the authority, mails), so that a restart can wait for it. */

interface Meter {
  count: number
  waiting: (() => void)[]
}

/** By store: what is under way in one says nothing of another. */
const meters = new WeakMap<object, Meter>()

/** Does the work and counts it as under way until it has ended, one way or the other. */
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

/** Resolves when nothing is under way. What begins afterwards is not waited for. */
export async function untilQuiet(store: object): Promise<void> {
  // Whoever was told first may have begun something new.
  while (isInFlight(store)) await new Promise<void>((go) => meters.get(store)?.waiting.push(go))
}
