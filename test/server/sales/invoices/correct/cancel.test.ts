/** Annulling: what it needs, what it leaves in the books, and that it happens once. */
import { describe, expect, test } from 'vitest'
import { eventsAfter } from '../../../../../server/platform/events/index.ts'
import {
  setRegistryStatus,
  verifyNumbering,
  verifyTotals,
} from '../../../../../server/sales/invoices/index.ts'
import { sendDueRecords } from '../../../../../server/registry/queue/sender.ts'
import { simulatedAuthority } from '../../../../../server/registry/systems/verifactu/simulator/stored.ts'
import { CLIENT_ADDRESS, openBooks, refusal, refused } from '../../../../support/books.ts'
import type { DraftInput, Invoice, TestBooks } from '../../../../support/books.ts'
import { makeP12 } from '../../../../support/files/certificates.ts'
import { EXAMPLE_COMPANY } from '../../../../support/store.ts'
import { amend, cancel, refusing, stepToken, validateStep } from '../steps.ts'
import { swept } from '../../../../support/sweep.ts'

const line = (changes: Partial<DraftInput['lines'][number]> = {}): DraftInput['lines'][number] => ({
  description: 'Trabajo',
  quantity: 1,
  unitPrice: 100,
  ...changes,
})

/** An invoice the registry has accepted. */
async function registered(world: TestBooks, changes: Partial<DraftInput> = {}): Promise<Invoice> {
  const { id } = await world.invoice({ client: { address: CLIENT_ADDRESS }, ...changes })
  await world.send()
  return world.run('invoices.get', { id })
}

const cancelWith = (world: TestBooks, id: string, confirmationToken?: string, ctx = world.test) =>
  world.run('invoices.cancel', { id, ...(confirmationToken === undefined ? {} : { confirmationToken }) }, ctx)

const records = async (world: TestBooks) => (await world.run('registry.status', {})).chain.records

describe('validate', () => {
  test('what would be registered, what follows from it, and a token', async () => {
    const world = await openBooks()
    const { id, number } = await registered(world)
    const result = await validateStep(world, id, 'cancel')
    expect(result).toMatchObject({
      valid: true,
      preview: {
        number,
        total: 605,
        taxBreakdown: [{ taxTreatment: 'S1', base: 500, tax: 105 }],
        record: { kind: 'cancellation', turn: 'first', reactivates: false, changes: [] },
      },
      confirmation: {
        confirmationToken: expect.stringMatching(/^svct_[\w-]{43}$/),
        expiresAt: '2026-11-21T09:10:00.000Z',
        contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        approval: { required: false, status: 'not_required' },
      },
    })
    expect(result.issues.map(({ severity, code, params }) => [severity, code, params ?? null])).toEqual([
      ['warning', 'cancel_number_lost', { number }],
      ['warning', 'cancel_customer_has_it', null],
      ['warning', 'cancel_vat_removed', { amount: 105, month: '2026-11' }],
    ])
    expect(result.preview.record).not.toHaveProperty('registration')
    expect(await records(world)).toBe(1)
  })

  test('without VAT none leaves the figures', async () => {
    const world = await openBooks()
    const { id } = await registered(world, { lines: [line({ taxTreatment: 'E1' })] })
    const { issues } = await validateStep(world, id, 'cancel')
    expect(issues.map((issue) => issue.code)).not.toContain('cancel_vat_removed')
  })

  test('a draft has nothing to annul, and an unanswered record comes first', async () => {
    const world = await openBooks()
    const draft = await world.draft()
    for (const action of ['cancel', 'amend'] as const)
      expect(await refusal(validateStep(world, draft.id, action))).toBe('invoice_not_issued')
    const { id } = await world.invoice()
    for (const action of ['cancel', 'amend'] as const)
      expect(await refusal(validateStep(world, id, action))).toBe('registry_pending')
    expect(await refusal(validateStep(world, id, 'issue'))).toBe('invoice_not_draft')
    await world.send()
    expect((await validateStep(world, id, 'cancel')).valid).toBe(true)
    const stale = world.run('invoices.validate', { id, action: 'cancel', expectedVersion: 9 })
    expect(await refusal(stale)).toBe('version_conflict')
  })

  test('changes go with an amendment only', async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    for (const action of ['cancel', 'issue'] as const) {
      const error = await refused(validateStep(world, id, action, { clientName: 'Otro' }))
      expect(error.toBody()).toMatchObject({ code: 'validation_failed', field: 'changes' })
    }
  })

  test('a key without the right to issue learns whether, but gets no token', async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    const ctx = world.ctx(world.books.test, await world.key({ scopes: ['invoices.read'] }))
    const result = await validateStep(world, id, 'cancel', undefined, ctx)
    expect(result.valid).toBe(true)
    expect(result).not.toHaveProperty('confirmation')
    expect(await refusal(cancelWith(world, id, 'svct_x', ctx))).toBe('scope_missing')
  })

  test('a clock behind the last record keeps it from being made', async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    const token = await stepToken(world, id, 'cancel')
    world.setTime('2026-11-21T09:58:30+01:00')
    const result = await validateStep(world, id, 'cancel')
    expect(result.valid).toBe(false)
    expect(result).not.toHaveProperty('confirmation')
    expect(result.issues.map((issue) => issue.code)).toContain('clock_wrong')
    expect(await refusal(cancelWith(world, id, token))).toBe('confirmation_expired')
    world.setTime('2026-11-21T10:00:00+01:00')
    expect((await cancelWith(world, id, token)).cancelledAt).toBeDefined()
  })
})

describe('cancel', () => {
  test('record, figures, state, history and event come together', async () => {
    const world = await openBooks()
    const issued = await registered(world, { dueDate: '2026-12-21' })
    const token = await stepToken(world, issued.id, 'cancel')
    const reader = world.ctx(world.books.test).db
    const last = (await eventsAfter(reader, 0)).at(-1)?.id ?? 0
    world.wakes.length = 0
    const answer = await world.run('invoices.cancel', {
      id: issued.id,
      confirmationToken: token,
      reason: ' Duplicada ',
    })
    expect(answer).toMatchObject({
      id: issued.id,
      number: issued.number,
      state: 'issued',
      total: 605,
      amountDue: 0,
      payment: { status: 'cancelled' },
      cancelledAt: '2026-11-21T09:00:00.000Z',
      contentHash: issued.contentHash,
      registry: { status: 'pending' },
      actions: ['pdf', 'duplicate'],
    })
    expect(answer).not.toHaveProperty('replayed')
    expect(answer.history.at(-1)).toMatchObject({ action: 'invoice.cancelled', outcome: 'ok' })
    const { items } = await world.run('audit.list', { invoiceId: issued.id })
    expect(items[0]?.target).toEqual({ type: 'invoice', id: issued.id, label: `${issued.number}: Duplicada` })
    const events = await eventsAfter(reader, last)
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['invoice.cancelled', { invoiceId: issued.id, number: issued.number }],
    ])
    expect([...new Set(world.wakes)].toSorted()).toEqual(['events', 'sender'])
    const { registrations = [] } = await world.run('registry.status', { invoiceId: issued.id })
    expect(registrations.map(({ kind, turn, status, closed }) => ({ kind, turn, status, closed }))).toEqual([
      { kind: 'registration', turn: 'first', status: 'accepted', closed: true },
      { kind: 'cancellation', turn: 'first', status: 'pending', closed: false },
    ])
    const xml = registrations[1]?.xml ?? ''
    expect(xml).toContain(
      `<sf:IDFactura><sf:IDEmisorFacturaAnulada>B12345674</sf:IDEmisorFacturaAnulada><sf:NumSerieFacturaAnulada>${issued.number}</sf:NumSerieFacturaAnulada><sf:FechaExpedicionFacturaAnulada>21-11-2026</sf:FechaExpedicionFacturaAnulada></sf:IDFactura>`,
    )
    for (const absent of ['SinRegistroPrevio', 'RechazoPrevio', 'GeneradoPor', 'Generador'])
      expect(xml).not.toContain(`${absent}>`)
    await world.send()
    expect(await world.run('invoices.get', { id: issued.id })).toMatchObject({
      registry: { status: 'cancelled' },
      actions: ['pdf', 'duplicate', 'amend'],
    })
    expect(await world.run('registry.verify', {})).toMatchObject({ ok: true, records: 2 })
  })

  test('it is out of every figure and still in the list, under its number', async () => {
    const world = await openBooks()
    const contact = await world.run('contacts.create', { name: 'Ana', nif: '12345678Z' })
    const of = { clientId: contact.id, clientName: 'Ana', clientNif: '12345678Z' }
    const kept = await world.invoice({ ...of, lines: [line(), line({ vatRate: 10, unitPrice: 10 })] })
    const gone = await world.invoice({
      ...of,
      withholdingPct: 15,
      dueDate: '2026-11-21',
      operationDate: '2026-10-31',
      lines: [
        line({ surcharge: 5.2 }),
        line({ unitPrice: 7, isDisbursement: true }),
        line({ taxTreatment: 'E1', unitPrice: 3 }),
      ],
    })
    await world.send()
    world.setTime('2026-11-25T10:00:00+01:00')
    const figures = async () => ({
      fiscal: await world.run('fiscal.summary', { year: 2026 }),
      dashboard: await world.run('dashboard.get', {}),
      contact: (await world.run('contacts.list', {})).items[0],
      list: await world.run('invoices.list', { totals: true }),
      window: await world.run('invoices.window', { summary: true }),
    })
    const before = await figures()
    expect(before.fiscal.output).toMatchObject({ invoices: 2, base: 213 })
    expect(before.dashboard.overdue).toMatchObject({ invoices: 1 })
    await cancel(world, gone.id)
    const after = await figures()
    expect(after.fiscal).toMatchObject({
      output: {
        invoices: 1,
        base: 110,
        quota: 22,
        total: 132,
        exemptBase: 0,
        byRate: [
          { rate: 21, base: 100, quota: 21, surcharge: 0 },
          { rate: 10, base: 10, quota: 1, surcharge: 0 },
        ],
      },
      withholdings: { suffered: 0 },
      topClients: [{ nif: '12345678Z', base: 110 }],
      dataQuality: { numberingGaps: [] },
    })
    expect(await world.run('fiscal.summary', { year: 2026, month: 10 })).toMatchObject({
      output: { invoices: 0, base: 0, byRate: [] },
    })
    expect(after.dashboard).toMatchObject({
      owed: { amount: 132, invoices: 1 },
      overdue: { amount: 0, invoices: 0, oldestDays: null },
      quarter: { base: 110 },
    })
    expect(after.dashboard.collections.map((item) => item.id)).toEqual([kept.id])
    expect(after.contact).toMatchObject({ invoices: 1, invoiced: 132, owed: 132 })
    for (const { totals, items } of [after.list, after.window]) {
      expect(totals).toEqual({ count: 2, base: 110, tax: 22, total: 132, due: 132 })
      expect(items.find((item) => item.id === gone.id)).toMatchObject({
        number: gone.number,
        total: gone.total,
        amountDue: 0,
        payment: { status: 'cancelled' },
        cancelledAt: '2026-11-25T09:00:00.000Z',
      })
    }
    expect(after.window.views).toMatchObject({ all: 2, owed: 1, overdue: 0 })
    for (const [paymentStatus, ids] of [
      ['cancelled', [gone.id]],
      ['paid', []],
      ['unpaid', [kept.id]],
      ['overdue', []],
    ] as const)
      expect(
        (await world.run('invoices.list', { paymentStatus })).items.map((item) => item.id),
        paymentStatus,
      ).toEqual(ids)
    expect(await verifyTotals(world.test)).toEqual({ ok: true, checked: 2, faults: [] })
    expect(await verifyNumbering(world.test)).toEqual({ ok: true, checked: 2, faults: [] })
    // Nor does an invoice that takes its place look like it, and it gets a number of its own.
    const again = await world.draft({ ...of, withholdingPct: 15, lines: [line({ surcharge: 5.2 })] })
    const { issues, preview } = await validateStep(world, again.id, 'issue')
    expect(issues.map((issue) => issue.code)).not.toContain('looks_like_another')
    expect(preview.number).toBe('T-F2026-0003')
  })

  test('an invoice that the registry refused is annulled as one it does not hold', async () => {
    const world = await openBooks()
    const { id } = await world.invoice({ clientName: 'Nadie', clientNif: '99999999R' })
    await world.send()
    expect(await world.run('invoices.get', { id })).toMatchObject({
      registry: { status: 'rejected' },
      actions: ['pdf', 'duplicate', 'rectify', 'pay', 'cancel', 'amend'],
    })
    expect((await validateStep(world, id, 'cancel')).preview.record?.turn).toBe('unregistered')
    await cancel(world, id)
    await world.send()
    const { registrations = [], attention } = await world.run('registry.status', { invoiceId: id })
    expect(registrations[1]?.xml).toContain('<sf:SinRegistroPrevio>S</sf:SinRegistroPrevio>')
    expect(registrations[1]).toMatchObject({ turn: 'unregistered', status: 'accepted' })
    expect(attention).toEqual([])
    expect((await world.run('invoices.get', { id })).registry.status).toBe('cancelled')
  })

  test('refused by the registry it stays annulled in the books, and may be asked for again', async () => {
    const world = await openBooks()
    const { id, number } = await registered(world)
    await cancel(world, id)
    const stubborn = refusing(world.test, ({ kind }) => (kind === 'cancellation' ? '1104' : null))
    await world.send(stubborn)
    expect(await world.run('invoices.get', { id })).toMatchObject({
      cancelledAt: '2026-11-21T09:00:00.000Z',
      amountDue: 0,
      registry: { status: 'rejected' },
      actions: ['pdf', 'duplicate', 'cancel', 'amend'],
    })
    expect((await world.run('registry.status', {})).attention).toMatchObject([{ number, invoiceId: id }])
    expect((await world.run('invoices.list', { totals: true })).totals).toMatchObject({ count: 1, total: 0 })
    world.setTime('2026-11-21T11:00:00+01:00')
    const { preview, issues } = await validateStep(world, id, 'cancel')
    expect(preview.record).toMatchObject({ kind: 'cancellation', turn: 'after_rejection' })
    expect(issues.map((issue) => issue.code)).not.toContain('cancel_vat_removed')
    await cancel(world, id)
    await world.send()
    const { registrations = [], attention } = await world.run('registry.status', { invoiceId: id })
    expect(registrations[2]?.xml).toContain('<sf:RechazoPrevio>S</sf:RechazoPrevio>')
    expect(registrations.map(({ status }) => status)).toEqual(['accepted', 'rejected', 'accepted'])
    expect(attention).toEqual([])
    // It left the figures once, with the first try.
    expect(await world.run('invoices.get', { id })).toMatchObject({
      cancelledAt: '2026-11-21T09:00:00.000Z',
      registry: { status: 'cancelled' },
    })
    expect(await verifyTotals(world.test)).toMatchObject({ ok: true, checked: 1 })
  })

  test('annulled already: said so, and no token', async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    await cancel(world, id)
    await world.send()
    const result = await validateStep(world, id, 'cancel')
    expect(result.valid).toBe(false)
    expect(result).not.toHaveProperty('confirmation')
    expect(result.issues.map(({ severity, code }) => [severity, code])).toEqual([['error', 'cancel_already']])
  })

  test('the PDF and the invoice are those of the issue', async () => {
    const world = await openBooks()
    const issued = await registered(world)
    const rows = () =>
      world.test.db.selectFrom('invoices').selectAll().where('public_id', '=', issued.id).execute()
    const [before] = await rows()
    await cancel(world, issued.id)
    const [after] = await rows()
    const { cancelled_at: _at, is_owed: owed, registry_status: _status, ...kept } = after ?? {}
    expect(owed).toBe(0)
    expect(before).toMatchObject(kept)
    expect(await world.test.db.selectFrom('document_queue').selectAll().execute()).toHaveLength(1)
  })
})

test('what keeps the book from making any record has its own code, and the token lives on', async () => {
  const world = await openBooks()
  const { id } = await registered(world)
  const draft = await world.draft()
  for (const [statement, code, mended] of [
    ["update registry_chains set held_for = 'restored_copy'", 'restored_copy', 'held_for'],
    ['update registry_chains set broken_at = 1', 'chain_broken', 'broken_at'],
  ] as const) {
    const keys = await Promise.all([1, 2, 3].map(() => world.key()))
    const [one, two, three] = keys.map((actor) => world.ctx(world.books.test, actor))
    const steps = [
      { action: 'issue' as const, id: draft.id, ctx: one },
      { action: 'cancel' as const, id, ctx: two },
      { action: 'amend' as const, id, ctx: three },
    ]
    const takes = await Promise.all(
      steps.map(async ({ action, id: of, ctx }) => {
        const confirmationToken = await stepToken(world, of, action, undefined, ctx)
        return () => world.run(`invoices.${action}`, { id: of, confirmationToken }, ctx)
      }),
    )
    await world.tamper(statement)
    for (const take of takes) expect(await refusal(take())).toBe(code)
    for (const { action, id: of } of steps) {
      const { valid, issues } = await validateStep(world, of, action)
      expect([valid, issues.some((issue) => issue.code === code)]).toEqual([false, true])
    }
    expect(await records(world)).toBe(1)
    await world.tamper(`update registry_chains set ${mended} = null`)
  }
  expect((await cancel(world, id)).cancelledAt).toBeDefined()
})

test("where another program's record is held under the number, both steps say on what they would fall", async () => {
  const world = await openBooks()
  const { id, number } = await world.invoice()
  await world.tamper(
    "update registry_submissions set status = 'rejected', authority_code = '3000', held_state = 'active', conflict = 1",
    "update invoices set registry_status = 'rejected'",
  )
  for (const [action, turn] of [
    ['cancel', 'first'],
    ['amend', 'correction'],
  ] as const) {
    const { valid, issues, preview } = await validateStep(world, id, action)
    expect(valid).toBe(true)
    expect(issues.at(-1)).toMatchObject({ severity: 'warning', code: 'number_in_conflict' })
    expect(preview.record?.turn).toBe(turn)
  }
  // The series gives no further number until somebody has decided.
  const draft = await world.draft({ lines: [line()] })
  const { issues } = await validateStep(world, draft.id, 'issue')
  expect(issues.find((issue) => issue.severity === 'error')).toMatchObject({
    code: 'series_in_conflict',
    params: { number },
  })
  const other = await world.invoice({ kind: 'F2', clientName: 'Público', clientNif: null })
  expect(other.number).toBe('T-S2026-0001')
})

describe('a confirmation token', () => {
  test('is needed', async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    expect((await refused(cancelWith(world, id))).toBody()).toMatchObject({
      code: 'confirmation_required',
      field: 'confirmationToken',
    })
    expect(await refusal(cancelWith(world, (await world.draft()).id, 'svct_x'))).toBe('invoice_not_issued')
    expect(await refusal(cancelWith(world, 'inv_0000000000000000', 'svct_x'))).toBe('not_found')
  })

  test('of one step never works for another, used or not', async () => {
    const world = await openBooks()
    const draft = await world.draft()
    const issueToken = await world.token(draft.id)
    await world.run('invoices.issue', { id: draft.id, confirmationToken: issueToken })
    await world.send()
    const { id } = draft
    const tokens = { issue: issueToken, cancel: '', amend: '' }
    const use = (action: 'issue' | 'cancel' | 'amend', confirmationToken: string) =>
      world.run(`invoices.${action}`, { id, confirmationToken })
    for (const minted of ['cancel', 'amend'] as const) {
      tokens[minted] = await stepToken(world, id, minted)
      for (const action of ['issue', 'cancel', 'amend'] as const)
        if (action !== minted)
          expect(await refusal(use(action, tokens[minted])), `${minted} for ${action}`).toBe(
            'confirmation_invalid',
          )
    }
    for (const action of ['cancel', 'amend'] as const)
      expect(await refusal(use(action, issueToken)), `issue for ${action}`).toBe('confirmation_invalid')
    expect(await records(world)).toBe(1)
    tokens.cancel = await stepToken(world, id, 'cancel')
    await use('cancel', tokens.cancel)
    for (const action of ['issue', 'amend'] as const)
      expect(await refusal(use(action, tokens.cancel))).toBe('confirmation_invalid')
    // The issue's own repetition is still one.
    expect(await use('issue', issueToken)).toMatchObject({ replayed: true, payment: { status: 'cancelled' } })
    expect(await records(world)).toBe(2)
  })

  test('made up, cut short or of another invoice, key or book is invalid, all alike', async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    const other = await registered(world)
    const token = await stepToken(world, id, 'cancel')
    const key = world.ctx(world.books.test, await world.key())
    const answers = await Promise.all(
      [
        cancelWith(world, id, `svct_${'a'.repeat(43)}`),
        cancelWith(world, id, token.slice(0, -1)),
        cancelWith(world, id, `${token}x`),
        cancelWith(world, other.id, token),
        cancelWith(world, id, token, key),
      ].map(async (work) => JSON.stringify((await refused(work)).toBody())),
    )
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('"confirmation_invalid"')
    expect(await refusal(cancelWith(world, id, token, world.live))).toBe('not_found')
    expect(await records(world)).toBe(2)
    expect((await cancelWith(world, id, token)).payment.status).toBe('cancelled')
  })

  test('is superseded by the next one of the same holder, whatever that is for', async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    const first = await stepToken(world, id, 'cancel')
    const second = await stepToken(world, id, 'amend')
    expect(await refusal(cancelWith(world, id, first))).toBe('confirmation_invalid')
    const amended = await world.run('invoices.amend', { id, confirmationToken: second })
    expect(amended.registry.status).toBe('pending')
  })

  test('expires after ten minutes', async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    const token = await stepToken(world, id, 'cancel')
    world.setTime('2026-11-21T10:10:00+01:00')
    expect(await refusal(cancelWith(world, id, token))).toBe('confirmation_expired')
    expect(await records(world)).toBe(1)
  })

  test('is stale once another record of the invoice was made and answered, and waits while it is not', async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    const key = world.ctx(world.books.test, await world.key())
    const ofKey = await stepToken(world, id, 'cancel', undefined, key)
    await amend(world, id)
    expect(await refusal(cancelWith(world, id, ofKey, key))).toBe('registry_pending')
    await world.send()
    // The same content is registered, and the same turn would follow: the record in between is enough.
    expect(await refusal(cancelWith(world, id, ofKey, key))).toBe('confirmation_stale')
    const fresh = await stepToken(world, id, 'cancel', undefined, key)
    expect((await cancelWith(world, id, fresh, key)).cancelledAt).toBeDefined()
  })

  test('is stale after an annulment and its reversal, though all is as it was', async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    const key = world.ctx(world.books.test, await world.key())
    const ofKey = await stepToken(world, id, 'amend', { description: 'Otra' }, key)
    for (const step of [() => cancel(world, id), () => amend(world, id)]) {
      await step()
      await world.send()
    }
    const late = world.run('invoices.amend', { id, confirmationToken: ofKey }, key)
    expect(await refusal(late)).toBe('confirmation_stale')
  })

  test('repeated after success answers the invoice as it is, also after a restart', async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    const token = await stepToken(world, id, 'cancel')
    const first = await cancelWith(world, id, token)
    const { replayed, ...again } = await cancelWith(world, id, token)
    expect(replayed).toBe(true)
    expect(again).toEqual(first)
    await world.send()
    await world.restart()
    expect(await cancelWith(world, id, token)).toMatchObject({
      replayed: true,
      registry: { status: 'cancelled' },
    })
    expect(await records(world)).toBe(2)
  })

  test('a key pays no daily cap for it, and its refusals are in the history', async () => {
    const world = await openBooks()
    const actor = await world.key({ limits: { perDay: 1 } })
    const ctx = world.ctx(world.books.test, actor)
    const { id } = await world.invoice({}, ctx)
    await world.send()
    expect(await refusal(cancelWith(world, id, 'svct_wrong', ctx))).toBe('confirmation_invalid')
    expect((await world.run('audit.list', { invoiceId: id })).items[0]).toMatchObject({
      action: 'invoices.cancel',
      outcome: 'refused',
      code: 'confirmation_invalid',
    })
    const token = await stepToken(world, id, 'cancel', undefined, ctx)
    expect((await cancelWith(world, id, token, ctx)).cancelledAt).toBeDefined()
  })
})

describe('in a live book', () => {
  /** A sandbox's live book with an issued invoice that its stand-in of an authority has accepted. */
  async function liveBooks() {
    const world = await openBooks({ environment: { sandbox: true } })
    const { p12 } = makeP12({ password: 'clave' })
    await world.run('certificates.import', { file: p12.toString('base64'), password: 'clave' }, world.live)
    const { id } = await world.invoice({}, world.live)
    const send = () =>
      sendDueRecords(world.live, {
        authority: simulatedAuthority(world.live),
        issuer: { name: EXAMPLE_COMPANY.legalName, nif: EXAMPLE_COMPANY.nif },
        onStatus: setRegistryStatus,
      })
    expect((await send()).settled).toBe(1)
    const key = async (approval: 'always' | 'never') =>
      world.ctx(world.books.live, await world.key({ approval }, world.books.live))
    return { world, id, key }
  }

  test.each(swept(['cancel', 'amend'] as const, (step) => step === 'cancel'))(
    '%s by a key waits for a yes, which nobody can give while no page is open',
    async (action) => {
      const { world, id, key } = await liveBooks()
      const ctx = await key('always')
      const { confirmation } = await validateStep(world, id, action, undefined, ctx)
      expect(confirmation?.approval).toEqual({
        required: true,
        status: 'pending',
        approvalId: expect.stringMatching(/^apr_/),
      })
      const token = confirmation?.confirmationToken ?? ''
      const take = () => world.run(`invoices.${action}`, { id, confirmationToken: token }, ctx)
      // The token lives on.
      for (const _ of [1, 2]) expect(await refusal(take())).toBe('approval_unavailable')
      expect((await world.run('registry.status', {}, world.live)).chain.records).toBe(1)
    },
  )

  test('a key made without approval, and the person, may', async () => {
    const { world, id, key } = await liveBooks()
    const ctx = await key('never')
    const { confirmation } = await validateStep(world, id, 'cancel', undefined, ctx)
    expect(confirmation?.approval).toEqual({ required: false, status: 'not_required' })
    const cancelled = await cancelWith(world, id, confirmation?.confirmationToken, ctx)
    expect(cancelled.registry).toEqual(expect.not.objectContaining({ simulated: true }))
    expect(cancelled.payment.status).toBe('cancelled')
    const other = await world.invoice({ lines: [line()] }, world.live)
    expect(other.number).toBe('F2026-0002')
  })
})

describe('many at once', () => {
  test('40 times one token: one record, the rest are repetitions', async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    const token = await stepToken(world, id, 'cancel')
    const answers = await Promise.all(Array.from({ length: 40 }, () => cancelWith(world, id, token)))
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1)
    expect(await world.run('registry.verify', {})).toMatchObject({ ok: true, records: 2 })
    expect(await verifyTotals(world.test)).toMatchObject({ ok: true })
  })

  test('40 annulments and amendments with tokens of 40 keys: one record, the rest wait for its answer', async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    const holders = []
    for (let index = 0; index < 40; index++) {
      const ctx = world.ctx(world.books.test, await world.key({ name: `K${index}` }))
      const action = index % 2 === 0 ? ('cancel' as const) : ('amend' as const)
      holders.push({ ctx, action, confirmationToken: await stepToken(world, id, action, undefined, ctx) })
    }
    const outcomes = await Promise.all(
      holders.map(({ ctx, action, confirmationToken }) =>
        world.run(`invoices.${action}`, { id, confirmationToken }, ctx).then(
          () => 'made',
          (error: { code: string }) => error.code,
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'registry_pending')).toHaveLength(39)
    expect(await records(world)).toBe(2)
    expect(await verifyTotals(world.test)).toMatchObject({ ok: true })
  })
})
