/** One token used by many clients at once, in large numbers: ten thousand issues for two hundred invoices. */
import { expect, onTestFinished, test } from 'vitest'
import { oneTokenRounds, proveOnce } from '../../support/stages/one-token.ts'
import { startRunning } from '../../server/api/mcp/running.ts'

const ROUNDS = 200

test('of fifty issues with one token through every interface exactly one succeeds, two hundred times', async () => {
  const running = await startRunning()
  onTestFinished(() => running.close())
  const won = await oneTokenRounds(running, ROUNDS, 2026)
  // Each interface wins now and then, or there was no race.
  expect(Math.min(...Object.values(won))).toBeGreaterThan(0)
  await proveOnce(running, ROUNDS)
})
