/**
 * The port under which programs and assistants know this server. A program that is set up with an address sends its
 * key to the process that answers there, so that while keys are active the server uses that port or does not start.
 */
import type { Db } from '../../db/query.ts'
import type { Store } from '../../db/store.ts'

const SETTING = 'served_port'

interface PortPromise {
  /** True if active keys exist, so that the address may be stored in other programs. */
  held: boolean
  /** The last port of the server; null if there was none. */
  port: number | null
}

export async function readPortPromise(db: Db): Promise<PortPromise> {
  const key = await db
    .selectFrom('api_keys')
    .select('id')
    .where('revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  const row = await db.selectFrom('settings').select('value').where('name', '=', SETTING).executeTakeFirst()
  return { held: key !== undefined, port: row ? Number(row.value) : null }
}

/** Stores the server's port; writes nothing if it has not changed. */
export async function savePort(store: Store, port: number): Promise<void> {
  if ((await readPortPromise(store.reader)).port === port) return
  const value = String(port)
  await store.transaction(null, (db) =>
    db
      .insertInto('settings')
      .values({ name: SETTING, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute(),
  )
}
