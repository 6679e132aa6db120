/**
 * The port under which programs and assistants know this server. What is set up with an address sends its key to whoever
 * answers there, so while keys are active the server answers at that port or not at all.
 */
import type { Db } from '../../db/query.ts'
import type { Store } from '../../db/store.ts'

const SETTING = 'served_port'

export interface PortPromise {
  /** Active keys exist, so that settings with an address may be anywhere. */
  held: boolean
  /** Where the server was last; null when it never was. */
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

/** Remembers where the server is; nothing is written when it is where it was. */
export async function rememberPort(store: Store, port: number): Promise<void> {
  if ((await readPortPromise(store.reader)).port === port) return
  const value = String(port)
  await store.transaction((db) =>
    db
      .insertInto('settings')
      .values({ name: SETTING, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute(),
  )
}
