/**
 * Keys that were just used, so that a request need not ask the store who it is: after every write the reading connection
 * has to fetch and decrypt its pages again. Revoking any key forgets them all; only this process writes to the store.
 */
import type { Db } from '../../db/query.ts'

const MAX_KNOWN = 200

/** What is known of keys by their lookup. A reading that began before something was forgotten is not kept. */
export class CachedKeys<Row> {
  private readonly rows = new Map<string, Row>()
  private generation = 0

  find(lookup: string): Row | undefined {
    return this.rows.get(lookup)
  }

  /** The row read, kept for the next time unless keys were forgotten while it was read. */
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

/** The known keys of an open store, by its reading connection. */
export function cachedKeys<Row>(reader: Db): CachedKeys<Row> {
  let known = byReader.get(reader)
  if (!known) byReader.set(reader, (known = new CachedKeys()))
  return known as CachedKeys<Row>
}
