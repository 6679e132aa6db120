/** Random failures over real TLS; `npm run test:long` runs many more. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { CLEAR, Storm } from '../../../support/stages/network-faults.ts'
import { swept, sweptCount } from '../../../support/sweep.ts'

/** Runs a number of steps from a seed; the same seed repeats a failure. */
async function storm(seed: number, steps: number): Promise<Storm> {
  const made = new Storm(seed)
  onTestFinished(() => made.close())
  await made.open()
  for (let step = 0; step < steps; step++) await made.step()
  await made.heal()
  return made
}

describe('after random failures', () => {
  test.each(swept([1, 2], (seed) => seed === 1))(
    'every record is held exactly once, in order, and nothing is sent again after its rejection (seed %i)',
    async (seed) => {
      const made = await storm(seed, sweptCount(500, 200))
      const proof = await made.proof()
      expect(proof).toMatchObject(CLEAR)
      expect(proof.accepted).toBeGreaterThan(sweptCount(20, 5))
      expect(made.weather.crashes).toBeGreaterThan(sweptCount(2, 0))
      if (process.env['SELLO_SHOW'] === '1') console.info(JSON.stringify({ ...made.weather, ...proof }))
    },
    120_000,
  )
})
