/** Ends with kill -9 while an accounting system is being read; many more rounds run in test/long/edges/erp.test.ts. */
import { expect, test } from 'vitest'
import { erpKillRounds } from '../../../support/crashes/erp-kill.ts'

test('a sync that is killed continues where it stopped, and nothing is lost, doubled or requested again', async () => {
  expect(await erpKillRounds(3, 20_261)).toBeGreaterThan(2)
}, 120_000)
