/** A hundred ends by kill -9 while webhooks are delivered. `SELLO_SEED` repeats a run. */
import { expect, test } from 'vitest'
import { webhookKillRounds } from '../support/webhook-kill.ts'

test('killed 100 times while delivering', async () => {
  const seed = Number(process.env.SELLO_SEED ?? Date.now() % 1_000_000) + 1
  console.log(`SELLO_SEED=${seed - 1}`)
  const { told, delivered, attempts, refused } = await webhookKillRounds(100, seed)
  console.log(`${told} events, ${delivered} delivered, ${attempts} attempts kept, ${refused} refused`)
  expect(told).toBeGreaterThan(1_000)
  expect(delivered).toBe(told)
})
