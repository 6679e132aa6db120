/** Simultaneous actions on one webhook: requests of people, and messages in flight while it is changed or deleted. */
import { expect, test } from 'vitest'
import { WEBHOOKS_AT_MOST } from '../../../../server/platform/webhooks/limits.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { togetherSorted } from '../../../support/concurrently.ts'
import { openStage } from '../../../support/stages/webhook-stage.ts'
import { openWorld } from '../../../support/world.ts'

const INPUT = { url: 'https://hooks.example.com/sello', events: ['invoice.issued'] }

test('the last free webhook is created once', async () => {
  const world = await openWorld()
  const make = () => world.run('webhooks.create', INPUT)
  for (let made = 1; made < WEBHOOKS_AT_MOST; made += 1) await make()
  expect(await togetherSorted(make(), make(), make())).toEqual(['done', 'webhook_limit', 'webhook_limit'])
})

test('a webhook is changed once per version, and deleted once', async () => {
  const world = await openWorld()
  const { id, version } = await world.run('webhooks.create', INPUT)
  const change = (description: string) =>
    world.run('webhooks.update', { id, description, expectedVersion: version })
  const remove = () => world.run('webhooks.delete', { id })
  expect(await togetherSorted(change('Una'), change('Otra'))).toEqual(['done', 'version_conflict'])
  expect(await togetherSorted(remove(), remove())).toEqual(['done', 'not_found'])
})

test('a secret rotated twice is the second one, and the first one also signs', async () => {
  const world = await openWorld()
  const { id } = await world.run('webhooks.create', INPUT)
  const rotate = () => world.run('webhooks.rotateSecret', { id })
  const [first, second] = await Promise.all([rotate(), rotate()])
  expect([first.version, second.version]).toEqual([2, 3])
  expect(first.secret).not.toBe(second.secret)
  expect(await world.run('webhooks.get', { id })).toMatchObject({ version: 3 })
})

test('a message is sent again once, however many requests arrive at once', async () => {
  const { world, receiver, tell, pass, deliveries } = await openStage({
    input: { events: ['invoice.issued'] },
  })
  await tell()
  await pass()
  const [delivery] = await deliveries()
  const redeliver = () => world.run('webhooks.redeliver', { id: delivery!.id })
  await Promise.all([redeliver(), redeliver()])
  await pass()
  expect(receiver.messages).toHaveLength(2)
})

test('a test of a webhook that is deleted in the meantime is rejected and sends nothing', async () => {
  const { world, receiver, webhook } = await openStage()
  const { id } = webhook
  const trial = () => world.run('webhooks.test', { id })
  expect(await togetherSorted(world.run('webhooks.delete', { id }), trial())).toEqual(['done', 'not_found'])
  expect(receiver.messages).toHaveLength(0)
})

test.each([
  ['is gone', 410],
  ['fails', 500],
])('the result of the address before %s does not affect the new one', async (_what, status) => {
  const stage = await openStage({ input: { events: ['invoice.issued'] } })
  const { world, receiver, webhook, tell, pass, now } = stage
  const next = await startReceiver()
  receiver.behave((response) => {
    const { id } = webhook
    void world
      .run('webhooks.updateByPerson', { id, url: next.url })
      .then(() => response.writeHead(status).end())
  })
  await tell()
  await pass()
  expect(await now()).toMatchObject({ url: next.url, state: 'active', failingSince: null })
  await stage.passUntil(async () => next.messages.length > 0)
  expect(next.messages.map(({ id }) => id)).toEqual(receiver.messages.map(({ id }) => id))
})
