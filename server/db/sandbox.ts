/** The sandbox mark of books: set once when they are created, and permanent. */
import type { Db } from './query.ts'

export const SANDBOX = 'sandbox'

export async function isSandbox(db: Db): Promise<boolean> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', SANDBOX).executeTakeFirst()
  return row?.value === 'true'
}
