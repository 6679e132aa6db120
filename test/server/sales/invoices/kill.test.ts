/** What was answered is there after the worst of ends. The long run of the same stands in test/long. */
import { expect, test } from 'vitest'
import { killRounds } from '../../../support/crashes/kill.ts'
import { sweptCount } from '../../../support/sweep.ts'

test(
  'killed repeatedly while issuing: every answered invoice is there, no gap, no double, the chain whole',
  { timeout: 120_000 },
  async () => {
    expect(await killRounds(sweptCount(10, 5), 20_261_121)).toBeGreaterThan(10)
  },
)
