/** Random sequences of invoice operations over the quarters, in the number of the test plan. */
import { expect, test } from 'vitest'
import { compareSequences } from '../../server/sums/sequences.ts'

test(
  '10,000 random sequences: 130, 303, VAT book and profit and loss account agree',
  { timeout: 5_400_000 },
  async () => {
    const done = await compareSequences(20_260, 10_000)
    console.info(JSON.stringify(done))
    for (const count of Object.values(done)) expect(count).toBeGreaterThan(100)
  },
)
