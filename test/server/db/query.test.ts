/** Prepared queries return the same as Kysely itself. */
import Database from 'better-sqlite3'
import { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import { Connection } from '../../../server/db/embedded/connection.ts'
import { ConnectionDialect } from '../../../server/db/embedded/dialect.ts'
import { prepareInsert, prepare, prepareCached } from '../../../server/db/query.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { openBooks } from '../../support/books.ts'

describe('prepared', () => {
  test('selects with one value in several places, lists, limits and blobs', async () => {
    const world = await openBooks()
    for (const unitPrice of [10, 20, 30])
      await world.invoice({ lines: [{ description: 'x', quantity: 1, unitPrice }] })
    const { reader } = world.env.store
    const query = prepare((db, p: { bookId: number; least: number; limit: number }) =>
      db
        .selectFrom('invoices')
        .innerJoin('parties', 'parties.id', 'invoices.party_id')
        .selectAll('invoices')
        .select('parties.name')
        .where('invoices.book_id', '=', p.bookId)
        .where((where) => where.or([where('total_cents', '>', p.least), where('base_cents', '=', p.least)]))
        .where('kind', 'in', ['F1', 'F2'])
        .orderBy('invoices.id', 'desc')
        .limit(p.limit),
    )
    const plain = (bookId: number, least: number, limit: number) =>
      reader
        .selectFrom('invoices')
        .innerJoin('parties', 'parties.id', 'invoices.party_id')
        .selectAll('invoices')
        .select('parties.name')
        .where('invoices.book_id', '=', bookId)
        .where((where) => where.or([where('total_cents', '>', least), where('base_cents', '=', least)]))
        .where('kind', 'in', ['F1', 'F2'])
        .orderBy('invoices.id', 'desc')
        .limit(limit)
        .execute()
    for (const [least, limit] of [
      [0, 10],
      [2_000, 10],
      [2_420, 10],
      [0, 1],
      [99_999, 5],
    ] as const) {
      const expected = await plain(world.books.test.id, least, limit)
      expect(await query.all(reader, { bookId: world.books.test.id, least, limit })).toEqual(expected)
      expect(await query.first(reader, { bookId: world.books.test.id, least, limit })).toEqual(expected[0])
    }
    expect(await query.all(reader, { bookId: world.books.live.id, least: 0, limit: 10 })).toEqual([])
  })

  test('writes on the given connection, including null and bytes', async () => {
    const { env } = await openBooks()
    const insert = prepare((db, p: { name: string; value: string }) =>
      db.insertInto('settings').values({ name: p.name, value: p.value }),
    )
    const update = prepare((db, p: { name: string; value: string }) =>
      db.updateTable('settings').set({ value: p.value }).where('name', '=', p.name),
    )
    const remove = prepare((db, p: { name: string }) =>
      db.deleteFrom('settings').where('name', '=', p.name).returning('value'),
    )
    await env.store.transaction(null, async (db) => {
      expect((await insert.run(db, { name: 'a', value: '1' })).changes).toBe(1)
      expect((await update.run(db, { name: 'a', value: '"dos"' })).changes).toBe(1)
      expect((await update.run(db, { name: 'b', value: '3' })).changes).toBe(0)
    })
    expect(await env.store.reader.selectFrom('settings').selectAll().execute()).toEqual([
      { name: 'a', value: '"dos"' },
    ])
    await env.store.transaction(null, async (db) => {
      expect(await remove.first(db, { name: 'a' })).toEqual({ value: '"dos"' })
    })
    await expect(insert.run(env.store.reader, { name: 'c', value: '1' })).rejects.toMatchObject({
      code: 'SQLITE_READONLY',
    })
  })

  test("returns a new row's number, and numbers stay numbers", async () => {
    const world = await openBooks()
    const insert = prepareInsert((db, p: { bookId: number; at: number }) =>
      db
        .insertInto('events')
        .values({ book_id: p.bookId, type: 'test', at: p.at, data: '{}' })
        .returning('id'),
    )
    const at = Date.UTC(2999, 0, 1)
    const id = await world.env.store.transaction(null, (db) =>
      insert.run(db, { bookId: world.books.test.id, at }),
    )
    expect(
      await world.env.store.reader
        .selectFrom('events')
        .select(['id', 'at'])
        .where('id', '=', id)
        .executeTakeFirst(),
    ).toEqual({ id, at })
  })

  test('run with the rows of unordered selects reversed', async () => {
    const { env } = await openBooks()
    const unordered = await env.store.reader.selectFrom('books').select('id').execute()
    const ordered = await env.store.reader.selectFrom('books').select('id').orderBy('id').execute()
    expect(ordered.length).toBeGreaterThan(1)
    expect(unordered).toEqual(ordered.toReversed())
  })

  test('rejects a handle without an open store', async () => {
    const foreign = new Kysely<Schema>({
      dialect: new ConnectionDialect(new Connection(new Database(':memory:'))),
    })
    await expect(prepare((db) => db.selectFrom('books').selectAll()).all(foreign, {})).rejects.toThrow(
      /open store/,
    )
  })
})

describe('the connection', () => {
  test('prepares a statement once, drops the oldest beyond its limit, and still answers', () => {
    const connection = new Connection(new Database(':memory:'))
    expect(connection.statement('select 1')).toBe(connection.statement('select 1'))
    const first = connection.statement('select 1')
    for (let index = 0; index < 600; index++)
      expect(connection.get(`select ${index} as n`, [])).toEqual({ n: index })
    expect(connection.statement('select 1')).not.toBe(first)
    connection.close()
  })

  test('binds no booleans, dates or objects', () => {
    const connection = new Connection(new Database(':memory:'))
    for (const value of [true, new Date(), {}])
      expect(() => connection.get('select ? as v', [value as never])).toThrow()
    connection.close()
  })
})

describe('cached', () => {
  const byName = prepareCached((db, p: { name: string }) =>
    db.selectFrom('settings').selectAll().where('name', '=', p.name),
  )
  const put = prepare((db, p: { name: string; value: string }) =>
    db
      .insertInto('settings')
      .values({ name: p.name, value: p.value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: p.value })),
  )
  const one = { name: 'kept.1' }

  test('rows are identical until something is committed, and then current', async () => {
    const { env } = await openBooks()
    const { store } = env
    await store.transaction(null, (db) => put.run(db, { ...one, value: '"first"' }))
    const row = await byName.first(store.reader, one)
    expect(row).toMatchObject({ value: '"first"' })
    expect(await byName.first(store.reader, one)).toBe(row)
    await store.transaction(null, (db) => put.run(db, { ...one, value: '"second"' }))
    expect(await byName.first(store.reader, one)).toMatchObject({ value: '"second"' })
    expect(row).toMatchObject({ value: '"first"' })
  })

  test('rows show a transaction its own writes, which no other reader sees before the commit', async () => {
    const { env } = await openBooks()
    const { store } = env
    await store.transaction(null, async (db) => {
      expect(await byName.first(db, one)).toBeUndefined()
      await put.run(db, { ...one, value: '"mine"' })
      expect(await byName.first(db, one)).toMatchObject({ value: '"mine"' })
      expect(await byName.first(store.reader, one)).toBeUndefined()
      await put.run(db, { ...one, value: '"changed"' })
      expect(await byName.first(db, one)).toMatchObject({ value: '"changed"' })
    })
    expect(await byName.first(store.reader, one)).toMatchObject({ value: '"changed"' })
    const undone = store.transaction(null, async (db) => {
      await put.run(db, { ...one, value: '"undone"' })
      throw new Error('No.')
    })
    await expect(undone).rejects.toThrow('No.')
    expect(await byName.first(store.reader, one)).toMatchObject({ value: '"changed"' })
  })

  test('rows are read again by reads under one lock that began before', async () => {
    const { env } = await openBooks()
    const { store } = env
    await store.readTogether(null, async () => {
      expect(await byName.first(store.reader, one)).toBeUndefined()
      await store.transaction(null, (db) => put.run(db, { ...one, value: '"meanwhile"' }))
      expect(await byName.first(store.reader, one)).toMatchObject({ value: '"meanwhile"' })
    })
  })

  test('rows cannot be changed by one caller for all, and each caller gets its own list', async () => {
    const { env } = await openBooks()
    const { store } = env
    await store.transaction(null, (db) => put.run(db, { ...one, value: '"first"' }))
    const [row] = await byName.all(store.reader, one)
    expect(() => ((row as { value: string }).value = 'forged')).toThrow(TypeError)
    ;(await byName.all(store.reader, one)).pop()
    expect(await byName.all(store.reader, one)).toHaveLength(1)
  })
})
