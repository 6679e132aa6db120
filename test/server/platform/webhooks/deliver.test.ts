/**
 * Delivery: the message, its receivers, the attempts, and the result with every kind of receiver. Real HTTP on this
 * computer.
 */
import type { ServerResponse } from 'node:http'
import { Webhook as Verifier } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { createWebhookSender, pruneWebhooks } from '../../../../server/platform/webhooks/jobs.ts'
import { signatureHeaders } from '../../../../server/platform/webhooks/sign.ts'
import { answers, startReceiver, takes } from '../../../support/receiver.ts'
import type { Behave } from '../../../support/receiver.ts'
import { openStage } from '../../../support/stages/webhook-stage.ts'
import { swept } from '../../../support/sweep.ts'

const SECOND = 1000
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('a message', () => {
  test('of an issued invoice is small, signed, and the same as the event', async () => {
    const { world, receiver, webhook, pass } = await openStage({ input: { events: ['invoice.issued'] } })
    const invoice = await world.issue((await world.createDraft()).id)
    await pass()
    expect(receiver.messages).toHaveLength(1)
    const [message] = receiver.messages
    const { headers, body } = message!
    expect(message).toMatchObject({ method: 'POST', path: '/hook?from=sello' })
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Sello',
      'webhook-id': expect.stringMatching(/^msg_[0-9a-z]{16}$/),
      'webhook-timestamp': String(world.env.now().getTime() / 1000),
    })
    expect(JSON.parse(body)).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-z]{16}_\d+$/),
      type: 'invoice.issued',
      createdAt: world.env.now().toISOString(),
      mode: 'test',
      data: { invoiceId: invoice.id, number: invoice.number },
      actor: { kind: 'key', id: expect.stringMatching(/^key_/), name: expect.any(String) },
    })
    const { items } = (await world.get('/api/v1/events?types=invoice.issued')).body.data
    expect(items).toEqual([JSON.parse(body)])
    expect(headers['webhook-signature']).toBe(
      signatureHeaders({ id: message!.id, at: world.env.now(), body }, [webhook.secret])['webhook-signature'],
    )
  })

  test('is accepted by the public library when it arrives', async () => {
    const { world, receiver, webhook, tell, pass } = await openStage()
    world.setTime(new Date())
    await tell()
    await pass()
    const { body, headers } = receiver.messages[0]!
    expect(new Verifier(webhook.secret).verify(body, headers as Record<string, string>)).toEqual(
      JSON.parse(body),
    )
  })

  test('is sent to the subscribers in its book, for events after their subscription', async () => {
    const { world, receiver, tell, pass, deliveries } = await openStage({ input: { events: ['invoice.*'] } })
    const late = await world.run('webhooks.createByPerson', {
      url: receiver.url,
      events: ['contact.changed'],
      allowLocal: true,
    })
    await tell(2)
    await tell(1, { type: 'contact.changed' })
    await tell(3, { book: 'live' })
    // Creating a draft belongs to the family, too.
    await world.createDraft()
    await pass()
    expect((await deliveries()).map(({ type }) => type)).toEqual([
      'invoice.drafted',
      'invoice.issued',
      'invoice.issued',
    ])
    const others = await world.run('webhooks.deliveries', { id: late.id })
    expect(others.items.map(({ type }) => type)).toEqual(['contact.changed'])
    expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(4)
  })

  test('follows the subscription at the time of its event', async () => {
    const { world, webhook, tell, pass, deliveries } = await openStage({
      input: { events: ['invoice.issued'] },
    })
    await tell(1)
    await tell(1, { type: 'contact.changed' })
    await world.run('webhooks.update', { id: webhook.id, events: ['contact.changed'] })
    await tell(1)
    await tell(1, { type: 'contact.changed' })
    await pass()
    expect((await deliveries()).map(({ type }) => type)).toEqual(['contact.changed', 'invoice.issued'])
  })
})

describe('a receiver', () => {
  test('is sent two messages at a time, the oldest first', async () => {
    const { receiver, tell, pass } = await openStage({
      how: (response) => void setTimeout(() => response.writeHead(200).end(), 15),
    })
    await tell(9)
    await pass()
    expect(receiver.messages).toHaveLength(9)
    expect(receiver.atOnce()).toBe(2)
    const numbers = receiver.messages.map(({ body }) =>
      Number((JSON.parse(body) as { id: string }).id.split('_')[2]),
    )
    for (const [index, number] of numbers.entries())
      expect(Math.abs(number - numbers.toSorted((a, b) => a - b)[index]!)).toBeLessThanOrEqual(1)
  })

  const FAILING: [string, Behave, string, number | null][] = [
    ['that answers 500', answers(500, {}, 'no\u0007pe'), 'status_500', 500],
    ['that answers 404', answers(404), 'status_404', 404],
    ['that leads elsewhere', answers(302, { location: 'http://127.0.0.1:9/' }), 'redirect', 302],
    ['that hangs', () => {}, 'timeout', null],
    ['that begins and never ends', (response) => void response.writeHead(200).write('slow'), 'timeout', 200],
    ['that hangs up', (response) => void response.socket?.destroy(), 'ECONNRESET', null],
    [
      'that hangs up in the middle',
      (response) => {
        response.writeHead(200, { 'content-length': '10' }).write('a')
        setTimeout(() => response.socket?.resetAndDestroy(), 20)
      },
      expect.stringMatching(/^(?:connection|ECONNRESET)$/) as string,
      200,
    ],
    [
      'that talks no HTTP',
      (response) => void response.socket?.end('what?\r\n\r\n'),
      'HPE_INVALID_CONSTANT',
      null,
    ],
  ]
  // An answer that refuses, one that leads away, and none.
  test.each(swept(FAILING, ([what]) => /(500|elsewhere|hangs)$/.test(what)))(
    '%s gets it again',
    async (_name, how, reason, status) => {
      const { world, receiver, tell, pass, deliveries, now } = await openStage({
        how,
        // Short only where it is waited for: a slow computer may need longer for the others.
        ...(reason === 'timeout' ? { sender: { limits: { totalMs: 300, headersMs: 300 } } } : {}),
      })
      await tell()
      await pass()
      const [delivery] = await deliveries('due')
      expect(delivery).toMatchObject({ state: 'due', reason, attempts: 1 })
      expect(Date.parse(delivery!.nextAttemptAt!)).toBe(world.env.now().getTime() + 5 * SECOND)
      const detail = await world.run('webhooks.delivery', { id: delivery!.id })
      expect(detail.history).toMatchObject([{ number: 1, status, fault: reason }])
      expect(detail.body).toBe(receiver.messages[0]!.body)
      expect(await now()).toMatchObject({ state: 'active', failingSince: world.env.now().toISOString() })

      world.advance(4 * SECOND)
      await pass()
      expect(receiver.messages).toHaveLength(1)
      receiver.behave(takes)
      world.advance(SECOND)
      await pass()
      expect(receiver.messages).toHaveLength(2)
      expect(receiver.messages[1]).toMatchObject({
        id: receiver.messages[0]!.id,
        body: receiver.messages[0]!.body,
      })
      expect(await deliveries('done')).toMatchObject([{ id: delivery!.id, attempts: 2, reason: null }])
      expect(await now()).toMatchObject({ failingSince: null, deliveries: { due: 0, dead: 0 } })
    },
  )

  test('that answers with a long body has accepted it, and the beginning of the answer is stored', async () => {
    const { world, tell, pass, deliveries } = await openStage({
      how: (response) => {
        response.writeHead(200, { 'content-type': 'text/html' })
        response.write(`<p>\u202e${'é'.repeat(400)}`)
        for (let index = 0; index < 64; index++) response.write(Buffer.alloc(64 * 1024, 'x'))
        response.end()
      },
    })
    await tell()
    await pass()
    const [delivery] = await deliveries('done')
    const { history } = await world.run('webhooks.delivery', { id: delivery!.id })
    expect(history).toMatchObject([{ status: 200, fault: null, answer: `<p> ${'é'.repeat(252)}` }])
  })

  test('that is overloaded gets nothing for as long as it requests, including all waiting messages', async () => {
    const { world, receiver, tell, pass, now } = await openStage({
      how: answers(429, { 'retry-after': '3600' }),
    })
    await tell(20)
    await pass()
    // Messages in flight when the first answer arrived.
    expect(receiver.messages.length).toBeLessThanOrEqual(2)
    const { holdUntil } = await now()
    expect(Date.parse(holdUntil!) - world.env.now().getTime()).toBe(HOUR)
    receiver.behave(takes)
    const before = receiver.messages.length
    world.advance(HOUR - 1)
    await pass()
    expect(receiver.messages).toHaveLength(before)
    world.advance(1)
    await pass()
    expect(await now()).toMatchObject({ holdUntil: null, deliveries: { due: 0, dead: 0 } })
    expect(receiver.messages).toHaveLength(before + 20)
  })

  test('that requests more than a day gets a day', async () => {
    const { world, tell, pass, deliveries, now } = await openStage({
      how: answers(503, { 'retry-after': '999999' }),
    })
    await tell()
    await pass()
    const at = world.env.now().getTime()
    expect(Date.parse((await deliveries())[0]!.nextAttemptAt!)).toBe(at + DAY)
    expect(Date.parse((await now()).holdUntil!)).toBe(at + DAY)
  })

  test('that is gone is disabled at once; no message for it is lost', async () => {
    const { world, receiver, webhook, tell, pass, now, deliveries } = await openStage({ how: answers(410) })
    await tell()
    await pass()
    expect(await now()).toMatchObject({ state: 'disabled', disabledReason: 'gone' })
    await tell(3)
    world.advance(40 * DAY)
    await pass()
    expect(receiver.messages).toHaveLength(1)
    // The event about its own disabling is for it, too.
    expect(await deliveries('due')).toHaveLength(5)
    const asking = async () =>
      (await world.run('dashboard.get', {})).attention.filter(({ kind }) => kind === 'webhook')
    expect(await asking()).toEqual([{ kind: 'webhook', title: 'webhooks_silenced', params: { count: 1 } }])
    receiver.behave(takes)
    await world.run('webhooks.update', { id: webhook.id, state: 'active' })
    await pass()
    expect(await now()).toMatchObject({
      state: 'active',
      disabledReason: null,
      deliveries: { due: 0, dead: 0 },
    })
    expect(await asking()).toEqual([])
  })

  test('that is offline for 30 hours gets everything afterwards', async () => {
    const { world, receiver, tell, pass, passUntil, now } = await openStage({ how: answers(500) })
    await tell(10)
    await pass()
    const back = world.env.now().getTime() + 30 * HOUR
    await passUntil(async () => world.env.now().getTime() >= back)
    await tell(5)
    receiver.behave(takes)
    await passUntil(async () => (await now()).deliveries.due === 0)
    expect(await now()).toMatchObject({ state: 'active', deliveries: { due: 0, dead: 0 } })
    const { items } = await world.run('webhooks.deliveries', { id: (await now()).id, state: 'done' })
    expect(items).toHaveLength(15)
  })

  test('that never answers gets ten attempts per message, and is disabled after five days', async () => {
    const { world, receiver, webhook, tell, pass, passUntil, now, deliveries } = await openStage({
      how: answers(500, {}, 'down'),
    })
    const begun = world.env.now().getTime()
    await tell()
    await passUntil(async () => (await now()).deliveries.dead === 1)
    expect(receiver.messages).toHaveLength(10)
    const took = world.env.now().getTime() - begun
    expect(took).toBe((5 + 300 + 1_800 + 7_200 + 18_000 + 36_000 + 50_400 + 72_000 + 86_400) * SECOND)
    expect(await deliveries('dead')).toMatchObject([
      { reason: 'status_500', attempts: 10, nextAttemptAt: null },
    ])
    expect(await now()).toMatchObject({ state: 'active' })

    world.setTime(new Date(begun + 5 * DAY))
    await tell()
    await pass()
    expect(await now()).toMatchObject({ state: 'disabled', disabledReason: 'failing' })
    // It is reported: in the history, and by an event for the other endpoints and the window.
    const { items } = await world.run('audit.list', { action: 'webhook.switched_off' })
    expect(items).toMatchObject([{ outcome: 'failed', code: 'failing', target: { id: webhook.id } }])
    const told = await world.env.store.reader
      .selectFrom('events')
      .select('data')
      .where('type', '=', 'webhook.disabled')
      .execute()
    expect(told.map(({ data }) => JSON.parse(data) as object)).toEqual([
      { webhookId: webhook.id, reason: 'failing' },
    ])
  })

  test('does not delay others when it hangs', async () => {
    const hanging: ServerResponse[] = []
    const { world, receiver, tell, pass, now } = await openStage({
      how: (response) => void hanging.push(response),
    })
    const quick = await startReceiver()
    await world.run('webhooks.createByPerson', { url: quick.url, events: ['*'], allowLocal: true })
    await tell(20)
    const ended = pass()
    await expect.poll(() => quick.messages.length, { timeout: 5_000 }).toBe(20)
    expect(receiver.messages.length).toBeLessThanOrEqual(2)
    receiver.behave(takes)
    for (const response of hanging) response.writeHead(200).end()
    await ended
    expect((await now()).deliveries).toMatchObject({ due: 0, dead: 0 })
  })
})

describe('a rotated secret', () => {
  test('signs together with the previous one for 24 hours, and then alone', async () => {
    const { world, receiver, webhook, tell, pass, now } = await openStage()
    const { secret, previousSecretUntil } = await world.run('webhooks.rotateSecret', { id: webhook.id })
    expect(Date.parse(previousSecretUntil!)).toBe(world.env.now().getTime() + DAY)
    const signaturesOf = async (): Promise<string[]> => {
      await tell()
      await pass()
      return String(receiver.messages.at(-1)!.headers['webhook-signature']).split(' ')
    }
    const expected = (...secrets: string[]): string[] => {
      const { id, body } = receiver.messages.at(-1)!
      return signatureHeaders({ id, at: world.env.now(), body }, secrets)['webhook-signature'].split(' ')
    }
    world.advance(DAY - 1)
    expect(await signaturesOf()).toEqual(expected(secret, webhook.secret))
    world.advance(1)
    expect(await signaturesOf()).toEqual(expected(secret))
    expect(await pruneWebhooks(world.env)).toEqual({ forgotten: 0, secrets: 1 })
    expect(await now()).toMatchObject({ previousSecretUntil: null })
    const row = await world.env.store.reader.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow()
    expect(row.sealed_previous).toBe(null)
  })
})

describe('sending again', () => {
  test('one dead letter has the same webhook-id and a whole schedule', async () => {
    const { world, receiver, tell, pass, passUntil, now, deliveries } = await openStage({ how: answers(500) })
    await tell()
    await passUntil(async () => (await now()).deliveries.dead === 1)
    const [dead] = await deliveries('dead')
    expect(await world.run('webhooks.redeliver', { id: dead!.id })).toMatchObject({
      id: dead!.id,
      state: 'due',
      settledAt: null,
    })
    await pass()
    expect(await deliveries('due')).toMatchObject([{ id: dead!.id, attempts: 11 }])
    receiver.behave(takes)
    world.advance(5 * SECOND)
    await pass()
    expect(await deliveries('done')).toMatchObject([{ id: dead!.id, attempts: 12 }])
    expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(1)
  })

  test('a period includes the dead letters by default, and delivered messages on request', async () => {
    const { world, receiver, webhook, tell, pass } = await openStage()
    const from = world.env.now().toISOString()
    await tell(3)
    await pass()
    world.advance(HOUR)
    const to = world.env.now().toISOString()
    await tell(2)
    await pass()
    expect(receiver.messages).toHaveLength(5)
    const ids = receiver.messages.slice(0, 3).map(({ id }) => id)
    expect(await world.run('webhooks.replay', { id: webhook.id, from, to })).toEqual({ replayed: 0 })
    expect(await world.run('webhooks.replay', { id: webhook.id, from, to, states: ['done'] })).toEqual({
      replayed: 3,
    })
    await pass()
    expect(
      receiver.messages
        .slice(5)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(ids.toSorted())
  })
})

test('delivered messages are kept for 30 days, a dead letter for ever', async () => {
  const { world, receiver, tell, pass, passUntil, now, deliveries } = await openStage({ how: answers(500) })
  await tell()
  await passUntil(async () => (await now()).deliveries.dead === 1)
  receiver.behave(takes)
  await tell()
  await pass()
  world.advance(30 * DAY)
  expect(await pruneWebhooks(world.env)).toEqual({ forgotten: 0, secrets: 0 })
  world.advance(1)
  expect(await pruneWebhooks(world.env)).toEqual({ forgotten: 1, secrets: 0 })
  world.advance(3_650 * DAY)
  await pruneWebhooks(world.env)
  expect(await deliveries()).toMatchObject([{ state: 'dead' }])
})

test('messages in flight when Sello stops return uncounted, and are sent after the next start', async () => {
  const { world, receiver, tell, deliveries } = await openStage({ how: () => {} })
  await tell(3)
  const options = { env: world.env, log: () => {} }
  const first = createWebhookSender(options)
  await first.poll()
  await expect.poll(() => receiver.messages.length).toBe(2)
  await first.stop()
  expect(await deliveries('due')).toMatchObject([{ attempts: 0 }, { attempts: 0 }, { attempts: 0 }])
  receiver.behave(takes)
  const next = createWebhookSender(options)
  await next.poll()
  await next.quiet()
  expect(await deliveries('done')).toHaveLength(3)
})
