/** Rows of a list in its order: pages by cursor, all of them piece by piece, and how many there are. */
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { countOf, cursorPage, inOrder, batchesOf } from '../../../server/db/ordered-rows.ts'
import type { RowOrder } from '../../../server/db/ordered-rows.ts'

interface Thing {
  id: number
  day: string
}
let db: Kysely<{ things: Thing }>

beforeEach(() => {
  const memory = new Database(':memory:')
  memory.exec('create table things (id integer primary key, day text not null)')
  const insert = memory.prepare('insert into things values (?, ?)')
  // Days that many share, so that a page ends among equals.
  for (let id = 1; id <= 1203; id++) insert.run(id, `2026-01-${String((id % 7) + 1).padStart(2, '0')}`)
  db = new Kysely({ dialect: new SqliteDialect({ database: memory }) })
})
afterEach(() => db.destroy())

const NEWEST_FIRST: RowOrder<Thing> = {
  columns: ['things.day', 'things.id'],
  descending: true,
  position: ({ day, id }) => [day, id],
}
const OLDEST_FIRST: RowOrder<Thing> = { ...NEWEST_FIRST, descending: false }
const things = () => db.selectFrom('things').selectAll()
const idsOf = (rows: readonly Thing[]) => rows.map(({ id }) => id)

async function walk(order: RowOrder<Thing>, limit: number): Promise<number[]> {
  const seen: number[] = []
  for (let cursor: string | undefined; ;) {
    const page = await cursorPage(things(), order, { list: 'things', bound: {}, cursor, limit })
    seen.push(...idsOf(page.rows))
    if (page.nextCursor === null) return seen
    cursor = page.nextCursor
  }
}

test('pages follow one another in the order of the list, none twice and none left out', async () => {
  for (const order of [NEWEST_FIRST, OLDEST_FIRST]) {
    const all = idsOf(await inOrder(things(), order).execute())
    expect(await walk(order, 100)).toEqual(all)
    expect(await walk(order, 1203)).toEqual(all)
  }
})

test('a row inserted before the cursor moves nothing', async () => {
  const first = await cursorPage(things(), NEWEST_FIRST, {
    list: 'things',
    bound: {},
    cursor: undefined,
    limit: 10,
  })
  const next = () =>
    cursorPage(things(), NEWEST_FIRST, {
      list: 'things',
      bound: {},
      cursor: first.nextCursor ?? '',
      limit: 10,
    })
  const before = await next()
  await db.insertInto('things').values({ id: 9000, day: '2026-12-31' }).execute()
  expect(await next()).toEqual(before)
})

test('a cursor is refused by another list and by another filter, also where the filter names nothing', async () => {
  const { nextCursor } = await cursorPage(things(), NEWEST_FIRST, {
    list: 'things',
    bound: { text: 'a' },
    cursor: undefined,
    limit: 10,
  })
  const asked = { list: 'things', bound: { text: 'a' }, cursor: nextCursor ?? '', limit: 10 }
  for (const other of [{ list: 'others' }, { bound: { text: 'b' } }])
    for (const query of [things(), null])
      await expect(cursorPage(query, NEWEST_FIRST, { ...asked, ...other })).rejects.toMatchObject({
        code: 'validation_failed',
      })
  expect(await cursorPage<{ things: Thing }, 'things', Thing>(null, NEWEST_FIRST, asked)).toEqual({
    rows: [],
    nextCursor: null,
  })
})

test('an offset leaves rows out', async () => {
  const page = { list: 'things', bound: {}, cursor: undefined, limit: 3 }
  const { rows } = await cursorPage(things(), OLDEST_FIRST, { ...page, offset: 2 })
  expect(idsOf(rows)).toEqual(idsOf(await inOrder(things(), OLDEST_FIRST).execute()).slice(2, 5))
})

test('all are read a stretch at a time, in the order of the list', async () => {
  const sizes: number[] = []
  const seen: number[] = []
  for await (const rows of batchesOf(things(), NEWEST_FIRST)) {
    sizes.push(rows.length)
    seen.push(...idsOf(rows))
  }
  expect(sizes).toEqual([500, 500, 203])
  expect(seen).toEqual(idsOf(await inOrder(things(), NEWEST_FIRST).execute()))
  for await (const rows of batchesOf(null, NEWEST_FIRST)) expect(rows).toEqual('none')
})

test('rows are counted with their conditions', async () => {
  expect(await countOf(db.selectFrom('things'))).toBe(1203)
  expect(await countOf(db.selectFrom('things').where('id', '<=', 5))).toBe(5)
})
