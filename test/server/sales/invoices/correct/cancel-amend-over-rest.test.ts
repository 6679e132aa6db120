/** Annulling and amending over REST and through the window's door: two steps each, and no shorter way. */
import { beforeEach, describe, expect, test } from 'vitest'
import { setRegistryStatus } from '../../../../../server/sales/invoices/index.ts'
import { sendBook } from '../../../../../server/registry/index.ts'
import { openWorld } from '../../../../support/world.ts'
import type { Answer, World } from '../../../../support/world.ts'

type Step = 'cancel' | 'amend'
/** Asks for an operation of an invoice: the same question through either door. */
type Ask = (operation: 'validate' | Step, id: string, body: object) => Promise<Answer>

let world: World
beforeEach(async () => {
  world = await openWorld()
})

const send = () => sendBook(world.env, world.books.test, setRegistryStatus)

async function registered(): Promise<string> {
  const { id } = await world.createDraft()
  await world.issue(id)
  await send()
  return id
}

const doors: [string, Ask][] = [
  ['REST', (operation, id, body) => world.post(`/api/v1/invoices/${id}/${operation}`, body)],
  ['the window', (operation, id, body) => world.call(`invoices.${operation}`, { id, ...body })],
]

describe.each(doors)('through %s', (_name, ask) => {
  test('an invoice is annulled and brought back', async () => {
    const id = await registered()
    const checked = await ask('validate', id, { action: 'cancel' })
    expect(checked.status).toBe(200)
    expect(checked.body.data).toMatchObject({
      valid: true,
      preview: { number: 'T-F2026-0001', record: { kind: 'cancellation', turn: 'first' } },
    })
    const { confirmationToken } = checked.body.data.confirmation
    const cancelled = await ask('cancel', id, { confirmationToken, reason: 'Duplicada' })
    expect(cancelled.status).toBe(200)
    expect(cancelled.body.data).toMatchObject({
      id,
      payment: { status: 'cancelled' },
      registry: { status: 'pending', simulated: true },
    })
    const again = await ask('cancel', id, { confirmationToken })
    expect(again.body.data).toMatchObject({ id, replayed: true })
    await send()
    const amendment = await ask('validate', id, { action: 'amend', changes: { clientName: 'Ana Ruiz' } })
    expect(amendment.body.data.preview.record).toMatchObject({
      kind: 'registration',
      reactivates: true,
      changes: [{ field: 'clientName', from: 'Ana Ruiz Gil', to: 'Ana Ruiz' }],
    })
    const amended = await ask('amend', id, {
      confirmationToken: amendment.body.data.confirmation.confirmationToken,
    })
    expect(amended.status).toBe(200)
    expect(amended.body.data).toMatchObject({ clientName: 'Ana Ruiz Gil', payment: { status: 'unpaid' } })
    await send()
    const { body } = await world.get(`/api/v1/invoices/${id}`)
    expect(body.data).toMatchObject({
      registry: { status: 'accepted' },
      actions: ['pdf', 'duplicate', 'rectify', 'pay', 'cancel', 'amend'],
    })
    expect(body.data.history.map(({ action }: { action: string }) => action)).toEqual([
      'invoice.drafted',
      'invoice.confirmation_given',
      'invoice.issued',
      'invoice.confirmation_given',
      'invoice.cancelled',
      'invoice.confirmation_given',
      'invoice.amended',
    ])
  })

  test.each<Step>(['cancel', 'amend'])(
    '%s without a token, with a wrong one, or of a draft',
    async (step) => {
      const id = await registered()
      const missing = await ask(step, id, {})
      expect([missing.status, missing.body.error.code]).toEqual([428, 'confirmation_required'])
      const wrong = await ask(step, id, { confirmationToken: 'svct_x' })
      expect([wrong.status, wrong.body.error.code]).toEqual([409, 'confirmation_invalid'])
      const draft = await world.createDraft()
      for (const answer of [
        await ask(step, draft.id, { confirmationToken: 'svct_x' }),
        await ask('validate', draft.id, { action: step }),
      ])
        expect([answer.status, answer.body.error.code]).toEqual([409, 'invoice_not_issued'])
      const waiting = await world.createDraft()
      await world.issue(waiting.id)
      const open = await ask('validate', waiting.id, { action: step })
      expect([open.status, open.body.error.code]).toEqual([409, 'registry_pending'])
    },
  )

  test('an amendment that cannot be is answered with its faults and no token', async () => {
    const id = await registered()
    const { status, body } = await ask('validate', id, {
      action: 'amend',
      changes: { clientNif: '12345678A', breakdown: [{ index: 0, taxTreatment: 'E1' }] },
    })
    expect(status).toBe(200)
    expect(body.data.valid).toBe(false)
    expect(body.data).not.toHaveProperty('confirmation')
    expect(
      body.data.issues
        .filter(({ severity }: { severity: string }) => severity === 'error')
        .map(({ field, code }: { field: string; code: string }) => `${field}: ${code}`),
    ).toEqual(['changes.breakdown[0].taxTreatment: amend_treatment_taxed', 'changes.clientNif: nif_invalid'])
  })
})

test('a token of the window is not of a key, nor the other way round', async () => {
  const id = await registered()
  const [[, rest], [, window]] = doors as [[string, Ask], [string, Ask]]
  for (const [mint, use] of [
    [rest, window],
    [window, rest],
  ] as const) {
    const checked = await mint('validate', id, { action: 'cancel' })
    const refused = await use('cancel', id, {
      confirmationToken: checked.body.data.confirmation.confirmationToken,
    })
    expect(refused.body.error.code).toBe('confirmation_invalid')
  }
})

test('one Idempotency-Key, one annulment, the same answer', async () => {
  const id = await registered()
  const { body } = await world.post(`/api/v1/invoices/${id}/validate`, { action: 'cancel' })
  const { confirmationToken } = body.data.confirmation
  const ask = () =>
    world.post(
      `/api/v1/invoices/${id}/cancel`,
      { confirmationToken },
      { headers: { 'idempotency-key': 'annul-once' } },
    )
  const answers = await Promise.all([ask(), ask(), ask()])
  const done = answers.filter(({ status }) => status === 200)
  expect(done.length).toBeGreaterThan(0)
  for (const answer of done) expect(answer.body.data).toEqual(done[0]?.body.data)
  for (const answer of answers.filter(({ status }) => status !== 200))
    expect(answer.body.error.code).toBe('idempotency_in_progress')
  expect((await ask()).body.data).toEqual(done[0]?.body.data)
  expect((await world.run('registry.status', {})).chain.records).toBe(2)
})

test('the reason is bounded, and nothing else is taken', async () => {
  const id = await registered()
  for (const [body, field] of [
    [{ confirmationToken: 'x', reason: 'a'.repeat(301) }, 'reason'],
    [{ confirmationToken: 'x', reason: 'a\nb' }, 'reason'],
    [{ confirmationToken: 'x', number: 'T-F2026-0002' }, 'number'],
  ] as const) {
    const { status, body: answer } = await world.post(`/api/v1/invoices/${id}/cancel`, body)
    expect([status, answer.error.code, answer.error.field]).toEqual([422, 'validation_failed', field])
  }
  for (const changes of [{ number: 'X' }, { total: 3 }, { breakdown: [{ index: 0, base: 1 }] }]) {
    const { body } = await world.post(`/api/v1/invoices/${id}/validate`, { action: 'amend', changes })
    expect(body.error.code).toBe('validation_failed')
    expect(body.error.field).toMatch(/^changes/)
  }
})
