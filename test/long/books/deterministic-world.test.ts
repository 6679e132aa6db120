/** Large number of random runs: a hundred thousand steps with faults of the network, two hundred seeds. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { play } from '../../support/deterministic/world.ts'

/** `SELLO_SEED` repeats one seed. */
const SEEDS = process.env['SELLO_SEED']
  ? [Number(process.env['SELLO_SEED'])]
  : Array.from({ length: Number(process.env['SELLO_SEEDS'] ?? 200) }, (_, index) => 1_000 + index)
const STEPS = 500
/** The whole self-check reads all books: at each step it would dominate the run time. */
const CHECK_EVERY = 50

describe('after any sequence of events', () => {
  let msOfAll = 0
  let stepsOfAll = 0
  afterAll(() =>
    console.info(`${stepsOfAll} steps, ${(msOfAll / stepsOfAll).toFixed(1)} ms of processor each`),
  )

  test.each(SEEDS)(
    'numbers, records, tokens and messages are as promised, and every queue empties (seed %i)',
    async (seed) => {
      const begun = process.cpuUsage()
      const world = await play(seed, STEPS, { checkEvery: CHECK_EVERY, accounting: seed % 10 === 0 })
      onTestFinished(() => world.close())
      const { user, system } = process.cpuUsage(begun)
      msOfAll += (user + system) / 1000
      stepsOfAll += world.steps
      if (process.env['SELLO_SHOW'] === '1')
        console.info(
          [...world.tally]
            .sort()
            .map(([what, times]) => `${times} ${what}`)
            .join('\n'),
        )
      expect(world.tally.get('issue: done')).toBeGreaterThan(10)
    },
    120_000,
  )
})
