/** Seals the values of sealed columns again, when the key of the books changes. */
import type { Connection } from './connection.ts'
import type { Sealer } from '../seal.ts'
import type { Cell, SealedColumn } from '../sealed-columns.ts'

function has(connection: Connection, { table, column }: SealedColumn): boolean {
  const columns = connection.all('select name from pragma_table_info(?)', [table]) as { name: string }[]
  return columns.some(({ name }) => name === column)
}

/** Seals every value again, in one transaction. Returns their number; throws if one does not open. */
export function resealColumns(
  connection: Connection,
  columns: readonly SealedColumn[],
  from: Sealer,
  to: Sealer,
): number {
  const { handle } = connection
  let count = 0
  handle.exec('begin immediate')
  try {
    for (const sealed of columns.filter((one) => has(connection, one))) {
      const { table, column, key, reads = [], rows = `${column} is not null`, place, within } = sealed
      const found = connection.all(
        `select ${[...new Set([...key, ...reads, column])].join(', ')} from ${table} where ${rows}`,
        [],
      ) as Record<string, Cell>[]
      const update = handle.prepare(
        `update ${table} set ${column} = ? where ${key.map((name) => `${name} = ?`).join(' and ')}`,
      )
      for (const row of found) {
        const cell = String(row[column])
        const plain = from.open(within?.read(cell) ?? cell, place(row))
        const again = to.seal(plain, place(row))
        plain.fill(0)
        update.run(within?.write(cell, again) ?? again, ...key.map((name) => row[name]))
        count += 1
      }
    }
    handle.exec('commit')
  } catch (error) {
    if (handle.inTransaction) handle.exec('rollback')
    throw error
  }
  return count
}
