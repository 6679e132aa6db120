/**
 * Three hundred kills (SIGKILL) while 20,000 events and more are delivered over a hundred hours of the program's
 * clock. `SELLO_SEED` repeats a run.
 */
import { expect, test } from 'vitest'
import { webhookKillRounds } from '../../support/crashes/webhook-kill.ts'

const KILLS = 300
const EVENTS = 20_000

test('300 kills while delivering 20,000 events lose none', async () => {
  const seed = Number(process.env.SELLO_SEED ?? Date.now() % 1_000_000) + 1
  console.log(`SELLO_SEED=${seed - 1}`)
  const { killed, healed, ...figures } = await webhookKillRounds(KILLS, seed)
  console.log(JSON.stringify(figures))
  console.table(killed)
  console.table(healed)
  expect(figures.told).toBeGreaterThanOrEqual(EVENTS)
})
