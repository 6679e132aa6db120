/** Background work of several servers of one office: each piece is done once, and nothing is lost with a server. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { OpenedOffice } from '../../../../server/app/office/index.ts'
import { fenced } from '../../../../server/app/office/background/fence.ts'
import type { OutputOf } from '../../../../server/api/contracts.ts'
import { loadOperation } from '../../../../server/api/operations.ts'
import { runOperation } from '../../../../server/api/run.ts'
import { createSystemCtx } from '../../../../server/context.ts'
import { LeaseLost } from '../../../../server/db/postgres/tables/due-work.ts'
import type { TakenWork } from '../../../../server/db/postgres/tables/due-work.ts'
import { KEYS, startErpServer } from '../../../support/erp/erp-server.ts'
import { answers, startReceiver, takes } from '../../../support/receiver.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const LEASE_MS = 30_000

/** Takes all due work of a kind, as another server does. */
async function takeAs(server: OpenedOffice, kind: string): Promise<TakenWork[]> {
  const now = server.env.now().getTime()
  return server.dueWork.take([kind], { now, until: now + LEASE_MS, limit: 10 })
}

async function issueOne(world: World): Promise<string> {
  return (await world.issue((await world.createDraft()).id)).id
}

const records = async (world: World) => (await world.run('registry.records', { limit: 100 })).items

describe('due work', () => {
  test('is noted in the transaction that queues it, and by nothing that is rolled back', async () => {
    const world = await openWorld()
    const server = await world.anotherServer()
    // The first look at a new company.
    await takeAs(server, 'sender')
    await expect(
      world.ctx().transaction(async (tx) => {
        tx.wake('mail')
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await takeAs(server, 'mail')).toEqual([])
    await world.ctx().transaction(async (tx) => tx.wake('mail'))
    expect(await takeAs(server, 'mail')).toMatchObject([
      { companyId: world.books.test.companyId, kind: 'mail', isLeftBehind: false },
    ])
    // Somebody holds it.
    expect(await takeAs(server, 'mail')).toEqual([])
  })

  test('that is asked for while it is under way is due again at once', async () => {
    const world = await openWorld()
    const server = await world.anotherServer()
    const now = world.env.now().getTime()
    await world.ctx().transaction(async (tx) => tx.wake('mail'))
    const [first] = await takeAs(server, 'mail')
    await world.ctx().transaction(async (tx) => tx.wake('mail'))
    expect(await takeAs(server, 'mail')).toEqual([])
    expect(await server.dueWork.giveBack(first!, { next: null, now })).toBe(true)
    const [second] = await takeAs(server, 'mail')
    expect(second).toMatchObject({ kind: 'mail', isLeftBehind: false })
    expect(await server.dueWork.giveBack(second!, { next: now + 60_000, now })).toBe(true)
    expect(await takeAs(server, 'mail')).toEqual([])
    expect(await server.dueWork.nextAt(['mail'])).toBe(now + 60_000)
  })

  test('of a server that has vanished is taken over after its lease, and the earlier holder writes nothing more', async () => {
    const world = await openWorld()
    const server = await world.anotherServer()
    await world.ctx().transaction(async (tx) => tx.wake('mail'))
    const [lost] = await takeAs(server, 'mail')
    const late = createSystemCtx(fenced(world.env, lost!), world.books.test)
    const write = () => late.transaction(async (tx) => tx.wake('documents'))
    await write()
    world.advance(LEASE_MS - 1)
    expect(await takeAs(server, 'mail')).toEqual([])
    world.advance(1)
    const [taken] = await takeAs(server, 'mail')
    expect(taken).toMatchObject({ isLeftBehind: true })
    await expect(write()).rejects.toThrow(LeaseLost)
    const now = world.env.now().getTime()
    expect(await server.dueWork.giveBack(lost!, { next: null, now })).toBe(false)
    expect(await server.dueWork.renew([lost!.lease, taken!.lease], now + LEASE_MS)).toEqual(
      new Set([taken!.lease]),
    )
  })

  test('is not taken by another server while its holder is in a transaction, even when the lease has ended', async () => {
    const world = await openWorld()
    const server = await world.anotherServer()
    await world.ctx().transaction(async (tx) => tx.wake('mail'))
    const [held] = await takeAs(server, 'mail')
    const ctx = createSystemCtx(fenced(world.env, held!), world.books.test)
    await ctx.transaction(async () => {
      world.advance(LEASE_MS + 1)
      expect(await takeAs(server, 'mail')).toEqual([])
    })
    expect(await takeAs(server, 'mail')).toHaveLength(1)
  })
})

describe('servers', () => {
  test('send each record once and in order, whichever of them issued it', async () => {
    const world = await openWorld()
    const [one, two] = [await world.anotherServer(), await world.anotherServer()]
    for (const server of [one, two]) await world.startWork(server, { kinds: ['sender', 'documents'] })
    const ids = await Promise.all(Array.from({ length: 12 }, () => issueOne(world)))
    await expect
      .poll(async () => (await records(world)).map(({ status }) => status), { timeout: 20_000 })
      .toEqual(ids.map(() => 'accepted'))
    const attempts = await world
      .ctx()
      .db.selectFrom('registry_attempts')
      .select(['record_id', 'attempt'])
      .orderBy('batch_id')
      .orderBy('record_id')
      .execute()
    expect(attempts).toHaveLength(ids.length)
    expect(attempts.map(({ record_id: id }) => id)).toEqual(
      attempts.map(({ record_id: id }) => id).toSorted((a, b) => a - b),
    )
    await expect
      .poll(async () => (await world.ctx().db.selectFrom('documents').select('id').execute()).length, {
        timeout: 30_000,
      })
      .toBe(ids.length)
    expect(await world.run('registry.verify', {})).toMatchObject({ ok: true })
  })

  test('find out what became of records that a vanished server was sending, and send none twice', async () => {
    const world = await openWorld()
    const server = await world.anotherServer()
    await issueOne(world)
    const [lost] = await takeAs(server, 'sender')
    // The message was written as leaving, and nobody knows whether it did.
    await createSystemCtx(fenced(world.env, lost!), world.books.test).transaction((tx) =>
      tx.db.updateTable('registry_submissions').set({ status: 'sending', attempts: 1 }).execute(),
    )
    await world.startWork(server, { kinds: ['sender'] })
    await pause(300)
    expect((await records(world))[0]).toMatchObject({ status: 'sending' })
    world.advance(LEASE_MS)
    await expect.poll(async () => (await records(world))[0]?.status).toBe('accepted')
    const batches = await world.ctx().db.selectFrom('registry_batches').select('kind').orderBy('id').execute()
    expect(batches.map(({ kind }) => kind)).toEqual(['query', 'submission'])
  })

  test('deliver each event once to every webhook, and a slow endpoint keeps no other waiting', async () => {
    const world = await openWorld()
    const [fast, slow] = [await startReceiver(takes), await startReceiver(() => {})]
    for (const { url } of [fast, slow])
      await world.run('webhooks.createByPerson', { url, events: ['contact.*'], allowLocal: true })
    for (let at = 0; at < 2; at++) await world.startWork(await world.anotherServer(), { kinds: ['webhooks'] })
    for (const name of ['Uno', 'Dos']) await world.run('contacts.create', { name })
    await expect.poll(() => fast.messages.length).toBe(2)
    // While the other endpoint still answers nothing.
    await world.run('contacts.create', { name: 'Tres' })
    await expect.poll(() => fast.messages.length).toBe(3)
    slow.behave(answers(204))
    await pause(300)
    expect(new Set(fast.messages.map(({ id }) => id)).size).toBe(3)
    expect(fast.messages).toHaveLength(3)
    expect(slow.messages).toHaveLength(2)
  })

  test('prepare recurring drafts on their day, and as soon as one is set up', async () => {
    const world = await openWorld()
    for (let at = 0; at < 2; at++) await world.startWork(await world.anotherServer(), { kinds: ['calendar'] })
    await world.run('recurring.create', {
      name: 'Cuota',
      rule: { freq: 'monthly', start: '2026-07-01', byMonthDay: 1 },
      dueDays: 5,
      invoice: {
        clientName: 'Ana Ruiz Gil',
        clientNif: '12345678Z',
        lines: [{ description: 'Cuota', quantity: 1, unitPrice: 10 }],
      },
    })
    const drafts = async () => (await world.run('invoices.list', { state: 'draft' })).items.length
    await expect.poll(drafts).toBe(1)
    world.setTime('2026-08-01T09:00:00+02:00')
    await expect.poll(drafts).toBe(2)
    await pause(300)
    expect(await drafts()).toBe(2)
  })

  test('prepare archives of documents that every server shows, and go on after one has stopped', async () => {
    const world = await openWorld()
    const [one, two] = [await world.anotherServer(), await world.anotherServer()]
    for (let at = 0; at < 4; at++) await issueOne(world)
    const ctx = () => createSystemCtx(two.env, world.books.test)
    const work = await world.startWork(one, { kinds: ['exports'] })
    const { id } = await world.run('exports.create', { filter: {} })
    const operation = await loadOperation('exports.get')
    const state = async () => (await runOperation(operation, ctx(), { id })) as OutputOf<'exports.get'>
    await expect.poll(async () => (await state()).done, { timeout: 20_000 }).toBeGreaterThan(0)
    await work.stop()
    await world.startWork(two, { kinds: ['exports'] })
    await expect.poll(async () => (await state()).state, { timeout: 20_000 }).toBe('ready')
    expect(await state()).toMatchObject({ total: 4, done: 4, failedCount: 0 })
    await runOperation(await loadOperation('exports.cancel'), ctx(), { id })
    await expect(world.run('exports.get', { id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('read an accounting system for a request on another server, and stop when a third one is told to', async () => {
    const erp = await startErpServer({ contacts: 8, issued: 60, received: 30, items: 5, to: '2026-06-30' })
    onTestFinished(() => erp.close())
    const world = await openWorld({ erpUrl: erp.base })
    const [working, third] = [await world.anotherServer(), await world.anotherServer()]
    await world.sleep()
    await world.startWork(working, { kinds: ['erp'] })
    await world.run('erp.connect', { erpApiKey: KEYS.v2 })
    const { runId: first } = await world.run('erp.sync', { wait: 1 })
    await expect.poll(async () => (await world.run('erp.run', { id: first })).state).toBe('completed')
    erp.fail({ path: '/credit-notes', with: 'hang' })
    const { runId: id } = await world.run('erp.sync', { mode: 'full', force: true })
    await expect.poll(() => erp.calls.filter(({ path }) => path.endsWith('/credit-notes')).length).toBe(2)
    const stopped = await runOperation(
      await loadOperation('erp.cancel'),
      createSystemCtx(third.env, world.books.test),
      { id },
    )
    expect(stopped).toMatchObject({ state: 'cancelled' })
    erp.heal()
    expect(await world.run('erp.sync', { mode: 'full', force: true, wait: 1 })).toMatchObject({ runId: id })
    await expect.poll(async () => (await world.run('erp.run', { id })).state).toBe('completed')
  })

  test('settle a sync that a vanished server left, which the next one continues', async () => {
    const erp = await startErpServer({ contacts: 8, issued: 60, received: 30, items: 5, to: '2026-06-30' })
    onTestFinished(() => erp.close())
    const world = await openWorld({ erpUrl: erp.base })
    await world.sleep()
    await world.run('erp.connect', { erpApiKey: KEYS.v2 })
    const { runId: id } = await world.run('erp.sync', {})
    const server = await world.anotherServer()
    expect(await takeAs(server, 'erp')).toHaveLength(1)
    world.advance(LEASE_MS)
    await world.startWork(server, { kinds: ['erp'] })
    await expect
      .poll(async () => world.run('erp.run', { id }))
      .toMatchObject({ state: 'failed', error: { code: 'erp_interrupted' }, resumable: true })
    expect(await world.run('erp.sync', { wait: 1 })).toMatchObject({ runId: id })
    await expect.poll(async () => (await world.run('erp.run', { id })).state).toBe('completed')
  })

  test('give back what they hold when they stop', async () => {
    const world = await openWorld()
    const [one, two] = [await world.anotherServer(), await world.anotherServer()]
    const slow = await startReceiver(() => {})
    await world.run('webhooks.createByPerson', { url: slow.url, events: ['*'], allowLocal: true })
    const work = await world.startWork(one, { kinds: ['webhooks'] })
    await world.run('contacts.create', { name: 'Uno' })
    await expect.poll(() => slow.messages.length).toBeGreaterThan(0)
    expect(await takeAs(two, 'webhooks')).toEqual([])
    await work.stop()
    expect(await takeAs(two, 'webhooks')).toMatchObject([{ isLeftBehind: false }])
  })
})
