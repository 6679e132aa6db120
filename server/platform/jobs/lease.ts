/**
 * Leases within this process: one holder at a time for each key. A lease that must survive the process is a column of the
 * slice's own table; the worker has it given back (`reclaim`).
 */

/** The keys that are held, by the store they belong to: what happens in one store says nothing of another. */
export class LeaseTable<Key> {
  private readonly held = new WeakMap<object, Set<Key>>()

  /** Runs the work while it holds the lease of `key`. Returns `ifHeld` at once when somebody else holds it. */
  async hold<T>(store: object, key: Key, work: () => Promise<T>, ifHeld: T): Promise<T> {
    const keys = this.held.get(store) ?? new Set<Key>()
    this.held.set(store, keys)
    if (keys.has(key)) return ifHeld
    keys.add(key)
    try {
      return await work()
    } finally {
      keys.delete(key)
    }
  }
}
