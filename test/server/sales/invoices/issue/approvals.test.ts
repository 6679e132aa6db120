/** A person's yes to a live step of a key: asked once, bound to what was shown, given by nobody else, and taken with it. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { setRegistryStatus } from '../../../../../server/sales/invoices/index.ts'
import { simulatedAuthority } from '../../../../../server/registry/systems/verifactu/simulator/stored.ts'
import { sendDueRecords } from '../../../../../server/registry/queue/sender.ts'
import { createCtx } from '../../../../../server/context.ts'
import type { Ctx } from '../../../../../server/context.ts'
import { eventsAfter } from '../../../../../server/platform/events/index.ts'
import { authenticate } from '../../../../../server/platform/api-keys/index.ts'
import { openBooks, refused, refusal } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { copiesOf } from '../../../../support/copied-books.ts'
import { makeP12 } from '../../../../support/files/certificates.ts'
import { EXAMPLE_COMPANY } from '../../../../support/store.ts'

const copyOfBooks = copiesOf(async () => {
  const world = await openBooks({ environment: { sandbox: true } })
  const { p12 } = makeP12({ password: 'clave' })
  await world.run('certificates.import', { file: p12.toString('base64'), password: 'clave' }, world.live)
  return world
})

/** A sandbox's live book that may issue, with the page open or not. */
const liveBooks = (pages = 1) => copyOfBooks({ environment: { sandbox: true, window: { pages } } })

async function keyOf(world: TestBooks, changes: Parameters<TestBooks['key']>[0] = {}): Promise<Ctx> {
  return world.ctx(world.books.live, await world.key({ approval: 'always', ...changes }, world.books.live))
}

const STEP_SCOPES = ['invoices.read', 'invoices.write', 'invoices.issue'] as const

const validate = (world: TestBooks, id: string, ctx: Ctx) => world.run('invoices.validate', { id }, ctx)
async function ask(world: TestBooks, id: string, ctx: Ctx) {
  const { confirmation, issues } = await validate(world, id, ctx)
  if (!confirmation) throw new Error(`No token: ${JSON.stringify(issues)}`)
  return { token: confirmation.confirmationToken, approval: confirmation.approval }
}
const issue = (world: TestBooks, id: string, confirmationToken: string, ctx: Ctx) =>
  world.run('invoices.issue', { id, confirmationToken }, ctx)
const waiting = async (world: TestBooks) => (await world.run('approvals.list', {}, world.live)).waiting
const card = (world: TestBooks, id: string) => world.run('approvals.get', { id }, world.live)

async function decide(world: TestBooks, approvalId: string, decision: 'approve' | 'deny', note?: string) {
  const { contentHash } = await card(world, approvalId)
  return world.run(
    'approvals.decide',
    { id: approvalId, decision, contentHash, ...(note ? { note } : {}) },
    world.live,
  )
}
async function records(world: TestBooks): Promise<number> {
  return (await world.run('registry.status', {}, world.live)).chain.records
}

describe('a live issue by a key', () => {
  test('waits for the yes, which issues it; the key finds it done', async () => {
    const world = await liveBooks()
    const key = await keyOf(world, {
      name: 'Claude',
      assistant: true,
      scopes: ['invoices.read', 'invoices.write', 'invoices.issue'],
    })
    const draft = await world.draft({}, world.live)
    const { token, approval } = await ask(world, draft.id, key)
    expect(approval).toEqual({
      required: true,
      status: 'pending',
      approvalId: expect.stringMatching(/^apr_/),
    })
    const pending = await refused(issue(world, draft.id, token, key))
    expect(pending).toMatchObject({
      code: 'approval_pending',
      details: { approvalId: approval.approvalId },
      waitSeconds: 3,
    })
    expect(await records(world)).toBe(0)

    const [item] = await waiting(world)
    expect(item).toMatchObject({
      approvalId: approval.approvalId,
      action: 'issue',
      status: 'pending',
      key: { name: 'Claude', assistant: true, isNew: true },
      invoice: { id: draft.id, number: 'F2026-0001', clientName: draft.clientName, total: draft.total },
    })
    expect(await card(world, item!.approvalId)).toMatchObject({
      preview: { number: 'F2026-0001', total: draft.total },
      lines: [{ description: draft.lines[0]?.description }],
      changed: false,
      checks: { knownClient: false, validNif: true, caps: null },
    })

    expect(await decide(world, item!.approvalId, 'approve')).toMatchObject({ status: 'approved' })
    expect(await records(world)).toBe(1)
    const answer = await issue(world, draft.id, token, key)
    expect(answer).toMatchObject({ id: draft.id, number: 'F2026-0001', state: 'issued', replayed: true })
    expect(await waiting(world)).toEqual([])
    expect((await world.run('approvals.list', {}, world.live)).decided).toMatchObject([
      { status: 'approved', key: { isNew: false } },
    ])
  })

  test('a no ends it: the token is worth nothing, and asking the same again for an hour neither', async () => {
    const world = await liveBooks()
    const key = await keyOf(world)
    const draft = await world.draft({}, world.live)
    const first = await ask(world, draft.id, key)
    await decide(world, first.approval.approvalId ?? '', 'deny', 'Falta el pedido')
    expect(await refusal(issue(world, draft.id, first.token, key))).toBe('approval_denied')
    for (const at of ['2026-11-21T10:05:00+01:00', '2026-11-21T10:59:00+01:00']) {
      world.setTime(at)
      const again = await ask(world, draft.id, key)
      expect(again.approval).toMatchObject({ status: 'denied', approvalId: first.approval.approvalId })
      expect(await refusal(issue(world, draft.id, again.token, key))).toBe('approval_denied')
    }
    expect(await waiting(world)).toEqual([])
    // Another content is another question.
    await world.run('invoices.update', { id: draft.id, notes: 'Pedido 12' }, world.live)
    expect((await ask(world, draft.id, key)).approval.status).toBe('pending')
    await world.run('invoices.update', { id: draft.id, notes: null }, world.live)
    world.setTime('2026-11-21T11:01:00+01:00')
    expect((await ask(world, draft.id, key)).approval.status).toBe('pending')
    expect((await world.run('approvals.list', {}, world.live)).decided).toContainEqual(
      expect.objectContaining({ status: 'denied', note: 'Falta el pedido' }),
    )
    expect(await records(world)).toBe(0)
  })

  test('with no page open it is told so, and the token lives on', async () => {
    const world = await liveBooks(0)
    const key = await keyOf(world)
    const draft = await world.draft({}, world.live)
    const { token, approval } = await ask(world, draft.id, key)
    for (const _ of [1, 2])
      expect(await refusal(issue(world, draft.id, token, key))).toBe('approval_unavailable')
    world.env.window.pages = 1
    expect(await refusal(issue(world, draft.id, token, key))).toBe('approval_pending')
    await decide(world, approval.approvalId ?? '', 'approve')
    expect(await issue(world, draft.id, token, key)).toMatchObject({ state: 'issued' })
  })

  test('runs out with its token: nothing was issued and nothing can be any more', async () => {
    const world = await liveBooks()
    const key = await keyOf(world)
    const draft = await world.draft({}, world.live)
    const { token, approval } = await ask(world, draft.id, key)
    const { contentHash } = await card(world, approval.approvalId ?? '')
    world.setTime('2026-11-21T10:10:01+01:00')
    expect(await refusal(issue(world, draft.id, token, key))).toBe('confirmation_expired')
    expect(await waiting(world)).toEqual([])
    expect((await world.run('approvals.list', {}, world.live)).decided).toMatchObject([{ status: 'expired' }])
    const late = world.run(
      'approvals.decide',
      { id: approval.approvalId ?? '', decision: 'approve', contentHash },
      world.live,
    )
    expect(await refused(late)).toMatchObject({ code: 'approval_closed', details: { status: 'expired' } })
    expect(await records(world)).toBe(0)
  })

  test('the yes is to what was shown: a draft changed since is not issued with it', async () => {
    const world = await liveBooks()
    const key = await keyOf(world)
    const draft = await world.draft({}, world.live)
    const { token, approval } = await ask(world, draft.id, key)
    const id = approval.approvalId ?? ''
    const { contentHash } = await card(world, id)
    await world.run('invoices.update', { id: draft.id, notes: 'Otra cosa' }, key)
    // The request is withdrawn with its draft: the person is notified, and the key stops waiting.
    const yes = () => world.run('approvals.decide', { id, decision: 'approve', contentHash }, world.live)
    expect(await waiting(world)).toEqual([])
    expect(await refused(yes())).toMatchObject({ code: 'approval_closed', details: { status: 'withdrawn' } })
    expect(await refusal(issue(world, draft.id, token, key))).toBe('confirmation_stale')
    const told = (await eventsAfter(world.env.store.reader, 0, 1000)).filter(
      ({ type }) => type === 'approval.decided',
    )
    expect(told.map(({ data }) => data)).toEqual([
      expect.objectContaining({ approvalId: id, invoiceId: draft.id, decision: 'withdrawn' }),
    ])
    // Asked again it is another question; another hash than that of its card is refused.
    const next = await ask(world, draft.id, key)
    expect(next.approval.approvalId).not.toBe(id)
    const other = world.run(
      'approvals.decide',
      { id: next.approval.approvalId ?? '', decision: 'approve', contentHash },
      world.live,
    )
    expect(await refusal(other)).toBe('confirmation_stale')
    expect(await refusal(issue(world, draft.id, token, key))).toBe('confirmation_invalid')
    expect(await records(world)).toBe(0)
  })

  test('what was deleted waits for nobody, and what changed without an edit does not wait without end', async () => {
    const world = await liveBooks()
    const key = await keyOf(world)
    const gone = await world.draft({}, world.live)
    await ask(world, gone.id, key)
    await world.run('invoices.delete', { id: gone.id }, world.live)
    expect(await waiting(world)).toEqual([])
    const draft = await world.draft({}, world.live)
    const { token } = await ask(world, draft.id, key)
    expect(await refusal(issue(world, draft.id, token, key))).toBe('approval_pending')
    await world.run('company.update', { legalName: 'Otra Casa S.L.' }, world.live)
    expect(await refusal(issue(world, draft.id, token, key))).toBe('confirmation_stale')
  })

  test('the same content is asked once, whatever often it is validated', async () => {
    const world = await liveBooks()
    const key = await keyOf(world)
    const draft = await world.draft({}, world.live)
    const first = await ask(world, draft.id, key)
    world.setTime('2026-11-21T10:09:00+01:00')
    const second = await ask(world, draft.id, key)
    expect(second.approval).toEqual(first.approval)
    expect(await waiting(world)).toHaveLength(1)
    // It waits as long as the newest token, and spends that one.
    world.setTime('2026-11-21T10:15:00+01:00')
    await decide(world, second.approval.approvalId ?? '', 'approve')
    expect(await issue(world, draft.id, second.token, key)).toMatchObject({ replayed: true })
    expect(await refusal(issue(world, draft.id, first.token, key))).toBe('invoice_not_draft')
    const asked = (await eventsAfter(world.env.store.reader, 0, 1000)).filter(
      ({ type }) => type === 'approval.requested',
    )
    expect(asked).toHaveLength(1)
  })

  test('what the person issued meanwhile is asked of nobody any more', async () => {
    const world = await liveBooks()
    const [one, other] = [await keyOf(world, { name: 'Uno' }), await keyOf(world, { name: 'Otro' })]
    const draft = await world.draft({}, world.live)
    const [mine, theirs] = [await ask(world, draft.id, one), await ask(world, draft.id, other)]
    expect(await waiting(world)).toHaveLength(2)
    await decide(world, mine.approval.approvalId ?? '', 'approve')
    expect(await waiting(world)).toEqual([])
    expect(await refusal(issue(world, draft.id, theirs.token, other))).toBe('invoice_not_draft')
    expect(
      (await world.run('approvals.list', {}, world.live)).decided.map(({ key, status }) => [
        key.name,
        status,
      ]),
    ).toEqual([
      ['Otro', 'withdrawn'],
      ['Uno', 'approved'],
    ])
    expect(await records(world)).toBe(1)
  })

  test('a key that was taken away asks nothing any more', async () => {
    const world = await liveBooks()
    const key = await keyOf(world)
    const draft = await world.draft({}, world.live)
    const { approval } = await ask(world, draft.id, key)
    const id = approval.approvalId ?? ''
    const { contentHash } = await card(world, id)
    await world.run('keys.revoke', { id: key.actor.id }, world.live)
    expect(await waiting(world)).toEqual([])
    const yes = world.run('approvals.decide', { id, decision: 'approve', contentHash }, world.live)
    expect(await refused(yes)).toMatchObject({ code: 'approval_closed', details: { status: 'withdrawn' } })
    expect(await records(world)).toBe(0)
  })

  test('spends the caps of the key, and says on the card when they are too small', async () => {
    const world = await liveBooks()
    const key = await keyOf(world, { limits: { perDay: 1 } })
    const [first, second] = [await world.draft({}, world.live), await world.draft({}, world.live)]
    const one = await ask(world, first.id, key)
    expect((await card(world, one.approval.approvalId ?? '')).checks.caps).toEqual({
      within: true,
      perDay: 1,
      issuedToday: 0,
      eurPerDay: null,
      issuedEurToday: 0,
    })
    await decide(world, one.approval.approvalId ?? '', 'approve')
    const two = await ask(world, second.id, key)
    expect((await card(world, two.approval.approvalId ?? '')).checks).toMatchObject({
      knownClient: true,
      caps: { within: false, issuedToday: 1 },
    })
    expect(await refusal(decide(world, two.approval.approvalId ?? '', 'approve'))).toBe('daily_cap_reached')
    expect((await waiting(world)).map(({ status }) => status)).toEqual(['pending'])
    expect(await records(world)).toBe(1)
  })

  test('a key has at most twenty questions open', async () => {
    const world = await liveBooks()
    const key = await keyOf(world)
    for (let index = 0; index < 20; index++) await ask(world, (await world.draft({}, world.live)).id, key)
    const one = await world.draft({}, world.live)
    expect(await refused(validate(world, one.id, key))).toMatchObject({ code: 'approvals_full' })
    expect(await waiting(world)).toHaveLength(20)
  })

  test('keys made by a key have no more questions open than it has, and its caps stand on their cards', async () => {
    const world = await liveBooks()
    const maker = await keyOf(world, { scopes: [...STEP_SCOPES, 'keys.write'], limits: { perDay: 3 } })
    const { key: text } = await world.run('keys.create', { name: 'Hija', scopes: [...STEP_SCOPES] }, maker)
    const child = world.ctx(
      world.books.live,
      (await authenticate(world.env.store.reader, text, world.env.now()))!.actor,
    )
    for (let index = 0; index < 19; index++)
      await ask(world, (await world.draft({}, world.live)).id, index % 2 ? maker : child)
    const last = await world.draft({}, world.live)
    const asked = await ask(world, last.id, child)
    expect((await card(world, asked.approval.approvalId ?? '')).checks.caps).toMatchObject({
      within: true,
      perDay: 3,
    })
    const one = await world.draft({}, world.live)
    for (const key of [maker, child])
      expect(await refused(validate(world, one.id, key))).toMatchObject({ code: 'approvals_full' })
  })

  test('two windows answer at once: one of them decides', async () => {
    const world = await liveBooks()
    const key = await keyOf(world)
    const draft = await world.draft({}, world.live)
    const { approval } = await ask(world, draft.id, key)
    const id = approval.approvalId ?? ''
    const { contentHash } = await card(world, id)
    const answers = await Promise.allSettled(
      (['approve', 'deny', 'approve', 'deny'] as const).map((decision) =>
        world.run('approvals.decide', { id, decision, contentHash }, world.live),
      ),
    )
    const [first, ...others] = answers.filter(({ status }) => status === 'fulfilled')
    expect(others).toEqual([])
    const decided = (first as PromiseFulfilledResult<{ status: string }>).value.status
    expect(await records(world)).toBe(decided === 'approved' ? 1 : 0)
    expect((await world.run('approvals.list', {}, world.live)).decided[0]?.status).toBe(decided)
  })

  test('survives a restart between the question and the answer', async () => {
    const world = await liveBooks()
    const key = await keyOf(world)
    const draft = await world.draft({}, world.live)
    const { token, approval } = await ask(world, draft.id, key)
    await world.restart()
    const again = keyFor(world, key)
    expect(await refusal(issue(world, draft.id, token, again))).toBe('approval_pending')
    await decide(world, approval.approvalId ?? '', 'approve')
    await world.restart()
    expect(await issue(world, draft.id, token, keyFor(world, key))).toMatchObject({ replayed: true })
    expect(await records(world)).toBe(1)
  })
})

const keyFor = (world: TestBooks, key: Ctx): Ctx => world.ctx(world.books.live, key.actor)

test.each(['rest', 'mcp'] as const)('a key made to need no yes, over %s', async (channel) => {
  const world = await liveBooks()
  const { actor } = await keyOf(world, { approval: 'never' })
  const through = (which: 'rest' | 'mcp') =>
    createCtx({ env: world.env, book: world.books.live, actor, channel: which, requestId: 'req_1' })
  const draft = await world.draft({}, world.live)
  const { token, approval } = await ask(world, draft.id, through(channel))
  expect(approval.required).toBe(channel === 'mcp')
  if (channel === 'mcp') {
    expect(await refusal(issue(world, draft.id, token, through('mcp')))).toBe('approval_pending')
    return
  }
  // A token that nobody was asked about issues nothing over the door where a person has to be.
  expect(await refusal(issue(world, draft.id, token, through('mcp')))).toBe('confirmation_invalid')
  expect(await issue(world, draft.id, token, through('rest'))).toMatchObject({ state: 'issued' })
})

test('a card can be read while the store cannot be written', async () => {
  const world = await liveBooks()
  const key = await keyOf(world)
  const { approval } = await ask(world, (await world.draft({}, world.live)).id, key)
  const writing = vi.spyOn(world.env.store, 'transaction').mockRejectedValue(new Error('The disk is full.'))
  onTestFinished(() => writing.mockRestore())
  expect(await card(world, approval.approvalId ?? '')).toMatchObject({ changed: false, status: 'pending' })
  expect(writing).not.toHaveBeenCalled()
})

test('a test book asks nobody', async () => {
  const world = await liveBooks(0)
  const key = world.ctx(world.books.test, await world.key({ approval: 'always' }))
  const draft = await world.draft()
  const { token, approval } = await ask(world, draft.id, key)
  expect(approval).toEqual({ required: false, status: 'not_required' })
  expect(await issue(world, draft.id, token, key)).toMatchObject({ state: 'issued' })
  expect((await world.run('approvals.list', {}, world.live)).waiting).toEqual([])
})

test.each(['cancel', 'amend'] as const)('%s of an issued invoice waits for the yes too', async (action) => {
  const world = await liveBooks()
  const { id } = await world.invoice({}, world.live)
  const { settled } = await sendDueRecords(world.live, {
    authority: simulatedAuthority(world.live),
    issuer: { name: EXAMPLE_COMPANY.legalName, nif: EXAMPLE_COMPANY.nif },
    onStatus: setRegistryStatus,
  })
  expect(settled).toBe(1)
  const key = await keyOf(world)
  const changes = { description: 'Descripción corregida' }
  const { confirmation } = await world.run(
    'invoices.validate',
    { id, action, ...(action === 'amend' ? { changes } : {}) },
    key,
  )
  const token = confirmation?.confirmationToken ?? ''
  const take = () => world.run(`invoices.${action}`, { id, confirmationToken: token }, key)
  expect(await refusal(take())).toBe('approval_pending')
  const approvalId = confirmation?.approval.approvalId ?? ''
  expect(await card(world, approvalId)).toMatchObject({
    action,
    preview: { record: { kind: action === 'cancel' ? 'cancellation' : 'registration' } },
    checks: { caps: null },
  })
  await decide(world, approvalId, 'approve')
  expect(await records(world)).toBe(2)
  expect(await take()).toMatchObject({ id, replayed: true })
  expect(await records(world)).toBe(2)
})

test('what was decided is written in the history, with who asked and who answered', async () => {
  const world = await liveBooks()
  const key = await keyOf(world, { name: 'Claude' })
  const draft = await world.draft({}, world.live)
  const { approval } = await ask(world, draft.id, key)
  await decide(world, approval.approvalId ?? '', 'approve')
  const { items } = await world.run('audit.list', { invoiceId: draft.id }, world.live)
  expect(items.map(({ action, actor }) => [action, actor.kind])).toEqual([
    ['invoice.issued', 'user'],
    ['approval.approved', 'user'],
    ['approval.asked', 'key'],
    ['invoice.confirmation_given', 'key'],
    ['invoice.drafted', 'user'],
  ])
})

test.each(['approvals.list', 'approvals.get', 'approvals.decide'] as const)(
  '%s is for a person at the window alone',
  async (name) => {
    const world = await liveBooks()
    const key = await keyOf(world)
    const input = { id: 'apr_6tqy0v5cbn2k8w4e', decision: 'approve', contentHash: '0'.repeat(64) }
    const asked = name === 'approvals.list' ? {} : name === 'approvals.get' ? { id: input.id } : input
    expect(await refusal(world.run(name, asked as never, key))).toBe('not_found')
  },
)
