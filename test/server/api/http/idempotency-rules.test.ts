/** The rules of Idempotency-Key one by one, as the developer guide states them. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { loadContracts, loadOperation } from '../../../../server/api/operations.ts'
import { defineContract } from '../../../../server/domain/contract/define-contract.ts'
import { AppError } from '../../../../server/domain/errors/app-error.ts'
import type { Ctx } from '../../../../server/context.ts'
import { peopleOperations } from '../../../../server/app/people/operations.ts'
import { RETENTION_MS, SECRET_MEMBERS } from '../../../../server/platform/idempotency/index.ts'
import type { Operation } from '../../../../server/context.ts'
import { runOperation } from '../../../../server/api/run.ts'
import { mcpMessage } from '../../../support/mcp.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const contracts = await loadContracts()

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

describe('the key', () => {
  test.each(['1', '~'.repeat(255), 'a b'])('may be %j', async (word) => {
    const world = await openWorld()
    const first = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, withKey(word))
    const again = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, withKey(word))
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([201, 201, 'true'])
    expect(again.body.data.id).toBe(first.body.data.id)
  })

  test('is checked by every POST, also by one that only reads, which answers from the current state', async () => {
    const world = await openWorld()
    const propose = (word: string) =>
      world.post('/api/v1/tax/propose', { customer: { kind: 'business' }, supply: 'goods' }, withKey(word))
    const long = await propose('a'.repeat(256))
    expect([long.status, long.body.error.field]).toEqual([422, 'Idempotency-Key'])
    const answers = [await propose('read'), await propose('read')]
    for (const answer of answers) expect(answer.headers).not.toHaveProperty('idempotency-replayed')
    expect(answers[0]?.body.data).toEqual(answers[1]?.body.data)
    const kept = await world.env.store.reader.selectFrom('idempotency_keys').selectAll().execute()
    expect(kept).toEqual([])
  })

  test('has no effect on GET and PATCH', async () => {
    const world = await openWorld()
    const { id } = await world.createDraft()
    const path = `/api/v1/invoices/${id}`
    for (const notes of ['uno', 'dos'])
      expect((await world.patch(path, { notes }, withKey('same'))).body.data.notes).toBe(notes)
    expect((await world.get(path, withKey('a'.repeat(256)))).status).toBe(200)
  })

  test('belongs to one book: the other one neither replays nor rejects it', async () => {
    const world = await openWorld()
    const [live, test] = [await world.key('live'), await world.key('test')]
    const first = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, { key: test, ...withKey('x') })
    const other = await world.post(
      '/api/v1/invoices',
      { ...EXAMPLE_DRAFT, notes: 'otra' },
      { key: live, ...withKey('x') },
    )
    expect([first.status, other.status]).toEqual([201, 201])
    expect(other.headers).not.toHaveProperty('idempotency-replayed')
    // The person's repetitions are separate per book as well.
    const call = (book: 'live' | 'test') =>
      world.call('contacts.create', { name: 'Ana' }, { book, headers: { 'idempotency-key': 'y' } })
    const ids = [await call('live'), await call('test'), await call('live')].map(
      ({ body }) => body.data.id as string,
    )
    expect(new Set(ids).size).toBe(2)
    expect(ids[2]).toBe(ids[0])
  })

  test('is shared by REST and tools', async () => {
    const world = await openWorld()
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'svc_create_invoice_draft',
        arguments: { ...EXAMPLE_DRAFT, idempotencyKey: 'order-0001' },
      },
    }
    const first = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, withKey('order-0001'))
    const tool = await world.post('/api/mcp/svc', message, {
      headers: { accept: 'application/json, text/event-stream' },
    })
    const { result } = mcpMessage(tool.raw.body)
    expect(result.structuredContent.id).toBe(first.body.data.id)
    expect(result._meta['sello/replayed']).toBe(true)
  })

  test('is stored for exactly seven days', async () => {
    const world = await openWorld()
    const first = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, withKey('g'))
    world.advance(RETENTION_MS - 1)
    const late = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, withKey('g'))
    expect(late.body.data.id).toBe(first.body.data.id)
    world.advance(1)
    const after = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, withKey('g'))
    expect(after.body.data.id).not.toBe(first.body.data.id)
  })
})

test('a stored answer has the status, address and body of the first, and its own request identifier', async () => {
  const world = await openWorld()
  const first = await world.post('/api/v1/contacts', { name: 'Ana' }, withKey('k'))
  const again = await world.post('/api/v1/contacts', { name: 'Ana' }, withKey('k'))
  expect([again.status, again.body.data]).toEqual([first.status, first.body.data])
  expect(again.body.meta.requestId).not.toBe(first.body.meta.requestId)
})

test('no error is stored, whatever its cause', async () => {
  const world = await openWorld()
  const { id } = await world.createDraft()
  const refused = [
    await world.post('/api/v1/invoices', {}, withKey('a')),
    await world.post(`/api/v1/invoices/${id}/issue`, {}, withKey('b')),
    await world.delete('/api/v1/invoices/inv_0000000000000000', withKey('c')),
    await world.delete(`/api/v1/invoices/${id}?expectedVersion=99`, withKey('d')),
  ]
  expect(refused.map(({ status }) => status)).toEqual([422, 428, 404, 409])
  const kept = await world.env.store.reader.selectFrom('idempotency_keys').selectAll().execute()
  expect(kept).toEqual([])
  expect((await world.delete(`/api/v1/invoices/${id}?expectedVersion=1`, withKey('d'))).status).toBe(200)
})

/** Returns an operation that calls an external service, simulated by `work`. */
function asking(work: (ctx: Ctx) => Promise<{ answer: number }>): Operation {
  const contract = defineContract({
    name: 'lookups.played',
    summary: 'Asks somebody.',
    access: 'invoices.write',
    effect: 'write',
    external: true,
    input: z.strictObject({ about: z.string() }),
    output: z.strictObject({ answer: z.number() }),
    errors: [],
  })
  return { contract, run: work }
}

describe('an operation that calls an external service', () => {
  const once = { idempotencyKey: 'once' }
  const run = (world: World, operation: Operation, about = 'x', options: object = once): Promise<unknown> =>
    runOperation(operation, world.ctx(), { about }, options)

  test('asks a simultaneous repetition to wait a second, and answers it afterwards', async () => {
    const world = await openWorld()
    let asked = 0
    let answer = (): void => undefined
    const operation = asking(async () => {
      asked += 1
      await new Promise<void>((resolve) => (answer = resolve))
      return { answer: asked }
    })
    const first = run(world, operation)
    await expect.poll(() => asked).toBe(1)
    await expect(run(world, operation)).rejects.toMatchObject({
      code: 'idempotency_in_progress',
      status: 409,
      retryAfterSeconds: 1,
    })
    answer()
    expect(await first).toEqual({ answer: 1 })
    let isReplayed = false
    expect(await run(world, operation, 'x', { ...once, onReplay: () => (isReplayed = true) })).toEqual({
      answer: 1,
    })
    expect([asked, isReplayed]).toEqual([1, true])
    await expect(run(world, operation, 'y')).rejects.toMatchObject({ code: 'idempotency_mismatch' })
  })

  test('runs again if the service did not answer', async () => {
    const world = await openWorld()
    let asked = 0
    const operation = asking(async (ctx) => {
      asked += 1
      // The cost of the call is recorded, and is not the requested effect.
      await ctx.transaction(async () => undefined)
      if (asked === 1) throw new AppError('erp_unavailable', { retryAfterSeconds: 1 })
      return { answer: asked }
    })
    await expect(run(world, operation)).rejects.toMatchObject({ code: 'erp_unavailable' })
    expect(await run(world, operation)).toEqual({ answer: 2 })
  })

  test('returns an internal error after a write again, instead of running twice', async () => {
    const world = await openWorld()
    let asked = 0
    const operation = asking(async (ctx) => {
      asked += 1
      await ctx.transaction(async () => undefined)
      throw new Error('broken')
    })
    await expect(run(world, operation)).rejects.toThrow('broken')
    let isReplayed = false
    await expect(
      run(world, operation, 'x', { ...once, onReplay: () => (isReplayed = true) }),
    ).rejects.toMatchObject({ code: 'internal', status: 500 })
    expect([asked, isReplayed]).toEqual([1, true])
    await expect(run(world, operation, 'y')).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    world.advance(RETENTION_MS)
    await expect(run(world, operation)).rejects.toThrow('broken')
    expect(asked).toBe(2)
  })

  test('runs again after an internal error before any write', async () => {
    const world = await openWorld()
    let asked = 0
    const operation = asking(async (ctx) => {
      asked += 1
      if (asked === 1)
        await ctx.transaction(async () => {
          throw new Error('broken')
        })
      return { answer: asked }
    })
    await expect(run(world, operation)).rejects.toThrow('broken')
    expect(await run(world, operation)).toEqual({ answer: 2 })
  })
})

test('loses neither its effect nor its answer in a failure after the commit', async () => {
  const world = await openWorld()
  const create = await loadOperation('contacts.create')
  const failing: Operation = {
    ...create,
    run: (ctx, input) =>
      ctx.transaction(async (tx) => {
        tx.afterCommit(() => {
          throw new Error('power cut')
        })
        return create.run(tx, input)
      }),
  }
  const options = { idempotencyKey: 'once' }
  await expect(runOperation(failing, world.ctx(), { name: 'Ana' }, options)).rejects.toThrow('power cut')
  const { items } = await world.run('contacts.list', {})
  expect(items).toHaveLength(1)
  const again = (await runOperation(create, world.ctx(), { name: 'Ana' }, options)) as { id: string }
  expect(again.id).toBe(items[0]?.id)
  expect((await world.run('contacts.list', {})).items).toHaveLength(1)
})

test('every answer with a secret is declared as one', () => {
  const secret = /^(key|secret|token|password|passphrase|confirmation|groups|codes|link|step)$/
  // They return which key it was, by its name.
  const harmless = ['approvals.decide', 'companies.setGroup', 'company.update', 'inbox.decide', 'inbox.open']
  const all = [...contracts, ...peopleOperations.map(({ contract }) => contract)]
  const holding = all.filter(({ name, effect, output }) => {
    if (harmless.includes(name)) return false
    const names = output instanceof z.ZodObject ? Object.keys(output.shape as object) : []
    return effect !== 'read' && names.some((name) => secret.test(name))
  })
  expect(holding.map(({ name }) => name).toSorted()).toEqual(Object.keys(SECRET_MEMBERS).toSorted())
})
