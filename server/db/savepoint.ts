/** A part of a transaction that can fail alone. */
import { sql } from 'kysely'
import type { Db } from './query.ts'

/**
 * Runs `work` within the open transaction; if it throws, its writes alone are undone and the error is thrown. Needed
 * wherever an error of the database is caught: PostgreSQL accepts nothing more in a transaction after one.
 */
export async function withSavepoint<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await sql`savepoint attempt`.execute(db)
  try {
    const result = await work()
    await sql`release savepoint attempt`.execute(db)
    return result
  } catch (error) {
    await sql`rollback to savepoint attempt`.execute(db)
    await sql`release savepoint attempt`.execute(db)
    throw error
  }
}
