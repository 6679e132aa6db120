/** How a transaction begins: its first reads may go with the request for the lock, and its clock waits for that. */
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Ctx } from '../../../../server/context.ts'
import { prepare } from '../../../../server/db/query.ts'
import { ENGINE } from '../../../support/postgres/databases.ts'
import type { TestDatabase } from '../../../support/postgres/databases.ts'
import { watchStatements } from '../../../support/postgres/sent.ts'
import { openWorld } from '../../../support/world.ts'

const readsFirst = { readsFirst: true }
const bookRow = prepare((db, p: { id: number }) => db.selectFrom('books').select('id').where('id', '=', p.id))
const insertEvent = prepare((db, p: { bookId: number; type: string }) =>
  db.insertInto('events').values({ book_id: p.bookId, type: p.type, at: 1, data: '{}' }),
)
const eventsOf = prepare((db, p: { type: string }) =>
  db.selectFrom('events').select('id').where('type', '=', p.type),
)

/** A book of an office with a connection of the administrator, whom no policy limits. */
async function officeBook(): Promise<{ ctx: Ctx; database: TestDatabase; admin: pg.Client }> {
  const world = await openWorld()
  const database = world.database!
  const admin = new pg.Client({ connectionString: database.admin.options.connectionString })
  // The database goes while the connection still closes.
  admin.on('error', () => {})
  await admin.connect()
  onTestFinished(() => admin.end())
  return { ctx: world.ctx(), database, admin }
}

describe.runIf(ENGINE === 'pg')('a transaction', () => {
  test('the first reads need no round trip of their own', async () => {
    const { ctx } = await officeBook()
    const tripsOf = async (start?: { readsFirst: boolean }): Promise<number> => {
      const watch = watchStatements('sello-write')
      await ctx.transaction((tx) => bookRow.first(tx.db, { id: ctx.book.id }), start)
      watch.stop()
      // What is due is looked for on another connection, at any moment.
      const own = watch.sent.find(({ text }) => text.includes('"books"'))?.connection
      return watch.sent.filter(({ connection, startsTrip }) => connection === own && startsTrip).length
    }
    await tripsOf()
    expect(await tripsOf()).toBe(3)
    expect(await tripsOf(readsFirst)).toBe(2)
  })

  test('the clock is not read before the lock is held', async () => {
    const { ctx } = await officeBook()
    await expect(ctx.transaction(async (tx) => tx.now(), readsFirst)).rejects.toThrow(
      'before the lock was held',
    )
    await expect(ctx.transaction(async (tx) => tx.today(), readsFirst)).rejects.toThrow(
      'before the lock was held',
    )
    const afterwards = ctx.transaction(async (tx) => {
      await bookRow.first(tx.db, { id: ctx.book.id })
      return tx.now()
    }, readsFirst)
    expect((await afterwards).getTime()).toBeGreaterThan(0)
    expect((await ctx.transaction(async (tx) => tx.now())).getTime()).toBeGreaterThan(0)
  })

  test('a lock that is not given ends the work with that reason, and nothing is written', async () => {
    const { ctx, admin } = await officeBook()
    const { id: bookId, companyId } = ctx.book
    const answers: unknown[] = []
    const work = (type: string) =>
      ctx.transaction(async (tx) => {
        await insertEvent.later(tx.db, { bookId, type })
        answers.push(await bookRow.first(tx.db, { id: bookId }))
      }, readsFirst)

    await admin.query(
      "update companies set away = 'moving', away_to = 'elsewhere', away_at = 1 where id = $1",
      [companyId],
    )
    await expect(work('away')).rejects.toMatchObject({ code: 'company_moving' })
    await admin.query('update companies set away = null, away_to = null, away_at = null where id = $1', [
      companyId,
    ])

    await admin.query('begin')
    await admin.query('select from companies where id = $1 for update', [companyId])
    await expect(work('busy')).rejects.toMatchObject({ code: 'store_readonly', details: { reason: 'busy' } })
    await admin.query('rollback')

    expect(answers).toEqual([])
    await work('done')
    expect(answers).toEqual([{ id: bookId }])
    expect(await eventsOf.all(ctx.db, { type: 'away' })).toEqual([])
    expect(await eventsOf.all(ctx.db, { type: 'busy' })).toEqual([])
    expect(await eventsOf.all(ctx.db, { type: 'done' })).toHaveLength(1)
  }, 20_000)

  test('whose connection is lost before its commit runs again, and is written once', async () => {
    const { ctx, admin } = await officeBook()
    const { id: bookId } = ctx.book
    for (const start of [undefined, readsFirst]) {
      let runs = 0
      await ctx.transaction(async (tx) => {
        await bookRow.first(tx.db, { id: bookId })
        await insertEvent.later(tx.db, { bookId, type: 'written' })
        if ((runs += 1) > 1) return
        await admin.query(
          `select pg_terminate_backend(pid, 5000) from pg_stat_activity
            where application_name = 'sello-write' and state like 'idle in%' and datname = current_database()`,
        )
        await bookRow.first(tx.db, { id: bookId })
      }, start)
      expect(runs).toBe(2)
    }
    expect(await eventsOf.all(ctx.db, { type: 'written' })).toHaveLength(2)
  })

  test('reads that were sent with the lock see what its holder before has committed', async () => {
    const { ctx, database, admin } = await officeBook()
    const { id: bookId, companyId } = ctx.book
    await admin.query('begin')
    await admin.query("select set_config('sello.company', $1, true)", [String(companyId)])
    await admin.query('select from companies where id = $1 for update', [companyId])
    await admin.query(
      `insert into events (book_id, type, at, data, company_id) values ($1, 'other server', 1, '{}', $2)`,
      [bookId, companyId],
    )
    const read = ctx.transaction((tx) => eventsOf.all(tx.db, { type: 'other server' }), readsFirst)
    await expect
      .poll(async () => {
        const { rows } = await database.admin.query(
          "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        )
        return rows.length
      })
      .toBe(1)
    await admin.query('commit')
    expect(await read).toHaveLength(1)
  })
})
