/**
 * Webhooks over REST and in the app: who may create them, their allowed addresses, and their secret, which is
 * returned once and stored sealed.
 */
import { inEmbedded } from '../../../support/engines.ts'
import { Webhook as Verifier } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { WEBHOOK_TYPES } from '../../../../server/platform/webhooks/event-types.ts'
import { WEBHOOKS_AT_MOST } from '../../../../server/platform/webhooks/limits.ts'
import { answers, startReceiver, takes } from '../../../support/receiver.ts'
import { allPages, piecesHeld } from '../../../support/checks/store-pages.ts'
import { openStage } from '../../../support/stages/webhook-stage.ts'
import { openWorld } from '../../../support/world.ts'

const INPUT = { url: 'https://hooks.example.com/sello', events: ['invoice.issued', 'registry.*'] }

test('a webhook is created, read, changed and deleted; its secret is returned once', async () => {
  const world = await openWorld()
  const made = await world.post('/api/v1/webhooks', { ...INPUT, description: '  Tienda ' })
  expect(made.status).toBe(201)
  const { secret, ...webhook } = made.body.data
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(webhook).toMatchObject({
    ...INPUT,
    description: 'Tienda',
    state: 'active',
    version: 1,
    allowLocal: false,
  })
  expect(made.headers.location).toBe(`/api/v1/webhooks/${webhook.id}`)
  const path = `/api/v1/webhooks/${webhook.id}`
  expect((await world.get(path)).body.data).toEqual(webhook)
  expect((await world.get('/api/v1/webhooks')).body.data.items).toEqual([webhook])

  const changed = await world.patch(path, { events: ['*', '*'], state: 'disabled', expectedVersion: 1 })
  expect(changed.body.data).toMatchObject({
    events: ['*'],
    state: 'disabled',
    disabledReason: 'asked',
    version: 2,
  })
  const stale = await world.patch(path, { description: null, expectedVersion: 1 })
  expect(stale.body.error.code).toBe('version_conflict')

  expect((await world.delete(path)).body.data).toEqual({ deleted: true })
  expect((await world.get(path)).body.error.code).toBe('not_found')
  const { items } = await world.run('audit.list', {})
  expect(items.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['webhook.created', 'webhook.disabled', 'webhook.deleted']),
  )
})

test('types that no webhook receives are rejected, each with its place', async () => {
  const world = await openWorld()
  const refused = await world.post('/api/v1/webhooks', {
    ...INPUT,
    events: ['invoice.issued', 'invoice.isued', 'erp.sync_progress', 'shop.*'],
  })
  expect(refused.body.error).toMatchObject({ code: 'validation_failed' })
  expect(refused.body.error.details.faults.map(({ field }: { field: string }) => field)).toEqual([
    'events[1]',
    'events[2]',
    'events[3]',
  ])
  expect((await world.post('/api/v1/webhooks', { ...INPUT, events: [...WEBHOOK_TYPES] })).status).toBe(201)
})

test('a book has at most twenty, separate from those of another book', async () => {
  const world = await openWorld()
  for (let index = 0; index < WEBHOOKS_AT_MOST; index++)
    expect((await world.post('/api/v1/webhooks', INPUT)).status).toBe(201)
  expect((await world.post('/api/v1/webhooks', INPUT)).body.error.code).toBe('webhook_limit')
  const live = await world.key('live')
  const other = await world.post('/api/v1/webhooks', INPUT, { key: live })
  expect(other.status).toBe(201)
  // A webhook of another book does not exist here.
  expect((await world.get(`/api/v1/webhooks/${other.body.data.id}`)).status).toBe(404)
  expect((await world.get('/api/v1/webhooks', { key: live })).body.data.items).toHaveLength(1)
})

test('reading and writing have separate scopes, and an assistant never has the second', async () => {
  const world = await openWorld()
  const { key } = await world.makeKey({ scopes: ['webhooks.read'] })
  expect((await world.get('/api/v1/webhooks', { key })).status).toBe(200)
  expect((await world.post('/api/v1/webhooks', INPUT, { key })).body.error.code).toBe('scope_missing')
  const assistant = world.makeKey({ scopes: ['webhooks.write'], assistant: true })
  await expect(assistant).rejects.toMatchObject({ code: 'validation_failed' })
})

test('a repetition gets the secret for ten minutes, sealed, and then only the webhook', async () => {
  const world = await openWorld()
  const headers = { 'idempotency-key': 'one webhook' }
  const first = (await world.post('/api/v1/webhooks', INPUT, { headers })).body.data
  expect((await world.post('/api/v1/webhooks', INPUT, { headers })).body.data).toEqual(first)
  world.advance(10 * 60_000)
  const { secret, ...rest } = first
  expect((await world.post('/api/v1/webhooks', INPUT, { headers })).body.data).toEqual(rest)
  expect(secret).toBeTypeOf('string')
})

test('only a person can allow this computer, and a key that changes the address removes that permission', async () => {
  const { world, webhook } = await openStage()
  expect(
    (await world.call('webhooks.createByPerson', { ...INPUT, url: 'http://127.0.0.1:8080' })).body.error,
  ).toMatchObject({
    code: 'webhook_address_refused',
    field: 'url',
    details: { reason: 'plain_http' },
  })
  const path = `/api/v1/webhooks/${webhook.id}`
  for (const url of [
    'http://127.0.0.1:8080/',
    'https://127.0.0.1:8443/',
    'https://10.0.0.7/',
    'https://localhost/',
  ])
    expect((await world.patch(path, { url })).body.error.code, url).toBe('webhook_address_refused')
  // A key has no such field.
  expect((await world.patch(path, { allowLocal: true })).body.error.code).toBe('validation_failed')
  expect((await world.post('/api/v1/webhooks', { ...INPUT, allowLocal: true })).status).toBe(422)
  // Changes of other fields leave the address as the person set it.
  expect((await world.patch(path, { description: 'Caja' })).body.data).toMatchObject({ allowLocal: true })
  expect((await world.patch(path, { url: INPUT.url })).body.data).toMatchObject({
    allowLocal: false,
    url: INPUT.url,
  })
  const back = await world.patch(path, { url: webhook.url })
  expect(back.body.error.code).toBe('webhook_address_refused')
  const byPerson = await world.run('webhooks.updateByPerson', {
    id: webhook.id,
    url: webhook.url,
    allowLocal: true,
  })
  expect(byPerson).toMatchObject({ allowLocal: true, url: webhook.url })
})

test('a test message is sent immediately and once, whatever the result, also to a disabled webhook', async () => {
  const { world, receiver, webhook, pass, now } = await openStage()
  world.setTime(new Date())
  const path = `/api/v1/webhooks/${webhook.id}`
  await world.patch(path, { state: 'disabled' })
  const good = (await world.post(`${path}/test`)).body.data
  expect(good).toMatchObject({
    type: 'webhook.test',
    state: 'done',
    attempts: 1,
    history: [{ status: 204, fault: null }],
  })
  const { headers, body } = receiver.messages[0]!
  expect(new Verifier(webhook.secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: 'webhook.test',
    mode: 'test',
    data: { webhookId: webhook.id },
  })
  receiver.behave(answers(500, {}, 'down for repair'))
  const bad = (await world.post(`${path}/test`)).body.data
  expect(bad).toMatchObject({
    state: 'dead',
    reason: 'status_500',
    history: [{ number: 1, status: 500, fault: 'status_500', answer: 'down for repair' }],
  })
  receiver.behave(takes)
  await world.patch(path, { state: 'active' })
  await pass()
  expect(receiver.messages.filter(({ body: sent }) => sent.includes('webhook.test'))).toHaveLength(2)
  expect((await now()).failingSince).toBe(null)
  expect((await world.get(`/api/v1/webhooks/deliveries/${bad.id}/attempts`)).body.data).toEqual(bad)
  expect(
    (await world.get(`/api/v1/webhooks/deliveries/${bad.id}/attempts`, { key: await world.key('live') }))
      .status,
  ).toBe(404)
})

test('deliveries are listed newest first, by state, page by page, without gaps or duplicates', async () => {
  const { world, webhook, tell, pass } = await openStage({ input: { events: ['invoice.issued'] } })
  await tell(30)
  await pass()
  await tell(7)
  const path = `/api/v1/webhooks/${webhook.id}/deliveries`
  const list = async (query: string): Promise<string[]> => {
    const ids: string[] = []
    let cursor: string | null = null
    do {
      const page: any = (
        await world.get(`${path}?limit=9${query}${cursor === null ? '' : `&cursor=${cursor}`}`)
      ).body.data
      ids.push(...page.items.map(({ id }: { id: string }) => id))
      cursor = page.nextCursor
    } while (cursor !== null)
    return ids
  }
  expect(await list('&state=done')).toHaveLength(30)
  // The next run of the fan-out creates it.
  expect(await list('&state=due')).toHaveLength(0)
  await pass()
  const all = await list('')
  expect(all).toHaveLength(37)
  expect(new Set(all).size).toBe(37)
  expect(await list('&state=dead')).toEqual([])
  expect((await world.get(`${path}?state=leased`)).status).toBe(422)
})

inEmbedded(test)('a secret is never stored in clear text, and after the deletion not at all', async () => {
  const { world, webhook } = await openStage()
  const { sealed_secret: sealed } = await world.env.store.reader
    .selectFrom('webhooks')
    .select('sealed_secret')
    .executeTakeFirstOrThrow()
  // Proves that the search in pages works: the secret is there while it is in use.
  expect(piecesHeld(world.folder, sealed)).toBeGreaterThan(0)
  expect(allPages(world.folder).includes(webhook.secret.slice(6))).toBe(false)
  await world.run('webhooks.delete', { id: webhook.id })
  expect(piecesHeld(world.folder, sealed)).toBe(0)
  expect(world.logged.join('\n')).not.toContain('whsec_')
})

test('a sandbox sends nothing beyond this computer', async () => {
  const { world, receiver, webhook, tell, pass, deliveries } = await openStage({
    input: { events: ['invoice.issued'] },
  })
  const outside = await world.run('webhooks.create', INPUT)
  world.env.sandbox = true
  await tell()
  await pass()
  expect(receiver.messages).toHaveLength(1)
  expect(await deliveries('done')).toHaveLength(1)
  const { items } = await world.run('webhooks.deliveries', { id: outside.id })
  expect(items).toMatchObject([{ state: 'due', reason: 'sandbox' }])
  const elsewhere = { id: webhook.id, url: 'https://hooks.example.com/', allowLocal: true }
  await expect(world.run('webhooks.updateByPerson', elsewhere)).rejects.toMatchObject({
    code: 'webhook_address_refused',
  })
  // Another name is not even resolved.
  const here = await startReceiver()
  const local = { id: webhook.id, url: here.url.replace('127.0.0.1', 'localhost'), allowLocal: true }
  expect((await world.run('webhooks.updateByPerson', local)).url).toContain('localhost')
})
