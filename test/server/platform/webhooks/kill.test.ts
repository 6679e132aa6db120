/** kill -9 while webhooks are delivered; many more rounds run in test/long/edges/webhooks.test.ts. */
import { expect, test } from 'vitest'
import { sweptCount } from '../../../support/sweep.ts'
import { webhookKillRounds } from '../../../support/crashes/webhook-kill.ts'

test('every event is delivered, dead or due, whenever the program is killed and whatever the receivers do', async () => {
  const { told, refused, verified, healed } = await webhookKillRounds(sweptCount(5, 2), 20_261)
  expect(told).toBeGreaterThan(sweptCount(60, 30))
  expect(refused).toBeGreaterThan(sweptCount(3, 1))
  expect(verified).toBeGreaterThan(told / 2)
  expect(healed.refuses).toMatchObject({ told: expect.any(Number), done: 0 })
}, 120_000)
