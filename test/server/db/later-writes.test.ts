/** Writes whose answers nobody waits for: on both engines they are there for the next statement, and fail the transaction. */
import { expect, test } from 'vitest'
import { AppError } from '../../../server/domain/errors/app-error.ts'
import type { Ctx } from '../../../server/context.ts'
import { allOf, prepare, prepareRows } from '../../../server/db/query.ts'
import { withSavepoint } from '../../../server/db/savepoint.ts'
import { openBooks } from '../../support/books.ts'

interface SeriesRow {
  bookId: number
  publicId: string
}

const insertEvent = prepare((db, p: { bookId: number; type: string }) =>
  db.insertInto('events').values({ book_id: p.bookId, type: p.type, at: 1, data: '{}' }),
)
const insertSeries = prepare((db, p: SeriesRow) =>
  db.insertInto('series').values({
    book_id: p.bookId,
    public_id: p.publicId,
    code: p.publicId,
    kind: 'ordinary',
    start_number: 1,
    next_number: 1,
    purpose: 'general',
    pattern: null,
    is_default: 0,
    note: null,
    created_at: 1,
  }),
)
const noteSeries = prepare((db, p: { publicId: string; note: string }) =>
  db.updateTable('series').set({ note: p.note }).where('public_id', '=', p.publicId),
)
const insertEvents = prepareRows((db, rows: readonly [{ bookId: number }, ...{ bookId: number }[]]) =>
  db
    .insertInto('events')
    .values(rows.map((row) => ({ book_id: row.bookId, type: 'many', at: 1, data: '{}' }))),
)
const eventsOf = prepare((db, p: { bookId: number; type: string }) =>
  db.selectFrom('events').select('id').where('book_id', '=', p.bookId).where('type', '=', p.type),
)
const notes = prepare((db, p: { bookId: number }) =>
  db.selectFrom('series').select('note').where('book_id', '=', p.bookId).where('public_id', 'like', 'ser_l%'),
)

const eventCount = async (ctx: Ctx, type: string): Promise<number> =>
  (await eventsOf.all(ctx.db, { bookId: ctx.book.id, type })).length

test('writes that may come later are there for the next statement, in their order', async () => {
  const { test: ctx } = await openBooks()
  const { id: bookId } = ctx.book
  await ctx.transaction(async (tx) => {
    await insertEvent.later(tx.db, { bookId, type: 'one' })
    await insertSeries.later(tx.db, { bookId, publicId: 'ser_l1' })
    // To the same table as the one before: never in one statement with it.
    await noteSeries.later(tx.db, { publicId: 'ser_l1', note: 'first' })
    await noteSeries.later(tx.db, { publicId: 'ser_l1', note: 'second' })
    expect(await notes.all(tx.db, { bookId })).toEqual([{ note: 'second' }])
    await insertEvent.later(tx.db, { bookId, type: 'one' })
    const { changes } = await noteSeries.together(tx.db, { publicId: 'ser_l1', note: 'third' })
    expect(changes).toBe(1)
    expect(await eventCount(tx, 'one')).toBe(2)
    await insertEvents.later(
      tx.db,
      Array.from({ length: 130 }, () => ({ bookId })),
    )
  })
  expect(await notes.all(ctx.db, { bookId })).toEqual([{ note: 'third' }])
  expect(await eventCount(ctx, 'many')).toBe(130)
})

test('a later write that fails, or changes no row, fails its transaction alone', async () => {
  const { test: ctx } = await openBooks()
  const { id: bookId } = ctx.book
  const works: ((tx: Ctx) => Promise<void>)[] = [
    // At the end, where nothing follows.
    async (tx) => {
      await insertSeries.later(tx.db, { bookId, publicId: 'ser_l2' })
      await insertSeries.later(tx.db, { bookId, publicId: 'ser_l2' })
    },
    // Before other statements: the error is that of the write.
    async (tx) => {
      await insertSeries.later(tx.db, { bookId, publicId: 'ser_l2' })
      await insertSeries.later(tx.db, { bookId, publicId: 'ser_l2' })
      await eventCount(tx, 'one')
      await eventCount(tx, 'one')
    },
  ]
  const others = Array.from({ length: 3 }, (_, index) =>
    ctx.transaction((tx) => insertEvent.later(tx.db, { bookId, type: `other ${index}` })),
  )
  for (const work of works) await expect(ctx.transaction(work)).rejects.toThrow(/unique/i)
  await Promise.all(others)
  // Alone: the first is sent with its commit.
  for (const work of works) await expect(ctx.transaction(work)).rejects.toThrow(/unique/i)
  const moved = new AppError('confirmation_stale')
  await expect(
    ctx.transaction(async (tx) => {
      await insertEvent.later(tx.db, { bookId, type: 'lost' })
      await noteSeries.changeOne(tx.db, { publicId: 'ser_l2', note: 'no' }, () => moved)
    }),
  ).rejects.toBe(moved)
  expect(await eventCount(ctx, 'lost')).toBe(0)
  expect(await eventCount(ctx, 'other 2')).toBe(1)
  expect(await notes.all(ctx.db, { bookId })).toEqual([])
})

test('one that fails within a savepoint is undone with it, and the transaction goes on', async () => {
  const { test: ctx } = await openBooks()
  const { id: bookId } = ctx.book
  await ctx.transaction(async (tx) => {
    await insertSeries.later(tx.db, { bookId, publicId: 'ser_l3' })
    await expect(
      withSavepoint(tx.db, async () => {
        await insertEvent.later(tx.db, { bookId, type: 'inside' })
        await insertSeries.later(tx.db, { bookId, publicId: 'ser_l3' })
      }),
    ).rejects.toThrow(/unique/i)
    await insertEvent.later(tx.db, { bookId, type: 'after' })
  })
  expect(await eventCount(ctx, 'inside')).toBe(0)
  expect(await eventCount(ctx, 'after')).toBe(1)
  expect(await notes.all(ctx.db, { bookId })).toEqual([{ note: null }])
})

test('queries at the same time: all have ended when one has failed, and the first failure is thrown', async () => {
  const ended: string[] = []
  const slow = async (name: string): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
    ended.push(name)
  }
  const failure = new Error('second')
  await expect(allOf(slow('first'), Promise.reject(failure), slow('third'))).rejects.toBe(failure)
  expect(ended).toEqual(['first', 'third'])
  expect(await allOf(Promise.resolve(1), Promise.resolve('two'))).toEqual([1, 'two'])
})
