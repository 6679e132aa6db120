/**
 * Records whether the owner has seen the recovery code. A code made on the command line without the lock code
 * may belong to any program of this account: it restores the books but opens neither the window nor the lock.
 */
import { embedded } from '../../db/embedded/port.ts'
import type { AppEnvironment } from '../../context.ts'
import type { Db } from '../../db/query.ts'

const SETTING = 'recovery_code_unproven'

/** Records, in the transaction of the new code, whether its creator has proved to be the owner. */
export async function recordCodeOwner(db: Db, isOwner: boolean): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', SETTING).execute()
  if (!isOwner) await db.insertInto('settings').values({ name: SETTING, value: '1' }).execute()
}

/** Returns true when there is a recovery code that the owner has seen. */
export async function hasOwnersCode({ store }: AppEnvironment): Promise<boolean> {
  if (!embedded(store).hasRecoveryCode()) return false
  const row = await store.reader
    .selectFrom('settings')
    .select('name')
    .where('name', '=', SETTING)
    .executeTakeFirst()
  return row === undefined
}
