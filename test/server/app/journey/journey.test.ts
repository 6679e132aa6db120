/** The journey of an invoice: each step is what a fact proves, and no more. */
import { expect, test } from 'vitest'
import { combineJourney } from '../../../../server/app/journey/combine.ts'
import type { ChannelFact } from '../../../../server/app/journey/combine.ts'
import { findCodes, writeCode } from '../../../../server/domain/replies/code.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const AT = { at: '2026-07-01T10:00:00+02:00' }
const NONE = { notApplicable: [], due: null }

const fact = (changes: Partial<ChannelFact>): ChannelFact => ({
  step: 'delivered',
  state: 'done',
  at: null,
  day: null,
  channel: 'mail',
  evidence: null,
  note: null,
  ...changes,
})

async function states(world: World, id: string): Promise<Record<string, string>> {
  const answer = await world.get(`/api/v1/invoices/${id}/journey`)
  expect(answer.status, answer.raw.body).toBe(200)
  const { steps } = answer.body.data as { steps: { step: string; state: string }[] }
  return Object.fromEntries(steps.map(({ step, state }) => [step, state]))
}

async function say(world: World, id: string, kind: 'accepted' | 'rejected' | 'received', at: string) {
  const { page } = await world.run('replies.page', { id })
  const [, json = ''] = /id="data">([^<]*)</.exec(page) ?? []
  const data = JSON.parse(json) as { page: string; key: string }
  const text = writeCode(Buffer.from(data.key, 'base64url'), {
    pageId: data.page,
    kind,
    payOn: null,
    reason: kind === 'rejected' ? 'amount' : null,
    words: null,
    saidBy: null,
    saidAt: Date.parse(at),
  })
  expect(findCodes(text)).toHaveLength(1)
  await world.run('replies.take', { text })
}

test('goes from issue to payment by what is proven', async () => {
  const world = await openWorld(AT)
  const { id } = await world.issue((await world.createDraft()).id)
  expect(await states(world, id)).toEqual({
    registered: 'waiting',
    delivered: 'waiting',
    seen: 'waiting',
    accepted: 'waiting',
    paid: 'waiting',
  })
  await world.run('company.update', { email: 'empresa@ejemplo.example' }, { book: 'live' })
  const draft = await world.run('mail.prepare', { kind: 'invoice', ids: [id] })
  await world.run('mail.file', {
    kind: 'invoice',
    ids: [id],
    to: ['empresa@ejemplo.example'],
    subject: draft.subject,
    body: draft.body,
  })
  // The mail program tells nobody whether it sent it.
  expect((await states(world, id)).delivered).toBe('unknown')
  await say(world, id, 'received', '2026-07-01T07:00:00Z')
  expect(await states(world, id)).toMatchObject({ delivered: 'done', seen: 'done', accepted: 'waiting' })
  await say(world, id, 'rejected', '2026-07-01T07:10:00Z')
  expect((await states(world, id)).accepted).toBe('failed')
  await say(world, id, 'accepted', '2026-07-01T07:20:00Z')
  expect((await states(world, id)).accepted).toBe('done')
  await world.run('payments.payInvoice', { id, date: '2026-07-01', method: 'transfer', amount: 24.2 })
  const { steps } = await world.run('invoices.journey', { id })
  const paid = steps.find(({ step }) => step === 'paid')
  expect(paid).toMatchObject({ state: 'done', channel: 'payment', at: null, day: '2026-07-01' })
  expect(paid?.evidence?.type).toBe('payment')
})

test('a draft has none, and an invoice without a customer is delivered to nobody', async () => {
  const world = await openWorld(AT)
  const draft = await world.createDraft()
  const refused = await world.get(`/api/v1/invoices/${draft.id}/journey`)
  expect(refused.body.error.code).toBe('invoice_not_issued')
  const ticket = await world.createDraft({ kind: 'F2', clientName: 'Mostrador', clientNif: null })
  const { id } = await world.issue(ticket.id)
  expect(await states(world, id)).toMatchObject({
    delivered: 'not_applicable',
    seen: 'not_applicable',
    accepted: 'not_applicable',
  })
})

test('one proof is enough for delivery, and of acceptance the last word counts', () => {
  const stateOf = (facts: ChannelFact[], step: string): string | undefined =>
    combineJourney(facts, NONE).find((each) => each.step === step)?.state
  const failed = fact({ state: 'failed', at: '2026-07-02T00:00:00.000Z' })
  const done = fact({ at: '2026-07-01T00:00:00.000Z' })
  expect(stateOf([failed, done], 'delivered')).toBe('done')
  expect(stateOf([failed], 'delivered')).toBe('failed')
  expect(stateOf([failed, fact({ state: 'waiting', at: '2026-07-01T00:00:00.000Z' })], 'delivered')).toBe(
    'waiting',
  )
  expect(stateOf([done], 'seen')).toBe('unknown')
  const said = (state: 'done' | 'failed', at: string): ChannelFact =>
    fact({ step: 'accepted', state, at, channel: 'exchange' })
  const [no, yes] = [said('failed', '2026-07-03T00:00:00.000Z'), said('done', '2026-07-02T00:00:00.000Z')]
  expect(stateOf([yes, no], 'accepted')).toBe('failed')
  const [first] = combineJourney([fact({ at: '2026-07-05T00:00:00.000Z' }), done], NONE).filter(
    ({ step }) => step === 'delivered',
  )
  expect(first?.at).toBe('2026-07-01T00:00:00.000Z')
  const paid = combineJourney([], { notApplicable: ['paid'], due: '2026-08-01' }).at(-1)
  expect(paid).toMatchObject({ state: 'not_applicable', due: null })
})
