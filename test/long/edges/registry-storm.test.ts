/** Large number of network faults: twenty thousand random steps over real TLS, forty seeds. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { CLEAR, Storm } from '../../support/stages/network-faults.ts'

const SEEDS = Array.from({ length: 40 }, (_, index) => 100 + index)
const STEPS = 500

describe('after any sequence of network faults', () => {
  test.each(SEEDS)(
    'every record is stored exactly once, in order (seed %i)',
    async (seed) => {
      const made = new Storm(seed)
      onTestFinished(() => made.close())
      await made.open()
      for (let step = 0; step < STEPS; step++) await made.step()
      await made.heal()
      expect(await made.proof()).toMatchObject(CLEAR)
    },
    120_000,
  )
})
