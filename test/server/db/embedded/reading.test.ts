/** Related reads: under one lock, and never of an earlier state. */
import { expect, test } from 'vitest'
import type { Db } from '../../../../server/db/query.ts'
import { openTestStore } from '../../../support/store.ts'

const put = (db: Db, name: string): Promise<unknown> =>
  db.insertInto('settings').values({ name, value: 'true' }).execute()

async function names(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('settings')
    .select('name')
    .where('name', 'like', 'reading.%')
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

test('reads together see commits made between them', async () => {
  const { env } = await openTestStore()
  const { store } = env
  await store.readTogether(null, async () => {
    expect(await names(store.reader)).toEqual([])
    await store.transaction(null, (db) => put(db, 'reading.1'))
    expect(await names(store.reader)).toEqual(['reading.1'])
  })
})

test('a read that begins within another one sees commits made before it', async () => {
  const { env } = await openTestStore()
  const { store } = env
  await store.readTogether(null, async () => {
    await names(store.reader)
    await store.transaction(null, (db) => put(db, 'reading.1'))
    await store.readTogether(null, async () => expect(await names(store.reader)).toEqual(['reading.1']))
    await store.transaction(null, (db) => put(db, 'reading.2'))
    expect(await names(store.reader)).toEqual(['reading.1', 'reading.2'])
  })
})

test('a read that fails leaves nothing open', async () => {
  const { env } = await openTestStore()
  const { store } = env
  const failing = store.readTogether(null, async () => {
    await names(store.reader)
    throw new Error('gone')
  })
  await expect(failing).rejects.toThrow('gone')
  await store.transaction(null, (db) => put(db, 'reading.1'))
  expect(await names(store.reader)).toEqual(['reading.1'])
})
