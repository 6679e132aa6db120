/** Two hundred kills (SIGKILL) while issuing; the number of the test plan. `SELLO_SEED` repeats a run. */
import { expect, test } from 'vitest'
import { killRounds } from '../../support/crashes/kill.ts'

test('200 kills while issuing leave the records complete', async () => {
  const seed = Number(process.env.SELLO_SEED ?? Date.now() % 1_000_000) + 1
  console.log(`SELLO_SEED=${seed - 1}`)
  expect(await killRounds(200, seed)).toBeGreaterThan(600)
})
