/** Ends with kill -9 while an accounting system is being read; many more rounds run in test/long/edges/erp.test.ts. */
import { expect, test } from 'vitest'
import { erpKillRounds } from '../../../support/crashes/erp-kill.ts'
import { sweptCount } from '../../../support/sweep.ts'

test('a sync that is killed continues where it stopped, and nothing is lost, doubled or requested again', async () => {
  const rounds = sweptCount(3, 1)
  expect(await erpKillRounds(rounds, 20_261)).toBeGreaterThanOrEqual(rounds)
}, 120_000)
