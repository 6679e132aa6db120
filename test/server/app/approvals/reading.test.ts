/** Proposal to synchronize an accounting system: assessed by the month's calls, without making one. */
import { expect, test } from 'vitest'
import { openStage } from '../../../support/erp/erp-stage.ts'

const HOUR = 3_600_000

test('a synchronization is proposed with its cost and within the budget; accepting leaves the start to the user', async () => {
  const stage = await openStage()
  const { world } = stage
  const propose = () => world.run('inbox.propose', { action: 'sync_erp', reason: 'Faltan compras' })
  expect((await propose()).blockers).toMatchObject([{ code: 'erp_not_connected' }])
  await stage.connect()
  stage.newCalls()
  const { proposalId: id, effects } = await propose()
  expect(effects.map(({ code }) => code)).toEqual(['erp_reads', 'erp_writes_nothing'])
  const { outcome } = await world.run('inbox.decide', { id, decision: 'accept' })
  expect(outcome).toEqual({ step: 'sync' })
  expect(stage.newCalls()).toEqual([])

  await stage.sync()
  await world.run('erp.settings', { monthlyBudget: 20 })
  world.advance(HOUR)
  expect((await propose()).blockers).toMatchObject([{ code: 'erp_quota_guard' }])
})
