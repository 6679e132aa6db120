/**
 * Cache of recently used keys, so that a request need not query the store: after every write the read connection has
 * to fetch and decrypt its pages again. Revoking any key clears the cache; only this process writes to the store.
 */
import type { Db } from '../../db/query.ts'

const MAX_KNOWN = 200

/** Cached rows of keys by their lookup. A read that began before the cache was cleared is not cached. */
export class CachedKeys<Row> {
  private readonly rows = new Map<string, Row>()
  private generation = 0

  find(lookup: string): Row | undefined {
    return this.rows.get(lookup)
  }

  /** Returns the cached row, or reads and caches it unless the cache was cleared during the read. */
  async read(lookup: string, read: () => Promise<Row | undefined>): Promise<Row | undefined> {
    const { generation } = this
    const row = await read()
    if (row === undefined || generation !== this.generation) return row
    if (this.rows.size >= MAX_KNOWN) this.rows.clear()
    this.rows.set(lookup, row)
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
  if (!known) byReader.set(reader, (known = new CachedKeys()))
  return known as CachedKeys<Row>
}
