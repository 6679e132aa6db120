/** Batches: waiting transactions become durable by one COMMIT, and remain separate transactions. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { STEP_CHANNEL } from '../../../../server/db/failpoints.ts'
import type { Db } from '../../../../server/db/query.ts'
import { openBooks } from '../../../support/books.ts'

const put = (db: Db, name: string) => db.insertInto('settings').values({ name, value: '1' }).execute()

const names = async (db: Db) =>
  (await db.selectFrom('settings').select('name').orderBy('name').execute()).map(({ name }) => name)

/** Records the failpoints that the store reaches from now on, in order. */
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

/** Leaves a reference open that only the COMMIT checks. */
const breakAtCommit = (db: Db) =>
  sql`insert into journal_entries (book_id, day, month, source_type, open)
      select id, 20261120, 202611, 99, 1 from books limit 1`.execute(db)

describe('waiting transactions', () => {
  test('share a commit, at most sixteen, and see the writes before them', async () => {
    const { env } = await openBooks()
    const seen = steps()
    const sizes = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        env.store.transaction(null, async (db) => {
          await put(db, `n${at}`)
          return (await names(db)).length
        }),
      ),
    )
    expect(sizes).toEqual(Array.from({ length: 40 }, (_, at) => at + 1))
    expect(commits(seen)).toBe(3)
    expect(seen.filter((step) => step === 'store.part_kept')).toHaveLength(40)
  })

  test('wait for others that arrive in the same turn of the event loop, and for no later ones', async () => {
    const { env } = await openBooks()
    const seen = steps()
    const first = env.store.transaction(null, (db) => put(db, 'a'))
    await Promise.resolve()
    await Promise.all([first, env.store.transaction(null, (db) => put(db, 'b'))])
    expect(commits(seen)).toBe(1)
    await env.store.transaction(null, (db) => put(db, 'c'))
    expect(commits(seen)).toBe(2)
  })

  test('are answered in order after the commit, and nothing can be read before', async () => {
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

  test.each([0, 1, 2])('the one that throws (%i) is rolled back alone', async (bad) => {
    const { env } = await openBooks()
    const seen = steps()
    const settled = await Promise.allSettled(
      ['a', 'b', 'c'].map((name, at) =>
        env.store.transaction(null, async (db) => {
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

  test('that all throw commit nothing, and delay no others', async () => {
    const { env } = await openBooks()
    const seen = steps()
    const settled = await Promise.allSettled(
      ['a', 'b', 'c'].map((name) =>
        env.store.transaction(null, async (db) => {
          await put(db, name)
          throw Object.assign(new Error('no'), { code: 'no' })
        }),
      ),
    )
    expect(outcomes(settled)).toEqual(['no', 'no', 'no'])
    expect(commits(seen)).toBe(0)
    await env.store.transaction(null, (db) => put(db, 'd'))
    expect(await names(env.store.reader)).toEqual(['d'])
  })

  test('are all rejected if their commit fails, and leave nothing', async () => {
    const { env } = await openBooks()
    const settled = await Promise.allSettled([
      env.store.transaction(null, (db) => put(db, 'a')),
      env.store.transaction(null, (db) => breakAtCommit(db)),
      env.store.transaction(null, (db) => put(db, 'c')),
    ])
    expect(outcomes(settled)).toEqual(Array(3).fill('SQLITE_CONSTRAINT_FOREIGNKEY'))
    expect(await names(env.store.reader)).toEqual([])
    expect(env.store.writeFault).toBeNull()
    await env.store.transaction(null, (db) => put(db, 'd'))
    expect(await names(env.store.reader)).toEqual(['d'])
  })

  test('are never answered as stored if one finds the disk full and they are not', async () => {
    const { env } = await openBooks()
    const { rows } = await env.store.transaction(null, (db) =>
      sql<{ page_count: number }>`pragma page_count`.execute(db),
    )
    const limit = (pages: number) =>
      env.store.transaction(null, (db) => sql`pragma max_page_count = ${sql.raw(String(pages))}`.execute(db))
    await limit((rows[0]?.page_count ?? 0) + 4)
    const large = JSON.stringify('x'.repeat(400_000))
    const settled = await Promise.allSettled([
      env.store.transaction(null, (db) => put(db, 'a')),
      env.store.transaction(null, (db) =>
        db.insertInto('settings').values({ name: 'b', value: large }).execute(),
      ),
      env.store.transaction(null, (db) => put(db, 'c')),
    ])
    const told = outcomes(settled)
    expect(told[1]).toBe('store_readonly')
    expect(await names(env.store.reader)).toEqual(['a', 'b', 'c'].filter((_, at) => told[at] === 'kept'))
    await limit(1_073_741_823)
    expect(await env.store.tryWriting()).toBeNull()
    await env.store.transaction(null, (db) => put(db, 'd'))
    expect(await names(env.store.reader)).toContain('d')
  })

  test('finish before the store tests whether it can be written, and continue after it', async () => {
    const { env } = await openBooks()
    const seen = steps()
    const ended = await Promise.all([
      env.store.transaction(null, (db) => put(db, 'a')),
      env.store.transaction(null, (db) => put(db, 'b')),
      env.store.tryWriting(),
      env.store.transaction(null, (db) => put(db, 'c')),
    ])
    expect(ended[2]).toBeNull()
    // The write test is two transactions, each in its own batch.
    expect(commits(seen)).toBe(4)
    expect(await names(env.store.reader)).toEqual(['a', 'b', 'c'])
  })

  test('are rejected together and leave nothing if the books are closed among them', async () => {
    const { env, restart } = await openBooks()
    const settled = await Promise.allSettled([
      env.store.transaction(null, (db) => put(db, 'a')),
      env.store.transaction(null, async (db) => {
        await put(db, 'b')
        env.store.close()
      }),
      env.store.transaction(null, (db) => put(db, 'c')),
    ])
    expect(outcomes(settled)).toEqual(Array(3).fill('store_readonly'))
    await restart()
    expect(await names(env.store.reader)).toEqual([])
  })
})
