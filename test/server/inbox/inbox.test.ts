/** The inbox: what a key proposes waits for a person, at most twenty at a time and a week long, and is decided once. */
import { describe, expect, test } from 'vitest'
import { eventsAfter } from '../../../server/events/index.ts'
import { waitingProposals } from '../../../server/inbox/index.ts'
import type { ProposedAction } from '../../../server/inbox/contract.ts'
import { openBooks, refusal, refused } from '../../support/books.ts'
import type { TestBooks } from '../../support/books.ts'

async function deskOf() {
  const world = await openBooks()
  const actor = await world.key({
    name: 'Asistente',
    assistant: true,
    scopes: ['invoices.read', 'invoices.write'],
  })
  const ctx = () => world.ctx(world.books.test, actor)
  const propose = (action: ProposedAction, targetId?: string) =>
    world.run('inbox.propose', { action, reason: ' Porque\r\nsí ', ...(targetId ? { targetId } : {}) }, ctx())
  return { world, actor, ctx, propose }
}

const statuses = async (world: TestBooks) => {
  const { waiting, decided } = await world.run('inbox.list', {})
  return {
    waiting: waiting.map((item) => item.proposalId),
    decided: decided.map((item) => [item.proposalId, item.status]),
  }
}

describe('proposing', () => {
  test('an issue: what it would do, for which invoice, by whom, until when; nothing is done', async () => {
    const { world, actor, propose } = await deskOf()
    const draft = await world.draft()
    const proposal = await propose('issue_invoice', draft.id)
    expect(proposal).toMatchObject({
      status: 'pending_user',
      action: 'issue_invoice',
      targetId: draft.id,
      blockers: [],
      reversible: false,
      estimatedImpact: { base: 500, tax: 105 },
      expiresAt: '2026-11-28T09:00:00.000Z',
    })
    expect((await world.run('invoices.get', { id: draft.id })).state).toBe('draft')
    const { waiting } = await world.run('inbox.list', {})
    expect(waiting).toEqual([
      {
        ...proposal,
        reason: 'Porque\nsí',
        createdAt: '2026-11-21T09:00:00.000Z',
        decidedAt: null,
        decisionNote: null,
        key: { id: actor.id, name: 'Asistente', prefix: actor.prefix },
        invoice: { id: draft.id, number: null, clientName: draft.clientName, total: 605 },
      },
    ])
    expect(await waitingProposals(world.test)).toBe(1)
    expect((await eventsAfter(world.env.store.reader, 0, 500)).at(-1)).toMatchObject({
      type: 'proposal.created',
      data: { proposalId: proposal.proposalId },
    })
    expect((await world.run('audit.list', { action: 'proposal.created' })).items).toHaveLength(1)
  })

  test.each<[ProposedAction, 'draft' | 'issued' | 'rejected' | 'none', boolean, ProposedAction[]]>([
    ['issue_invoice', 'draft', true, []],
    ['issue_invoice', 'issued', false, ['correct_invoice']],
    ['issue_invoice', 'none', false, []],
    ['correct_invoice', 'issued', true, []],
    ['correct_invoice', 'draft', false, ['issue_invoice']],
    ['cancel_registration', 'issued', true, ['correct_invoice']],
    ['cancel_registration', 'draft', false, ['correct_invoice']],
    ['retry_rejected', 'rejected', true, []],
    ['retry_rejected', 'issued', false, []],
    ['send_invoice_copy', 'issued', true, []],
    ['send_invoice_copy', 'draft', false, ['issue_invoice']],
    ['sync_erp', 'none', false, []],
    ['renew_certificate', 'none', true, []],
    ['prepare_return', 'none', true, []],
    ['fix_client_data', 'none', true, []],
  ])('%s of an invoice that is %s: applicable %s', async (action, state, applicable, alternatives) => {
    const { world, propose } = await deskOf()
    let targetId: string | undefined
    if (state === 'draft') targetId = (await world.draft()).id
    if (state === 'issued') targetId = (await world.invoice()).number ?? ''
    if (state === 'rejected') {
      targetId = (await world.invoice({ clientNif: '99999999R' })).id
      await world.send()
    }
    const proposal = await propose(action, targetId)
    expect(proposal.status).toBe(applicable ? 'pending_user' : 'not_applicable')
    expect(proposal.blockers.length > 0).toBe(!applicable)
    expect(proposal.alternatives.map((alternative) => alternative.action)).toEqual(alternatives)
    expect(proposal.title).not.toBe('')
    expect(proposal.effects.length).toBeGreaterThan(0)
    expect(await waitingProposals(world.test)).toBe(applicable ? 1 : 0)
  })

  test('about an invoice nobody knows, or of another book, is refused', async () => {
    const { world, propose } = await deskOf()
    expect(await refusal(propose('issue_invoice', 'inv_0000000000000000'))).toBe('not_found')
    expect(await refusal(propose('issue_invoice', 'F2026-0001'))).toBe('not_found')
    const live = await world.draft({}, world.live)
    expect(await refusal(propose('issue_invoice', live.id))).toBe('not_found')
  })

  test('twenty may wait for one key; another key has its own twenty', async () => {
    const { world, propose } = await deskOf()
    const made = []
    for (let index = 0; index < 20; index++) made.push(await propose('prepare_return'))
    const error = await refused(propose('prepare_return'))
    expect(error.toBody().code).toBe('proposals_full')
    expect(error.retryAfterSeconds).toBeGreaterThan(0)
    const other = world.ctx(world.books.test, await world.key())
    expect((await world.run('inbox.propose', { action: 'prepare_return', reason: 'x' }, other)).status).toBe(
      'pending_user',
    )
    await world.run('inbox.decide', { id: made[3]?.proposalId ?? '', decision: 'reject' })
    expect((await propose('prepare_return')).status).toBe('pending_user')
    expect(await refusal(propose('prepare_return'))).toBe('proposals_full')
    // After a week all of them have run out.
    world.setTime('2026-11-28T10:00:01+01:00')
    expect((await propose('prepare_return')).status).toBe('pending_user')
  })

  test('twenty at once and more: no more than twenty get in', async () => {
    const { world, propose } = await deskOf()
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => propose('prepare_return')))
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(20)
    expect(await waitingProposals(world.test)).toBe(20)
  })
})

describe('deciding', () => {
  test.each([
    ['accept', 'accepted'],
    ['reject', 'rejected'],
  ] as const)('%s is said once, with a note, and does nothing by itself', async (decision, status) => {
    const { world, propose } = await deskOf()
    const draft = await world.draft()
    const { proposalId: id } = await propose('issue_invoice', draft.id)
    world.setTime('2026-11-22T10:00:00+01:00')
    expect(await world.run('inbox.decide', { id, decision, note: ' Visto ' })).toMatchObject({
      proposalId: id,
      status,
      decidedAt: '2026-11-22T09:00:00.000Z',
      decisionNote: 'Visto',
    })
    expect((await world.run('invoices.get', { id: draft.id })).state).toBe('draft')
    for (const again of ['accept', 'reject'] as const)
      expect(await refusal(world.run('inbox.decide', { id, decision: again }))).toBe('not_found')
    expect(await statuses(world)).toEqual({ waiting: [], decided: [[id, status]] })
    expect((await world.run('audit.list', { action: `proposal.${status}` })).items).toHaveLength(1)
    expect(
      (await eventsAfter(world.env.store.reader, 0, 500)).filter(
        (event) => event.type === 'proposal.decided',
      ),
    ).toHaveLength(1)
  })

  test('two at once: one of them counts', async () => {
    const { world, propose } = await deskOf()
    const { proposalId: id } = await propose('prepare_return')
    const outcomes = await Promise.allSettled(
      (['accept', 'reject', 'accept'] as const).map((decision) =>
        world.run('inbox.decide', { id, decision }),
      ),
    )
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  })

  test('after a week it has run out', async () => {
    const { world, propose } = await deskOf()
    const { proposalId: id } = await propose('prepare_return')
    world.setTime('2026-11-28T09:59:59+01:00')
    expect((await statuses(world)).waiting).toEqual([id])
    world.setTime('2026-11-28T10:00:00+01:00')
    expect(await statuses(world)).toEqual({ waiting: [], decided: [[id, 'expired']] })
    expect(await refusal(world.run('inbox.decide', { id, decision: 'accept' }))).toBe('not_found')
    expect(await waitingProposals(world.test)).toBe(0)
  })

  test('what is not applicable, of another book, or unknown cannot be decided', async () => {
    const { world, propose } = await deskOf()
    const { proposalId: blocked } = await propose('sync_erp')
    const { proposalId: mine } = await propose('prepare_return')
    expect(await refusal(world.run('inbox.decide', { id: blocked, decision: 'accept' }))).toBe('not_found')
    expect(await refusal(world.run('inbox.decide', { id: mine, decision: 'accept' }, world.live))).toBe(
      'not_found',
    )
    expect(
      await refusal(world.run('inbox.decide', { id: 'prop_0000000000000000', decision: 'accept' })),
    ).toBe('not_found')
    expect((await world.run('inbox.list', {}, world.live)).waiting).toEqual([])
  })

  test('is for persons: to a key the inbox does not exist', async () => {
    const { world, ctx, propose } = await deskOf()
    const { proposalId: id } = await propose('prepare_return')
    expect(await refusal(world.run('inbox.list', {}, ctx()))).toBe('not_found')
    expect(await refusal(world.run('inbox.decide', { id, decision: 'accept' }, ctx()))).toBe('not_found')
    expect((await statuses(world)).waiting).toEqual([id])
  })
})

test('waiting ones stand oldest first, decided ones newest first, up to the limit', async () => {
  const { world, propose } = await deskOf()
  const ids: string[] = []
  for (let index = 0; index < 6; index++) ids.push((await propose('prepare_return')).proposalId)
  for (const id of ids.slice(0, 3)) await world.run('inbox.decide', { id, decision: 'accept' })
  expect(await statuses(world)).toEqual({
    waiting: ids.slice(3),
    decided: ids
      .slice(0, 3)
      .toReversed()
      .map((id) => [id, 'accepted']),
  })
  const { waiting, decided } = await world.run('inbox.list', { limit: 2 })
  expect([waiting.map((item) => item.proposalId), decided.map((item) => item.proposalId)]).toEqual([
    [ids[3], ids[4]],
    [ids[2], ids[1]],
  ])
})
