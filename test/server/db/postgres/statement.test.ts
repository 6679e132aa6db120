/** Descriptions of columns: asked for once by a connection, and never taken over from another one's statement. */
import type { PoolClient } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { runOn } from '../../../../server/db/postgres/connection.ts'
import { valueTypes } from '../../../../server/db/postgres/values.ts'
import { createTestPool, giveBackDatabase, takeBareDatabase } from '../../../support/postgres/databases.ts'

/** Two connections to a database with a table, and how often each was described columns. */
async function twoConnections() {
  const database = await takeBareDatabase()
  const pool = createTestPool({ connectionString: database.url, max: 2, types: valueTypes })
  const clients: PoolClient[] = []
  onTestFinished(async () => {
    for (const client of clients) client.release()
    await pool.end()
    await giveBackDatabase(database)
  })
  await database.admin.query(`create table birds (id bigint, name text); grant all on birds to public;
    insert into birds values (1, 'owl'), (2, 'wren')`)
  const connect = async () => {
    const client = await pool.connect()
    clients.push(client)
    let described = 0
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter }
    connection.on('rowDescription', () => (described += 1))
    return { client, described: () => described }
  }
  return { admin: database.admin, first: await connect(), second: await connect() }
}

const ALL = 'select * from birds where id = $1'
const read = async (client: PoolClient, id = 1): Promise<unknown> => (await runOn(client, ALL, [id])).rows

test('a connection asks for the columns of a statement once', async () => {
  const { first, second } = await twoConnections()
  for (let time = 0; time < 5; time += 1) expect(await read(first.client)).toEqual([{ id: 1, name: 'owl' }])
  // The first time it is not prepared yet.
  expect(first.described()).toBe(2)
  expect(await read(second.client, 2)).toEqual([{ id: 2, name: 'wren' }])
  expect(await read(second.client, 3)).toEqual([])
  expect(second.described()).toBe(1)
  const remove = 'delete from birds where id = $1'
  for (const [id, rows] of [
    [1, 1],
    [1, 0],
    [2, 1],
  ] as const)
    expect(await runOn(first.client, remove, [id])).toMatchObject({ rowCount: rows, rows: [] })
})

test('a connection that prepares it after a migration reads the new columns, and the old one is told', async () => {
  const { admin, first, second } = await twoConnections()
  for (let time = 0; time < 3; time += 1) await read(first.client)
  await admin.query("alter table birds add column size text not null default 'small'")
  const larger = [{ id: 1, name: 'owl', size: 'small' }]
  expect(await read(second.client)).toEqual(larger)
  expect(await read(second.client)).toEqual(larger)
  await expect(read(first.client)).rejects.toThrow('cached plan must not change result type')
  // Both prepare it again.
  for (const { client } of [first, second])
    for (let time = 0; time < 3; time += 1) expect(await read(client)).toEqual(larger)
})
