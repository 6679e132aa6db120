/** Ends by kill -9 while webhooks are delivered; many more rounds run in test/long/webhooks.test.ts. */
import { expect, test } from 'vitest'
import { webhookKillRounds } from '../../support/webhook-kill.ts'

test('what was told is delivered, whenever the program is killed and whatever the receiver does', async () => {
  const { told, delivered, attempts, refused } = await webhookKillRounds(4, 20_261)
  expect(told).toBeGreaterThan(20)
  expect(delivered).toBe(told)
  expect(refused).toBeGreaterThan(5)
  expect(attempts).toBeGreaterThanOrEqual(told)
}, 120_000)
