/** Types of the database's tables: server/db/schema.ts and one file for each room in server/db/schema/. */
import { migrate } from '../../server/db/embedded/migrate.ts'
import { openScratch } from '../../server/db/embedded/open.ts'
import { migrations } from '../../server/db/migrations/list.ts'
import { ROOMS } from '../schema/rooms/index.ts'
import { readTables } from '../schema/tables.ts'
import { schemaFiles } from '../schema/types.ts'

export async function generate(): Promise<Record<string, string>> {
  const connection = openScratch()
  try {
    migrate(connection, migrations)
    return await schemaFiles(readTables(connection), ROOMS)
  } finally {
    connection.close()
  }
}
