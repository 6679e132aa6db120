/** A repeated request has one effect: with parallel calls, other input, restarts and over time. */
import { expect, test } from 'vitest'
import { RETENTION_MS, pruneIdempotency, SECRET_MS } from '../../../../server/platform/idempotency/index.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })
const countDrafts = async (world: World): Promise<number> =>
  (await world.get('/api/v1/invoices?totals=true')).body.data.totals.count

test('twenty simultaneous requests with one key create one draft and get one answer', async () => {
  const world = await openWorld()
  const key = await world.key()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      world.post('/api/v1/invoices', EXAMPLE_DRAFT, { key, ...withKey('order-1') }),
    ),
  )
  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 201))
  expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1)
  expect(answers.filter((answer) => answer.headers['idempotency-replayed'] === 'true')).toHaveLength(19)
  expect(new Set(answers.map((answer) => answer.headers.location)).size).toBe(1)
  expect(await countDrafts(world)).toBe(1)
})

test('the order of members does not matter, their values do', async () => {
  const world = await openWorld()
  const first = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, withKey('a'))
  const turned = Object.fromEntries(Object.entries(EXAMPLE_DRAFT).toReversed())
  expect((await world.post('/api/v1/invoices', turned, withKey('a'))).body.data).toEqual(first.body.data)
  const other = await world.post('/api/v1/invoices', { ...EXAMPLE_DRAFT, notes: 'otra' }, withKey('a'))
  expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_mismatch'])
  const elsewhere = await world.post(`/api/v1/invoices/${first.body.data.id}/validate`, {}, withKey('a'))
  expect(elsewhere.body.error.code).toBe('idempotency_mismatch')
  expect(await countDrafts(world)).toBe(1)
})

test('two API keys may use the same Idempotency-Key', async () => {
  const world = await openWorld()
  const [one, two] = [await world.makeKey(), await world.makeKey()]
  const first = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, { key: one.key, ...withKey('same') })
  const second = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, { key: two.key, ...withKey('same') })
  expect(second.body.data.id).not.toBe(first.body.data.id)
  expect(second.headers['idempotency-replayed']).toBeUndefined()
})

test('a rejected request is not stored', async () => {
  const world = await openWorld()
  expect((await world.post('/api/v1/invoices', { clientName: 'x' }, withKey('b'))).status).toBe(422)
  expect((await world.post('/api/v1/invoices', EXAMPLE_DRAFT, withKey('b'))).status).toBe(201)
})

test('a repetition is recognized after a restart', async () => {
  const world = await openWorld()
  const first = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, withKey('c'))
  await world.restart()
  const again = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, withKey('c'))
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(again.body.data).toEqual(first.body.data)
})

test('DELETE accepts the header too', async () => {
  const world = await openWorld()
  const { id } = await world.createDraft()
  expect((await world.delete(`/api/v1/invoices/${id}`, withKey('d'))).body.data).toEqual({ deleted: true })
  const again = await world.delete(`/api/v1/invoices/${id}`, withKey('d'))
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true'])
  expect((await world.delete(`/api/v1/invoices/${id}`)).status).toBe(404)
})

test('the effect and the stored reply are one: issuing twice gives one number', async () => {
  const world = await openWorld()
  const { id } = await world.createDraft()
  const { confirmationToken } = (await world.post(`/api/v1/invoices/${id}/validate`)).body.data.confirmation
  const first = await world.post(`/api/v1/invoices/${id}/issue`, { confirmationToken }, withKey('e'))
  const again = await world.post(`/api/v1/invoices/${id}/issue`, { confirmationToken }, withKey('e'))
  expect(first.status, first.raw.body).toBe(200)
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(again.body.data.number).toBe(first.body.data.number)
})

test.each(['', ' ', 'ñ', 'a'.repeat(256), 'tab\there'])('the header %j is rejected', async (value) => {
  const world = await openWorld()
  const answer = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, withKey(value))
  expect(answer.status).toBe(422)
  expect(answer.body.error).toMatchObject({ code: 'validation_failed', field: 'Idempotency-Key' })
})

test('a secret is repeated for ten minutes, is never stored in clear text, and is then deleted', async () => {
  const world = await openWorld()
  const body = { name: 'nueva', scopes: ['company.read'] }
  const first = await world.post('/api/v1/keys', body, withKey('f'))
  const secret: string = first.body.data.key
  expect(secret).toMatch(/^svc_test_/)
  const rows = () =>
    world.env.store.reader.selectFrom('idempotency_keys').select(['reply', 'sealed']).execute()
  expect((await rows())[0]?.sealed).toBe(1)
  expect(JSON.stringify(await rows())).not.toContain(secret)

  world.advance(SECRET_MS - 1000)
  expect((await world.post('/api/v1/keys', body, withKey('f'))).body.data.key).toBe(secret)
  world.advance(2000)
  const { key: _, ...withoutKey } = first.body.data
  const late = await world.post('/api/v1/keys', body, withKey('f'))
  expect(late.headers['idempotency-replayed']).toBe('true')
  expect(late.body.data).toEqual({ ...withoutKey })

  expect(await pruneIdempotency(world.env)).toEqual({ forgotten: 0, unsealed: 1 })
  expect((await rows())[0]?.sealed).toBe(0)
  expect(JSON.stringify(await rows())).not.toContain(secret)
  expect((await world.post('/api/v1/keys', body, withKey('f'))).body.data).toEqual({ ...withoutKey })
})

test('after seven days the Idempotency-Key can be used again', async () => {
  const world = await openWorld()
  const first = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, withKey('g'))
  world.advance(RETENTION_MS + 1)
  const again = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, withKey('g'))
  expect(again.status).toBe(201)
  expect(again.body.data.id).not.toBe(first.body.data.id)
  world.advance(RETENTION_MS + 1)
  expect((await pruneIdempotency(world.env)).forgotten).toBe(1)
  expect(await pruneIdempotency(world.env)).toEqual({ forgotten: 0, unsealed: 0 })
})
