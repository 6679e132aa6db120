/** Whether books are a sandbox's: said once when they are made, and true for ever. */
import type { Db } from './query.ts'

export const SANDBOX = 'sandbox'

export async function isSandbox(db: Db): Promise<boolean> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', SANDBOX).executeTakeFirst()
  return row?.value === 'true'
}
