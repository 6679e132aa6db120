/**
 * Whether the owner has seen the recovery code. One made on the command line, without the code of the lock, may be that of any
 * program of this account: it gives the books back, but opens neither the window nor the lock.
 */
import type { AppEnvironment } from '../../context.ts'
import type { Db } from '../../db/query.ts'

const SETTING = 'recovery_code_unproven'

/** Notes, in the transaction of the new code, whether whoever made it has shown that they are the owner. */
export async function noteOwnerOfCode(db: Db, isOwner: boolean): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', SETTING).execute()
  if (!isOwner) await db.insertInto('settings').values({ name: SETTING, value: '1' }).execute()
}

/** Whether there is a recovery code that the owner has seen. */
export async function hasOwnersCode({ store }: AppEnvironment): Promise<boolean> {
  if (!store.hasRecoveryCode()) return false
  const row = await store.reader
    .selectFrom('settings')
    .select('name')
    .where('name', '=', SETTING)
    .executeTakeFirst()
  return row === undefined
}
