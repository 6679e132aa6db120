/** Reads the rows of a company in bulk, with the role of a server and in a transaction of its own. */
import type { AppEnvironment } from '../../context.ts'

/** Returns the port of an office for whoever reads all rows of a company. */
export function readRowsOf(url: string): NonNullable<AppEnvironment['readRows']> {
  return async (companyId, work) => {
    const { DatabaseBulk } = await import('../../db/postgres/bulk.ts')
    // The connection may be one of a pool: nothing is set outside of the transaction.
    const database = await DatabaseBulk.open(url, { setsSession: false })
    try {
      await database.begin('read')
      await database.enter(companyId)
      return await work(database)
    } finally {
      await database.rollback()
      await database.close()
    }
  }
}
