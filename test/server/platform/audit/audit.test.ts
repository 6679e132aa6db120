/** The history: append-only, chained, searchable by actor, action and time; every change in it is detected. */
import { describe, expect, test } from 'vitest'
import { historyOf, recordAudit, verifyAudit } from '../../../../server/platform/audit/index.ts'
import { auditHash } from '../../../../server/platform/audit/record.ts'
import { faultsOfRefusal, openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'

const record = (world: TestBooks, action: string, target?: { type: string; id: string; label?: string }) =>
  world.test.transaction((tx) => recordAudit(tx, { action, ...(target ? { target } : {}) }))

async function eventsOf(count: number): Promise<TestBooks> {
  const world = await openBooks()
  const { events } = await verifyAudit(world.test, {})
  for (let index = events + 1; index <= count; index++)
    await record(world, `thing.done_${index % 3}`, {
      type: 'thing',
      id: `t${index % 5}`,
      label: `Cosa ${index}`,
    })
  return world
}

describe('the chain', () => {
  test('links each event to the hash of the previous one', async () => {
    const world = await eventsOf(30)
    const { items } = await world.run('audit.list', { limit: 100 })
    expect(items).toHaveLength(30)
    for (const [index, event] of items.entries())
      expect(event.previousHash).toBe(items[index + 1]?.hash ?? null)
    expect(new Set(items.map((event) => event.hash)).size).toBe(30)
    expect(await world.run('audit.verify', {})).toEqual({ ok: true, events: 30, head: items[0]?.hash })
  })

  test('is separate for each book', async () => {
    const world = await eventsOf(5)
    const live = await world.run('audit.verify', {}, world.live)
    expect(live.ok).toBe(true)
    expect(live.head).not.toBe((await world.run('audit.verify', {})).head)
    await world.live.transaction((tx) => recordAudit(tx, { action: 'live.thing' }))
    expect((await world.run('audit.verify', {})).events).toBe(5)
    expect((await world.run('audit.list', { action: 'live.thing' })).items).toEqual([])
  })

  test.each([
    ['the action', "update audit_events set action = 'nothing' where sequence = 4", 4],
    ['the time', 'update audit_events set at = at + 1 where sequence = 4', 4],
    [
      'the actor',
      "update audit_events set actor_id = (select id from actors where name = 'Intruso') where sequence = 4",
      4,
    ],
    ["the actor's name", "update actors set name = 'Otra' where name = 'Persona'", 1],
    ['the channel', "update audit_events set channel = 'mcp' where sequence = 4", 4],
    ['the target', "update audit_events set target_id = 'x' where sequence = 4", 4],
    ["the target's label", 'update audit_events set target_label = null where sequence = 4', 4],
    ['the outcome', "update audit_events set outcome = 'failed' where sequence = 4", 4],
    ['the code', "update audit_events set code = 'x' where sequence = 4", 4],
    ['the request', "update audit_events set request_id = 'x' where sequence = 4", 4],
    ['the hash', 'update audit_events set hash = randomblob(32) where sequence = 4', 4],
    ['a missing one', 'delete from audit_events where sequence = 4', 4],
    ['a missing first one', 'delete from audit_events where sequence = 1', 1],
    [
      'two in another order',
      'update audit_events set sequence = 99 where sequence = 4; update audit_events set sequence = 4 where sequence = 5; update audit_events set sequence = 5 where sequence = 99',
      4,
    ],
    [
      'one moved from the other book',
      'update audit_events set book_id = 1 - book_id + 2 where sequence = 4',
      4,
    ],
  ])('reveals a change: %s', async (_name, statement, sequence) => {
    const world = await eventsOf(8)
    await world.tamper(
      "insert into actors (kind, public_id, name) values ('user', 'user', 'Intruso')",
      statement,
    )
    expect(await world.run('audit.verify', {})).toMatchObject({
      ok: false,
      events: sequence - 1,
      broken: { id: `aud_${sequence}` },
    })
  })

  test('hashes the content and the previous hash', () => {
    const event = {
      book: 'b',
      sequence: 1,
      at: 1,
      actor: { kind: 'user', id: 'user', name: 'n' },
      channel: 'ui',
      action: 'a',
      target: null,
      outcome: 'ok',
      code: null,
      requestId: 'r',
    }
    const hashes = [
      auditHash(event, null),
      auditHash(event, Buffer.alloc(32)),
      auditHash({ ...event, sequence: 2 }, null),
      auditHash({ ...event, target: { type: 't', id: 'i', label: null } }, null),
    ]
    expect(new Set(hashes.map((hash) => hash.toString('hex'))).size).toBe(4)
    expect(auditHash({ ...event }, null)).toEqual(hashes[0])
  })

  test('is written only with its action, in one transaction', async () => {
    const world = await openBooks()
    const before = (await verifyAudit(world.test, {})).events
    await expect(recordAudit(world.test, { action: 'x' })).rejects.toThrow()
    await expect(
      world.test.transaction(async (tx) => {
        await recordAudit(tx, { action: 'x' })
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect((await verifyAudit(world.test, {})).events).toBe(before)
  })

  test('orders thirty simultaneous events', async () => {
    const world = await openBooks()
    await Promise.all(Array.from({ length: 30 }, (_, index) => record(world, `at_once_${index}`)))
    expect((await world.run('audit.verify', {})).ok).toBe(true)
  })
})

describe('searching', () => {
  test('works by actor, action and invoice, and page by page', async () => {
    const world = await openBooks()
    const key = await world.key({ name: 'Tienda' })
    const mine = await world.invoice({}, world.ctx(world.books.test, key))
    await world.invoice()
    const all = (await world.run('audit.list', { limit: 100 })).items
    const expectList = async (
      input: Parameters<typeof world.run<'audit.list'>>[1],
      matches: (event: (typeof all)[number]) => boolean,
    ) => {
      const items = (await world.run('audit.list', { ...input, limit: 100 })).items
      expect(items).toEqual(all.filter(matches))
      expect(items.length, JSON.stringify(input)).toBeGreaterThan(0)
    }
    await expectList({ actor: key.id }, (event) => event.actor.id === key.id)
    await expectList({ actor: 'Tienda' }, (event) => event.actor.name === 'Tienda')
    await expectList({ actor: 'user' }, (event) => event.actor.kind === 'user')
    await expectList({ action: 'invoice.issued' }, (event) => event.action === 'invoice.issued')
    await expectList({ invoiceId: mine.id }, (event) => event.target?.id === mine.id)
    await expectList(
      { actor: key.id, action: 'invoice.issued', invoiceId: mine.id },
      (event) => event.actor.id === key.id && event.action === 'invoice.issued',
    )
    expect((await world.run('audit.list', { actor: 'nobody' })).items).toEqual([])
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await world.run('audit.list', { limit: 3, ...(cursor === undefined ? {} : { cursor }) })
      seen.push(...page.items.map((event) => event.id))
      cursor = page.nextCursor ?? undefined
      await record(world, 'meanwhile')
    } while (cursor !== undefined)
    expect(seen).toEqual(all.map((event) => event.id))
  })

  test('works by days of Spain, midnight to midnight', async () => {
    const world = await openBooks({ at: '2026-10-24T12:00:00+02:00' })
    for (const at of [
      '2026-10-24T23:59:59+02:00',
      '2026-10-25T00:00:00+02:00',
      '2026-10-25T23:59:59+01:00',
      '2026-10-26T00:00:00+01:00',
    ]) {
      world.setTime(at)
      await record(world, 'at', { type: 'time', id: at })
    }
    const on = async (from?: string, to?: string) =>
      (
        await world.run('audit.list', { action: 'at', ...(from ? { from } : {}), ...(to ? { to } : {}) })
      ).items.map((event) => event.target?.id.slice(8, 13))
    expect(await on('2026-10-25', '2026-10-25')).toEqual(['25T23', '25T00'])
    expect(await on('2026-10-26')).toEqual(['26T00'])
    expect(await on(undefined, '2026-10-24')).toEqual(['24T23'])
    expect(await faultsOfRefusal(world.run('audit.list', { from: '2026-10-26', to: '2026-10-25' }))).toEqual([
      'from: dates_reversed',
    ])
  })

  test('binds a cursor to its list and filter', async () => {
    const world = await eventsOf(10)
    const { nextCursor } = await world.run('audit.list', { limit: 2 })
    expect(await faultsOfRefusal(world.run('audit.list', { cursor: nextCursor ?? '', action: 'x' }))).toEqual(
      ['cursor: cursor_invalid'],
    )
    expect(await faultsOfRefusal(world.run('invoices.list', { cursor: nextCursor ?? '' }))).toEqual([
      'cursor: cursor_invalid',
    ])
  })

  test('returns the history of one object, oldest first, at most a hundred events', async () => {
    const world = await openBooks()
    for (let index = 0; index < 105; index++) await record(world, `a${index}`, { type: 'thing', id: 'one' })
    const history = await historyOf(world.test, 'one')
    expect(history.map((event) => event.action)).toEqual(
      Array.from({ length: 100 }, (_, index) => `a${index}`),
    )
    expect(await historyOf(world.live, 'one')).toEqual([])
  })
})
