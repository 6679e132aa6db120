/** Concurrent proposals and decisions: one pending proposal, one decision. */
import { expect, test } from 'vitest'
import { expectSound, together } from '../../../support/concurrently.ts'
import { openDesk } from './open-window.ts'

test('the same proposal made twice is pending once', async () => {
  const { world, propose } = await openDesk()
  const draft = await world.draft()
  const [one, other] = await Promise.all([
    propose('issue_invoice', draft.id),
    propose('issue_invoice', draft.id),
  ])
  expect(one.proposalId).toBe(other.proposalId)
  expect((await world.run('inbox.list', {})).count).toBe(1)
})

test('the same decision twice is carried out once, and the opposite one is rejected', async () => {
  const { world, propose } = await openDesk()
  const draft = await world.draft()
  const { proposalId: id } = await propose('issue_invoice', draft.id)
  const decide = (decision: 'accept' | 'reject') => world.run('inbox.decide', { id, decision })
  expect(await together(decide('accept'), decide('accept'), decide('reject'))).toEqual([
    'done',
    'done',
    'proposal_decided',
  ])
  expect((await world.run('audit.list', { action: 'proposal.accepted' })).items).toHaveLength(1)
  await expectSound(world)
})

test('accepting a proposal for a target being deleted closes it', async () => {
  const { world, propose } = await openDesk()
  const draft = await world.draft()
  const { proposalId: id } = await propose('issue_invoice', draft.id)
  const [, decided] = await Promise.all([
    world.run('invoices.delete', { id: draft.id }),
    world.run('inbox.decide', { id, decision: 'accept' }),
  ])
  expect(decided.status).toBe('not_applicable')
})
