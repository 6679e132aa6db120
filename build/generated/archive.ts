/** What the archive of a company says of its tables and columns: notes of the rooms, and the values that conditions allow. */
import { migrate } from '../../server/db/embedded/migrate.ts'
import { openScratch } from '../../server/db/embedded/open.ts'
import { migrations } from '../../server/db/migrations/list.ts'
import { ROOMS } from '../schema/rooms/index.ts'
import { readTables } from '../schema/tables.ts'

export function generate(): Record<string, string> {
  const connection = openScratch()
  try {
    migrate(connection, migrations)
    const notes = new Map(Object.values(ROOMS).flatMap(({ tables }) => Object.entries(tables)))
    const described = readTables(connection).map(({ name, columns }) => {
      const own = notes.get(name)
      const said = columns.flatMap((column) => {
        const doc = own?.columns?.[column.name]?.doc
        if (doc === undefined && column.values === null) return []
        return [
          [
            column.name,
            {
              ...(doc === undefined ? {} : { doc }),
              ...(column.values
                ? { values: column.values.map((value) => JSON.parse(value) as unknown) }
                : {}),
            },
          ],
        ]
      })
      return [
        name,
        { ...(own?.doc === undefined ? {} : { doc: own.doc }), columns: Object.fromEntries(said) as object },
      ]
    })
    return {
      'server/app/leaving/write/columns.json': `${JSON.stringify(Object.fromEntries(described), null, 2)}\n`,
    }
  } finally {
    connection.close()
  }
}
