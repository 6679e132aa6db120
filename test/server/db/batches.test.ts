/** Batches: transactions that wait for one another are made durable by one COMMIT, and stay transactions of their own. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { STEP_CHANNEL } from '../../../server/db/failpoints.ts'
import type { Db } from '../../../server/db/query.ts'
import { openBooks } from '../../support/books.ts'

const put = (db: Db, name: string) => db.insertInto('settings').values({ name, value: '1' }).execute()

const names = async (db: Db) =>
  (await db.selectFrom('settings').select('name').orderBy('name').execute()).map(({ name }) => name)

/** What the store reaches from now on, in its order. */
function steps(): string[] {
  const seen: string[] = []
  const listener = (step: unknown): void => void seen.push(String(step))
  subscribe(STEP_CHANNEL, listener)
  onTestFinished(() => void unsubscribe(STEP_CHANNEL, listener))
  return seen
}

const commits = (seen: readonly string[]) => seen.filter((step) => step === 'store.after_commit').length

const outcomes = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled.map((each) => (each.status === 'fulfilled' ? 'kept' : (each.reason as { code: string }).code))

/** Leaves a reference open that only the COMMIT looks at. */
const breakAtCommit = (db: Db) =>
  sql`insert into journal_entries (book_id, day, month, source_type, open)
      select id, 20261120, 202611, 99, 1 from books limit 1`.execute(db)

describe('transactions that wait for one another', () => {
  test('share a commit, sixteen at most, and see what those before them wrote', async () => {
    const { env } = await openBooks()
    const seen = steps()
    const sizes = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        env.store.transaction(async (db) => {
          await put(db, `n${at}`)
          return (await names(db)).length
        }),
      ),
    )
    expect(sizes).toEqual(Array.from({ length: 40 }, (_, at) => at + 1))
    expect(commits(seen)).toBe(3)
    expect(seen.filter((step) => step === 'store.part_kept')).toHaveLength(40)
  })

  test('wait for those that arrive in the same turn of the event loop, and for nobody else', async () => {
    const { env } = await openBooks()
    const seen = steps()
    const first = env.store.transaction((db) => put(db, 'a'))
    await Promise.resolve()
    await Promise.all([first, env.store.transaction((db) => put(db, 'b'))])
    expect(commits(seen)).toBe(1)
    await env.store.transaction((db) => put(db, 'c'))
    expect(commits(seen)).toBe(2)
  })

  test('are answered after the commit and in their order, and nothing is read before', async () => {
    const { env, test: ctx } = await openBooks()
    const story: string[] = []
    const listener = (step: unknown): void => void story.push(String(step))
    subscribe(STEP_CHANNEL, listener)
    onTestFinished(() => void unsubscribe(STEP_CHANNEL, listener))
    await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        ctx.transaction(async (tx) => {
          await put(tx.db, name)
          tx.afterCommit(() => story.push(`effect ${name}`))
          expect(await names(env.store.reader)).toEqual([])
        }),
      ),
    )
    expect(story).toEqual([
      'store.part_kept',
      'store.part_kept',
      'store.part_kept',
      'store.before_commit',
      'store.after_commit',
      'effect a',
      'effect b',
      'effect c',
    ])
    expect(await names(env.store.reader)).toEqual(['a', 'b', 'c'])
  })

  test.each([0, 1, 2])('the one that throws (%i) leaves nothing and takes nothing with it', async (bad) => {
    const { env } = await openBooks()
    const seen = steps()
    const settled = await Promise.allSettled(
      ['a', 'b', 'c'].map((name, at) =>
        env.store.transaction(async (db) => {
          await put(db, name)
          if (at === bad) await put(db, name)
        }),
      ),
    )
    expect(outcomes(settled)).toEqual(['kept', 'kept', 'kept'].with(bad, 'SQLITE_CONSTRAINT_PRIMARYKEY'))
    expect(await names(env.store.reader)).toEqual(['a', 'b', 'c'].toSpliced(bad, 1))
    expect(commits(seen)).toBe(1)
    expect(env.store.writeFault).toBeNull()
  })

  test('all throwing commit nothing, and hold up nobody', async () => {
    const { env } = await openBooks()
    const seen = steps()
    const settled = await Promise.allSettled(
      ['a', 'b', 'c'].map((name) =>
        env.store.transaction(async (db) => {
          await put(db, name)
          throw Object.assign(new Error('no'), { code: 'no' })
        }),
      ),
    )
    expect(outcomes(settled)).toEqual(['no', 'no', 'no'])
    expect(commits(seen)).toBe(0)
    await env.store.transaction((db) => put(db, 'd'))
    expect(await names(env.store.reader)).toEqual(['d'])
  })

  test('are all told when their commit fails, and nothing of them is there', async () => {
    const { env } = await openBooks()
    const settled = await Promise.allSettled([
      env.store.transaction((db) => put(db, 'a')),
      env.store.transaction((db) => breakAtCommit(db)),
      env.store.transaction((db) => put(db, 'c')),
    ])
    expect(outcomes(settled)).toEqual(Array(3).fill('SQLITE_CONSTRAINT_FOREIGNKEY'))
    expect(await names(env.store.reader)).toEqual([])
    expect(env.store.writeFault).toBeNull()
    await env.store.transaction((db) => put(db, 'd'))
    expect(await names(env.store.reader)).toEqual(['d'])
  })

  test('where one finds the disk full, none is told as kept that is not', async () => {
    const { env } = await openBooks()
    const { rows } = await env.store.transaction((db) =>
      sql<{ page_count: number }>`pragma page_count`.execute(db),
    )
    const limit = (pages: number) =>
      env.store.transaction((db) => sql`pragma max_page_count = ${sql.raw(String(pages))}`.execute(db))
    await limit((rows[0]?.page_count ?? 0) + 4)
    const large = JSON.stringify('x'.repeat(400_000))
    const settled = await Promise.allSettled([
      env.store.transaction((db) => put(db, 'a')),
      env.store.transaction((db) => db.insertInto('settings').values({ name: 'b', value: large }).execute()),
      env.store.transaction((db) => put(db, 'c')),
    ])
    const told = outcomes(settled)
    expect(told[1]).toBe('store_readonly')
    expect(await names(env.store.reader)).toEqual(['a', 'b', 'c'].filter((_, at) => told[at] === 'kept'))
    await limit(1_073_741_823)
    expect(await env.store.tryWriting()).toBeNull()
    await env.store.transaction((db) => put(db, 'd'))
    expect(await names(env.store.reader)).toContain('d')
  })

  test('finish before the store finds out whether it can be written, and after it go on', async () => {
    const { env } = await openBooks()
    const seen = steps()
    const ended = await Promise.all([
      env.store.transaction((db) => put(db, 'a')),
      env.store.transaction((db) => put(db, 'b')),
      env.store.tryWriting(),
      env.store.transaction((db) => put(db, 'c')),
    ])
    expect(ended[2]).toBeNull()
    // The trial is two transactions, each alone.
    expect(commits(seen)).toBe(4)
    expect(await names(env.store.reader)).toEqual(['a', 'b', 'c'])
  })

  test('are refused together when the books are closed among them, and are not there', async () => {
    const { env, restart } = await openBooks()
    const settled = await Promise.allSettled([
      env.store.transaction((db) => put(db, 'a')),
      env.store.transaction(async (db) => {
        await put(db, 'b')
        env.store.close()
      }),
      env.store.transaction((db) => put(db, 'c')),
    ])
    expect(outcomes(settled)).toEqual(Array(3).fill('store_readonly'))
    await restart()
    expect(await names(env.store.reader)).toEqual([])
  })
})
