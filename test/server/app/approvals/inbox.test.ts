/** Inbox: a key's proposal waits for a person, at most twenty at a time and for a week, and is decided once. */
import { describe, expect, test } from 'vitest'
import { eventsAfter } from '../../../../server/platform/events/index.ts'
import { waitingProposals } from '../../../../server/app/approvals/index.ts'
import { refusal, refused } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { openDesk } from './open-window.ts'

const statuses = async (world: TestBooks) => {
  const { waiting, decided } = await world.run('inbox.list', {})
  return {
    waiting: waiting.map((item) => item.proposalId),
    decided: decided.map((item) => [item.proposalId, item.status]),
  }
}

describe('proposing', () => {
  test('an issue stores its effects, invoice, proposer and expiry, and does nothing', async () => {
    const { world, actor, propose } = await openDesk()
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
    const { waiting, count } = await world.run('inbox.list', {})
    expect(count).toBe(1)
    expect(waiting).toMatchObject([
      {
        proposalId: proposal.proposalId,
        title: proposal.title,
        effects: proposal.effects,
        reason: 'Porque\nsí',
        createdAt: '2026-11-21T09:00:00.000Z',
        decidedAt: null,
        decisionNote: null,
        key: { id: actor.id, name: 'Asistente', prefix: actor.prefix },
        invoice: { id: draft.id, number: null, clientName: draft.clientName, total: 605 },
        drift: [],
        outcome: null,
      },
    ])
    expect(await waitingProposals(world.test)).toBe(1)
    expect((await eventsAfter(world.env.store.reader, 0, 500)).at(-1)).toMatchObject({
      type: 'proposal.created',
      data: { proposalId: proposal.proposalId },
    })
    expect((await world.run('audit.list', { action: 'proposal.created' })).items).toHaveLength(1)
  })

  test('an action on an unknown invoice, or one of another book, is rejected', async () => {
    const { world, propose } = await openDesk()
    expect(await refusal(propose('issue_invoice', 'inv_0000000000000000'))).toBe('not_found')
    expect(await refusal(propose('issue_invoice', 'F2026-0001'))).toBe('not_found')
    const live = await world.draft({}, world.live)
    expect(await refusal(propose('issue_invoice', live.id))).toBe('not_found')
  })

  test('the same request returns the pending proposal to any caller; after a decision it creates a new one', async () => {
    const { world, propose } = await openDesk()
    const draft = await world.draft()
    const first = await propose('issue_invoice', draft.id)
    expect(await propose('issue_invoice', draft.id)).toEqual(first)
    const other = world.ctx(world.books.test, await world.key())
    const again = await world.run(
      'inbox.propose',
      { action: 'issue_invoice', targetId: draft.id, reason: 'x' },
      other,
    )
    expect(again.proposalId).toBe(first.proposalId)
    expect(await waitingProposals(world.test)).toBe(1)
    await world.run('inbox.decide', { id: first.proposalId, decision: 'reject' })
    expect((await propose('issue_invoice', draft.id)).proposalId).not.toBe(first.proposalId)
  })

  test('other parameters make another proposal', async () => {
    const { world, propose } = await openDesk()
    const contact = await world.run('contacts.create', { name: 'Ana' })
    const phone = await propose('fix_client_data', contact.id, { phone: '600 000 001' })
    const other = await propose('fix_client_data', contact.id, { phone: '600 000 002' })
    expect(other.proposalId).not.toBe(phone.proposalId)
  })

  test('parameters must belong to the action: anything else is a fault with its path', async () => {
    const { world, propose } = await openDesk()
    const draft = await world.draft()
    const error = await refused(propose('issue_invoice', draft.id, { phone: '600 000 001' }))
    expect(error.details?.faults).toMatchObject([{ code: 'unknown_field', field: 'params.phone' }])
    const wrong = await refused(propose('prepare_return', undefined, { form: '303', month: 4, name: 'Ana' }))
    expect(wrong.details?.faults).toMatchObject([{ code: 'unknown_field', field: 'params.name' }])
  })

  const fill = async ({ world, propose }: Awaited<ReturnType<typeof openDesk>>, count: number) => {
    const contact = await world.run('contacts.create', { name: 'Ana' })
    return Array.from(
      { length: count },
      (_, index) => () => propose('fix_client_data', contact.id, { phone: `600 000 ${100 + index}` }),
    )
  }

  test('twenty proposals can be pending for one key; another key has its own twenty', async () => {
    const desk = await openDesk()
    const { world } = desk
    const asks = await fill(desk, 24)
    const made = []
    for (const ask of asks.slice(0, 20)) made.push(await ask())
    const error = await refused(asks[20]!())
    expect(error.toBody().code).toBe('proposals_full')
    expect(error.retryAfterSeconds).toBeGreaterThan(0)
    const other = world.ctx(world.books.test, await world.key())
    const { status } = await world.run('inbox.propose', { action: 'prepare_return', reason: 'x' }, other)
    expect(status).toBe('pending_user')
    await world.run('inbox.decide', { id: made[3]?.proposalId ?? '', decision: 'reject' })
    expect((await asks[21]!()).status).toBe('pending_user')
    expect(await refusal(asks[22]!())).toBe('proposals_full')
    // After a week all of them have expired.
    world.setTime('2026-11-28T10:00:01+01:00')
    expect((await asks[23]!()).status).toBe('pending_user')
  })

  test('more than twenty concurrent requests create no more than twenty proposals', async () => {
    const desk = await openDesk()
    const asks = await fill(desk, 30)
    const outcomes = await Promise.allSettled(asks.map((ask) => ask()))
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(20)
    expect(await waitingProposals(desk.world.test)).toBe(20)
  })
})

describe('deciding', () => {
  test.each([
    ['accept', 'accepted'],
    ['reject', 'rejected'],
  ] as const)(
    '%s is recorded once, with a note; what cannot be undone is not done',
    async (decision, status) => {
      const { world, propose } = await openDesk()
      const draft = await world.draft()
      const { proposalId: id } = await propose('issue_invoice', draft.id)
      world.setTime('2026-11-22T10:00:00+01:00')
      const decided = await world.run('inbox.decide', { id, decision, note: ' Visto ' })
      expect(decided).toMatchObject({
        proposalId: id,
        status,
        decidedAt: '2026-11-22T09:00:00.000Z',
        decisionNote: 'Visto',
        outcome: decision === 'accept' ? { step: 'issue', invoiceId: draft.id } : null,
      })
      expect((await world.run('invoices.get', { id: draft.id })).state).toBe('draft')
      // Repeating a decision returns the first one; the opposite one comes too late.
      expect(await world.run('inbox.decide', { id, decision })).toEqual(decided)
      const other = decision === 'accept' ? 'reject' : 'accept'
      const late = await refused(world.run('inbox.decide', { id, decision: other }))
      expect([late.code, late.details]).toEqual(['proposal_decided', { id, status }])
      expect(await statuses(world)).toEqual({ waiting: [], decided: [[id, status]] })
      expect((await world.run('audit.list', { action: `proposal.${status}` })).items).toHaveLength(1)
      expect(
        (await eventsAfter(world.env.store.reader, 0, 500)).filter(
          (event) => event.type === 'proposal.decided',
        ),
      ).toHaveLength(1)
    },
  )

  test('of two concurrent decisions one counts, and repeating it does nothing twice', async () => {
    const { world, propose } = await openDesk()
    const invoice = await world.invoice()
    const { proposalId: id } = await propose('correct_invoice', invoice.id, { cause: 'returned_goods' })
    const outcomes = await Promise.allSettled(
      (['accept', 'reject', 'accept'] as const).map((decision) =>
        world.run('inbox.decide', { id, decision }),
      ),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((await world.run('invoices.list', { state: 'draft' })).items).toHaveLength(1)
  })

  test('a proposal expires after a week', async () => {
    const { world, propose } = await openDesk()
    const { proposalId: id } = await propose('prepare_return')
    world.setTime('2026-11-28T09:59:59+01:00')
    expect((await statuses(world)).waiting).toEqual([id])
    world.setTime('2026-11-28T10:00:00+01:00')
    expect(await statuses(world)).toEqual({ waiting: [], decided: [[id, 'expired']] })
    expect(await refusal(world.run('inbox.decide', { id, decision: 'accept' }))).toBe('proposal_expired')
    expect((await world.run('inbox.open', { id })).status).toBe('expired')
    expect(await waitingProposals(world.test)).toBe(0)
  })

  test('an inapplicable or unknown proposal, or one of another book, cannot be decided', async () => {
    const { world, propose } = await openDesk()
    const { proposalId: blocked } = await propose('sync_erp')
    const { proposalId: mine } = await propose('prepare_return')
    expect(await refusal(world.run('inbox.decide', { id: blocked, decision: 'accept' }))).toBe(
      'proposal_decided',
    )
    for (const name of ['inbox.decide', 'inbox.open'] as const) {
      const ask = (id: string, ctx = world.test) =>
        name === 'inbox.open'
          ? world.run(name, { id }, ctx)
          : world.run(name, { id, decision: 'accept' }, ctx)
      expect(await refusal(ask(mine, world.live))).toBe('not_found')
      expect(await refusal(ask('prop_0000000000000000'))).toBe('not_found')
    }
    expect((await world.run('inbox.list', {}, world.live)).waiting).toEqual([])
  })

  test('only people can decide: for a key the inbox does not exist', async () => {
    const { world, ctx, propose } = await openDesk()
    const { proposalId: id } = await propose('prepare_return')
    expect(await refusal(world.run('inbox.list', {}, ctx()))).toBe('not_found')
    expect(await refusal(world.run('inbox.open', { id }, ctx()))).toBe('not_found')
    expect(await refusal(world.run('inbox.decide', { id, decision: 'accept' }, ctx()))).toBe('not_found')
    expect((await statuses(world)).waiting).toEqual([id])
  })
})

test('pending proposals are listed oldest first, decided ones newest first, up to the limit', async () => {
  const { world, propose } = await openDesk()
  const ids: string[] = []
  for (let quarter = 1; quarter <= 3; quarter++)
    for (const form of ['303', '349'] as const)
      ids.push((await propose('prepare_return', undefined, { form, year: 2025, quarter })).proposalId)
  // There were no sales abroad, so half of them were not possible.
  const [first, , second, , third] = ids as [string, string, string, string, string]
  await world.run('inbox.decide', { id: first, decision: 'accept' })
  expect(await statuses(world)).toEqual({
    waiting: [second, third],
    decided: [
      [ids[5], 'not_applicable'],
      [ids[3], 'not_applicable'],
      [ids[1], 'not_applicable'],
      [first, 'accepted'],
    ],
  })
  const { waiting, decided, count } = await world.run('inbox.list', { limit: 1 })
  expect([waiting, decided].map((items) => items.map((item) => item.proposalId))).toEqual([
    [second],
    [ids[5]],
  ])
  expect(count).toBe(2)
})
