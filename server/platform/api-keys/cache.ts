/**
 * Cache of recently used keys, so that a request need not query the store: on a desk the read connection has to fetch
 * and decrypt its pages again after every write. Revoking any key clears the cache. Another server of an office hears
 * of it by a notice, which can get lost, so that rows are used for a few seconds only.
 */
import { engineOf } from '../../db/query.ts'
import type { Db } from '../../db/query.ts'

const MAX_KNOWN = 200
/** Longest use of a row that another server may have changed. Open streams look every second: 5 s in all. */
const CACHED_MS = 3_000

interface CacheOptions {
  /** Longest use of a row after it was read, in milliseconds. */
  maxAgeMs?: number
  monotonicMs?: () => number
}

/** Cached rows of keys by their lookup. A read that began before the cache was cleared is not cached. */
export class CachedKeys<Row> {
  private readonly rows = new Map<string, { row: Row; until: number }>()
  private readonly maxAgeMs: number
  private readonly monotonicMs: () => number
  private generation = 0

  constructor({ maxAgeMs = Infinity, monotonicMs = () => performance.now() }: CacheOptions = {}) {
    this.maxAgeMs = maxAgeMs
    this.monotonicMs = monotonicMs
  }

  find(lookup: string): Row | undefined {
    const entry = this.rows.get(lookup)
    if (entry === undefined || (entry.until !== Infinity && this.monotonicMs() >= entry.until))
      return undefined
    return entry.row
  }

  /** Returns the cached row, or reads and caches it unless the cache was cleared during the read. */
  async read(lookup: string, read: () => Promise<Row | undefined>): Promise<Row | undefined> {
    const { generation } = this
    // Counted from before the read: what it finds may have changed since.
    const until = this.maxAgeMs === Infinity ? Infinity : this.monotonicMs() + this.maxAgeMs
    const row = await read()
    if (row === undefined || generation !== this.generation) return row
    if (this.rows.size >= MAX_KNOWN) this.rows.clear()
    this.rows.set(lookup, { row, until })
    return row
  }

  forget(): void {
    this.generation += 1
    this.rows.clear()
  }
}

const byReader = new WeakMap<Db, CachedKeys<unknown>>()

/** Returns the cached keys of an open store, by its read connection. */
export function cachedKeys<Row>(reader: Db): CachedKeys<Row> {
  let known = byReader.get(reader)
  if (!known) {
    known = new CachedKeys(engineOf(reader) === 'pg' ? { maxAgeMs: CACHED_MS } : {})
    byReader.set(reader, known)
  }
  return known as CachedKeys<Row>
}
