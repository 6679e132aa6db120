/** The whole content of a store as one hash: to prove that an action changed nothing. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../../server/db/embedded/open.ts'

export interface StoreState {
  tables: number
  rows: number
  /** Over every value of every row of every table, and the schema itself. */
  sha256: string
}

/** Reads the store in a folder with its key beside it, while a server continues to run. */
export function storeState(folder: string): StoreState {
  const masterKey = Buffer.from(readFileSync(join(folder, 'master.key'), 'utf8').trim(), 'hex')
  const connection = openDatabase({ folder, masterKey, role: 'reader', cacheKib: 1024 })
  try {
    const schema = connection.all(
      "select name, sql from sqlite_master where type = 'table' order by name",
      [],
    )
    const hash = createHash('sha256').update(JSON.stringify(schema))
    let rows = 0
    for (const { name } of schema as { name: string }[]) {
      // Rows of one table in a sorted order, so that only their content counts.
      const held = connection.all(`select * from "${name}"`, []).map((row) => JSON.stringify(row))
      rows += held.length
      hash.update(name).update(held.toSorted().join('\n'))
    }
    return { tables: schema.length, rows, sha256: hash.digest('hex') }
  } finally {
    connection.close()
  }
}
