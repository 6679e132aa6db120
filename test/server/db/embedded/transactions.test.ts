/** Transactions: all or nothing, one after another, effects only after the commit. */
import { describe, expect, test } from 'vitest'
import { emitEvent, eventsAfter } from '../../../../server/platform/events/index.ts'
import { takeNumber } from '../../../../server/company/series/index.ts'
import { openBooks, refusal } from '../../../support/books.ts'

const setting = (name: string, value: unknown = 1) => ({ name, value: JSON.stringify(value) })

describe('one transaction', () => {
  test('is stored when it ends well, and invisible to readers before', async () => {
    const { env } = await openBooks()
    const seen: number[] = []
    const count = async () =>
      seen.push((await env.store.reader.selectFrom('settings').selectAll().execute()).length)
    await env.store.transaction(null, async (db) => {
      await db.insertInto('settings').values(setting('a')).execute()
      expect(await db.selectFrom('settings').selectAll().execute()).toEqual([setting('a')])
      await count()
    })
    await count()
    expect(seen).toEqual([0, 1])
  })

  test('leaves nothing if it throws, before or after an await', async () => {
    const { env } = await openBooks()
    for (const wait of [false, true]) {
      const work = env.store.transaction(null, async (db) => {
        await db.insertInto('settings').values(setting('a')).execute()
        if (wait) await new Promise((resolve) => setTimeout(resolve, 5))
        throw new RangeError('no')
      })
      await expect(work).rejects.toThrow(RangeError)
    }
    await env.store.transaction(null, (db) => db.insertInto('settings').values(setting('a')).execute())
    expect(await env.store.reader.selectFrom('settings').selectAll().execute()).toEqual([setting('a')])
  })

  test('that violates a constraint leaves nothing and stops no others', async () => {
    const { env } = await openBooks()
    const work = env.store.transaction(null, async (db) => {
      await db.insertInto('settings').values(setting('a')).execute()
      await db.insertInto('settings').values(setting('a')).execute()
    })
    await expect(work).rejects.toMatchObject({ code: expect.stringContaining('SQLITE_CONSTRAINT') })
    expect(env.store.writeFault).toBeNull()
    expect(await env.store.reader.selectFrom('settings').selectAll().execute()).toEqual([])
  })

  test('cannot be begun inside another by the store, and is joined by a context', async () => {
    const world = await openBooks()
    const { store } = world.env
    await expect(store.transaction(null, () => store.transaction(null, async () => {}))).rejects.toThrow(
      /already open/,
    )
    // Nor by a context that is not the transaction's: it would wait for itself.
    await expect(world.test.transaction(() => world.test.transaction(async () => {}))).rejects.toThrow(
      /already open/,
    )
    const depth = await world.test.transaction((outer) => outer.transaction(async (inner) => inner === outer))
    expect(depth).toBe(true)
    await expect(store.transaction(null, (db) => db.transaction().execute(async () => {}))).rejects.toThrow(
      /ctx.transaction/,
    )
  })

  test('joined by another fails with it as a whole', async () => {
    const world = await openBooks()
    const work = world.test.transaction(async (tx) => {
      await tx.transaction(async (inner) => {
        await inner.db.insertInto('settings').values(setting('inner')).execute()
      })
      throw new Error('outer')
    })
    await expect(work).rejects.toThrow('outer')
    expect(await world.env.store.reader.selectFrom('settings').selectAll().execute()).toEqual([])
  })
})

describe('after the commit', () => {
  test('effects run in order, once, when the outermost transaction is committed', async () => {
    const world = await openBooks()
    const story: string[] = []
    await world.test.transaction(async (tx) => {
      tx.afterCommit(() => story.push('first'))
      await tx.transaction(async (inner) => inner.afterCommit(() => story.push('second')))
      tx.afterCommit(() => story.push('third'))
      story.push('work')
    })
    expect(story).toEqual(['work', 'first', 'second', 'third'])
  })

  test('effects of a rolled back transaction never run', async () => {
    const world = await openBooks()
    const story: string[] = []
    const work = world.test.transaction(async (tx) => {
      tx.afterCommit(() => story.push('effect'))
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(story).toEqual([])
  })

  test('an effect may begin a transaction of its own', async () => {
    const world = await openBooks()
    let inner: Promise<unknown> = Promise.resolve()
    await world.test.transaction(async (tx) => {
      tx.afterCommit(() => {
        inner = world.test.transaction((next) =>
          next.db.insertInto('settings').values(setting('later')).execute(),
        )
      })
    })
    await inner
    expect(await world.env.store.reader.selectFrom('settings').select('name').execute()).toEqual([
      { name: 'later' },
    ])
  })

  test('effects outside of a transaction run immediately', async () => {
    const world = await openBooks()
    expect(() => world.test.afterCommit(() => {})).toThrow(/transactions/)
    await expect(emitEvent(world.test, 'company.changed', {})).rejects.toThrow(/transaction/)
    await expect(takeNumber(world.test, 1, '2026-11-21')).rejects.toThrow(/transaction/)
  })

  test('background jobs are notified of events once they can be read', async () => {
    const world = await openBooks()
    world.wakes.length = 0
    await world.test.transaction(async (tx) => {
      await emitEvent(tx, 'company.changed', { companyId: 'com_test' })
      expect(world.wakes).toEqual([])
    })
    expect(world.wakes).toEqual(['events'])
    expect((await eventsAfter(world.env.store.reader, 0)).at(-1)).toMatchObject({
      type: 'company.changed',
      mode: 'test',
      data: { companyId: 'com_test' },
    })
  })
})

describe('many at once', () => {
  test('run one after another in order of arrival, and a failing one delays no others', async () => {
    const { env } = await openBooks()
    await env.store.transaction(null, (db) => db.insertInto('settings').values(setting('n', 0)).execute())
    const order: number[] = []
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) =>
        env.store.transaction(null, async (db) => {
          const { value } = await db
            .selectFrom('settings')
            .select('value')
            .where('name', '=', 'n')
            .executeTakeFirstOrThrow()
          // Other transactions run between reading and writing: without serialization an addition would be lost.
          await new Promise((resolve) => setImmediate(resolve))
          await db
            .updateTable('settings')
            .set({ value: String(Number(value) + 1) })
            .where('name', '=', 'n')
            .execute()
          order.push(index)
          if (index % 10 === 9) throw new Error('fails')
        }),
      ),
    )
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(6)
    expect(await env.store.reader.selectFrom('settings').select('value').executeTakeFirst()).toEqual({
      value: '54',
    })
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  })

  test('are rejected after closing instead of lost', async () => {
    const { env } = await openBooks()
    env.store.close()
    expect(await refusal(env.store.transaction(null, async () => {}))).toBe('store_readonly')
  })
})
