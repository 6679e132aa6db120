/** Validate and issue: what a token is bound to, what an issue makes, and that it happens once. */
import { describe, expect, test } from 'vitest'
import { eventsAfter } from '../../../../../server/platform/events/index.ts'
import { pruneConfirmations } from '../../../../../server/sales/invoices/index.ts'
import { CLIENT_ADDRESS, openBooks, refusal, refused } from '../../../../support/books.ts'
import type { DraftInput, TestBooks } from '../../../../support/books.ts'
import { sweptCount } from '../../../../support/sweep.ts'

const line = (changes: Partial<DraftInput['lines'][number]> = {}): DraftInput['lines'][number] => ({
  description: 'Trabajo',
  quantity: 1,
  unitPrice: 100,
  ...changes,
})
const validate = (world: TestBooks, id: string, ctx = world.test) =>
  world.run('invoices.validate', { id }, ctx)
const issueWith = (world: TestBooks, id: string, confirmationToken: string | undefined, ctx = world.test) =>
  world.run('invoices.issue', { id, ...(confirmationToken === undefined ? {} : { confirmationToken }) }, ctx)

/** Nothing of an issue has happened in the test book. */
async function expectNothingIssued(world: TestBooks): Promise<void> {
  const reader = world.ctx(world.books.test).db
  expect(await reader.selectFrom('invoices').select('id').where('state', '=', 'issued').execute()).toEqual([])
  for (const table of [
    'registry_records',
    'registry_submissions',
    'document_queue',
    'figure_entries',
    'period_totals',
    'journal_entries',
  ] as const)
    expect(await reader.selectFrom(table).selectAll().execute(), table).toEqual([])
  expect(
    await reader
      .selectFrom('series')
      .select('id')
      .where((where) => where('next_number', '>', where.ref('start_number')))
      .execute(),
  ).toEqual([])
}

describe('validate', () => {
  test('a draft that may be issued: preview, forecast number and a token bound to its content', async () => {
    const world = await openBooks()
    const draft = await world.draft({ client: { address: CLIENT_ADDRESS } })
    const result = await validate(world, draft.id)
    expect(result).toMatchObject({
      valid: true,
      issues: [],
      preview: {
        number: 'T-F2026-0001',
        kind: 'F1',
        issueDate: '2026-11-21',
        total: 605,
        amountDue: 605,
        environment: 'simulated',
        issuer: { nif: 'B12345674' },
        client: { nif: draft.clientNif },
      },
      confirmation: {
        confirmationToken: expect.stringMatching(/^svct_[\w-]{43}$/),
        expiresAt: '2026-11-21T09:10:00.000Z',
        contentHash: draft.contentHash,
        approval: { required: false, status: 'not_required' },
      },
    })
    await expectNothingIssued(world)
  })

  test('the three-field draft is valid as sent; its missing address is a warning', async () => {
    const world = await openBooks()
    const { valid, issues } = await validate(world, (await world.draft()).id)
    expect({ valid, issues: issues.map((issue) => `${issue.severity} ${issue.code}`) }).toEqual({
      valid: true,
      issues: ['warning client_address_missing'],
    })
  })

  test('a draft that may not: all faults, no token', async () => {
    const world = await openBooks()
    const { id } = await world.draft({
      clientNif: null,
      issueDate: '2027-01-01',
      lines: [line({ vatRate: 18 })],
    })
    const result = await validate(world, id)
    expect(result.valid).toBe(false)
    expect(result).not.toHaveProperty('confirmation')
    expect(result.issues.filter((issue) => issue.severity === 'error').map((issue) => issue.code)).toEqual([
      'client_nif_missing',
      'issue_date_future',
      'vat_rate_unknown',
    ])
  })

  test('a line on an account that nobody made has nowhere to be booked, until it is made', async () => {
    const world = await openBooks()
    const { id } = await world.draft({ lines: [line(), line({ account: '7050007' })] })
    const result = await validate(world, id)
    expect(result.issues.filter((issue) => issue.severity === 'error')).toMatchObject([
      { code: 'account_unknown', field: 'lines[1].account' },
    ])
    await world.run('ledger.saveAccount', { code: '7050007', name: 'Talleres' }, world.test)
    const { confirmation } = await validate(world, id)
    await issueWith(world, id, confirmation?.confirmationToken)
  })

  test('a key without the right to issue learns whether, but gets no token', async () => {
    const world = await openBooks()
    const actor = await world.key({ scopes: ['invoices.read', 'invoices.write'] })
    const ctx = world.ctx(world.books.test, actor)
    const { id } = await world.draft({}, ctx)
    const result = await validate(world, id, ctx)
    expect(result.valid).toBe(true)
    expect(result).not.toHaveProperty('confirmation')
    expect(await refusal(issueWith(world, id, 'svct_x', ctx))).toBe('scope_missing')
  })

  test('a live book says what it lacks, and gives no token', async () => {
    const world = await openBooks()
    const { id } = await world.draft({}, world.live)
    const result = await validate(world, id, world.live)
    expect(result.valid).toBe(false)
    expect(result).not.toHaveProperty('confirmation')
    expect(result.issues.filter((issue) => issue.severity === 'error').map((issue) => issue.code)).toEqual([
      'producer_missing',
      'certificate_missing',
    ])
    expect(result.preview).toMatchObject({ number: 'F2026-0001', environment: 'production' })
  })

  test('a look-alike of the same customer, total and month is pointed out', async () => {
    const world = await openBooks()
    const first = await world.invoice()
    const { issues } = await validate(world, (await world.draft()).id)
    expect(issues.find((issue) => issue.code === 'looks_like_another')).toMatchObject({
      severity: 'warning',
      params: { number: first.number ?? '' },
    })
    expect(
      (await validate(world, (await world.draft({ lines: [line()] })).id)).issues.map((issue) => issue.code),
    ).not.toContain('looks_like_another')
  })

  test('a look-alike is the same tax number under any name and address, and of nobody else', async () => {
    const world = await openBooks()
    const first = await world.invoice()
    const lookalikes = async (changes: Partial<DraftInput>) =>
      (await validate(world, (await world.draft(changes)).id)).issues.filter(
        (issue) => issue.code === 'looks_like_another',
      )
    expect(
      await lookalikes({ clientName: 'Cliente Primero SL', client: { address: CLIENT_ADDRESS } }),
    ).toMatchObject([{ params: { number: first.number } }])
    expect(await lookalikes({ clientName: 'Ana Ruiz Gil', clientNif: '12345678Z' })).toEqual([])
  })

  test("is refused over somebody else's change", async () => {
    const world = await openBooks()
    const { id } = await world.draft()
    expect(await refusal(world.run('invoices.validate', { id, expectedVersion: 7 }))).toBe('version_conflict')
  })
})

describe('issue', () => {
  test('number, record, chain, figures, document, history and event come together', async () => {
    const world = await openBooks()
    const draft = await world.draft({ client: { address: CLIENT_ADDRESS }, dueDate: '2026-12-21' })
    const token = await world.token(draft.id)
    world.wakes.length = 0
    const issued = await issueWith(world, draft.id, token)
    expect(issued).toMatchObject({
      id: draft.id,
      number: 'T-F2026-0001',
      series: 'T-F2026',
      state: 'issued',
      issueDate: '2026-11-21',
      contentHash: draft.contentHash,
      issuer: { name: 'Talleres Ejemplo, S.L.', nif: 'B12345674' },
      payment: { status: 'unpaid' },
      actions: ['pdf', 'duplicate', 'rectify', 'pay'],
      pdf: { status: 'pending' },
      registry: {
        status: 'pending',
        simulated: true,
        recordId: 'rec-1',
        hash: expect.stringMatching(/^[0-9A-F]{64}$/),
        qrUrl: expect.stringContaining('T-F2026-0001'),
        errors: [],
      },
    })
    expect(issued).not.toHaveProperty('replayed')
    expect(issued.registry.previousHash).toBeUndefined()
    expect(issued.history.map((event) => event.action)).toEqual([
      'invoice.drafted',
      'invoice.confirmation_given',
      'invoice.issued',
    ])
    expect([...new Set(world.wakes)].toSorted()).toEqual(['documents', 'events', 'sender'])
    const reader = world.ctx(world.books.test).db
    expect((await eventsAfter(reader, 0)).at(-1)).toMatchObject({
      type: 'invoice.issued',
      data: { invoiceId: draft.id, number: 'T-F2026-0001' },
    })
    expect(
      await reader
        .selectFrom('period_totals')
        .select(['month', 'documents', 'base_cents', 'total_cents'])
        .execute(),
    ).toEqual([{ month: 202_611, documents: 1, base_cents: 50_000, total_cents: 60_500 }])
    expect(await world.run('invoices.get', { id: 'T-F2026-0001' })).toEqual(
      await world.run('invoices.get', { id: draft.id }),
    )
    const second = await world.invoice({ lines: [line()] })
    expect(second).toMatchObject({
      number: 'T-F2026-0002',
      registry: { recordId: 'rec-2', previousHash: issued.registry.hash },
    })
  })

  test('a simplified invoice has its own series and needs no customer', async () => {
    const world = await openBooks()
    expect(await world.invoice({ kind: 'F2', clientName: 'Público', clientNif: null })).toMatchObject({
      number: 'T-S2026-0001',
      kind: 'F2',
      clientNif: null,
    })
    expect(await world.invoice()).toMatchObject({ number: 'T-F2026-0001' })
  })

  test('withholding lowers what is due and not the total; the QR and the record leave it out', async () => {
    const world = await openBooks()
    const issued = await world.invoice({
      withholdingPct: 15,
      lines: [line(), line({ isDisbursement: true, unitPrice: 7 })],
    })
    expect(issued).toMatchObject({
      base: 100,
      tax: 21,
      disbursements: 7,
      total: 128,
      withholding: { rate: 15, base: 100, amount: 15 },
      amountDue: 113,
    })
    expect(issued.registry.qrUrl).toContain('importe=121')
    const { registrations } = await world.run('registry.status', { invoiceId: issued.id })
    expect(registrations?.[0]?.xml).toContain('<sf:ImporteTotal>121.00</sf:ImporteTotal>')
  })

  test('surcharge, exemption, reverse charge, gross prices and credits each issue and are accepted', async () => {
    const world = await openBooks()
    const drafts: Partial<DraftInput>[] = [
      { lines: [line({ surcharge: 5.2 })] },
      { lines: [line({ taxTreatment: 'E1' }), line()] },
      { lines: [line({ taxTreatment: 'S2' })] },
      { lines: [line({ unitPrice: 0.12, surcharge: 5.2 })], priceMode: 'gross' },
      {
        lines: [
          line({ unitPrice: 9.99, quantity: 3, discountPct: 12.5 }),
          line({ vatRate: 10, unitPrice: 5 }),
        ],
        priceMode: 'gross',
      },
      { lines: [line(), line({ unitPrice: -20 })] },
      {
        clientNif: 'DE123456789',
        client: { country: 'DE', idType: '02' },
        lines: [line({ taxTreatment: 'E5' })],
      },
      { simplifiedArt7273: true },
      { lines: [line({ taxTreatment: 'E2' })], clientNif: 'US123', client: { country: 'US', idType: '04' } },
    ]
    for (const draft of drafts) await world.invoice(draft)
    expect(await world.send()).toBe(drafts.length)
    const { items } = await world.run('invoices.list', {})
    expect(items.map((item) => item.registry.status)).toEqual(drafts.map(() => 'accepted'))
    expect(await world.run('registry.verify', {})).toMatchObject({ ok: true, records: drafts.length })
  })

  test("a series of one's own counts for itself, from its start number", async () => {
    const world = await openBooks()
    await world.run('series.create', { code: 'OBRA', kind: 'ordinary', startNumber: 41 })
    const { preview } = await validate(world, (await world.draft({ series: 'OBRA' })).id)
    expect(preview.number).toBe('T-OBRA-0041')
    expect((await world.invoice({ series: 'OBRA' })).number).toBe('T-OBRA-0041')
    expect((await world.invoice()).number).toBe('T-F2026-0001')
    expect((await world.invoice({ series: 'OBRA' })).number).toBe('T-OBRA-0042')
  })

  test('an older date gets the series of its year, and none before the last of its series', async () => {
    const world = await openBooks()
    expect((await world.invoice({ issueDate: '2025-12-31' })).number).toBe('T-F2025-0001')
    await world.invoice({ issueDate: '2026-11-20' })
    const early = await world.draft({ issueDate: '2026-11-19' })
    const { valid, issues } = await validate(world, early.id)
    expect(valid).toBe(false)
    expect(issues.find((issue) => issue.severity === 'error')).toMatchObject({
      code: 'issue_date_out_of_order',
      params: { date: '2026-11-20' },
    })
  })

  test('what the series has become in between is looked at again', async () => {
    const world = await openBooks()
    const older = await world.draft({ issueDate: '2026-11-19' })
    const token = await world.token(older.id)
    await world.invoice({ issueDate: '2026-11-20' })
    const error = await refused(issueWith(world, older.id, token))
    expect(error.toBody()).toMatchObject({ code: 'invoice_invalid', field: 'issueDate' })
    expect((await world.run('invoices.get', { id: older.id })).state).toBe('draft')
  })

  test('a draft without a date validated before midnight is stale after it', async () => {
    const world = await openBooks({ at: '2026-11-21T23:59:00+01:00' })
    const { id } = await world.draft()
    const token = await world.token(id)
    world.setTime('2026-11-22T00:01:00+01:00')
    expect(await refusal(issueWith(world, id, token))).toBe('confirmation_stale')
    expect(await world.issue(id)).toMatchObject({ issueDate: '2026-11-22' })
  })

  test('a clock behind the last record stops issuing until it is set', async () => {
    const world = await openBooks()
    await world.invoice()
    world.setTime('2026-11-21T09:58:30+01:00')
    const { id } = await world.draft()
    const { valid, issues } = await validate(world, id)
    expect(valid).toBe(false)
    expect(issues.map((issue) => issue.code)).toContain('clock_wrong')
    // One minute of drift is forgiven.
    world.setTime('2026-11-21T09:59:00+01:00')
    expect((await world.issue(id)).number).toBe('T-F2026-0002')
  })

  test('what the customer or the company becomes later changes nothing that is issued', async () => {
    const world = await openBooks()
    const contact = await world.run('contacts.create', { name: 'Antes', nif: '12345678Z' })
    const issued = await world.invoice({ clientId: contact.id, clientName: 'Antes', clientNif: '12345678Z' })
    await world.run('contacts.update', { id: contact.id, name: 'Después' })
    await world.run('company.update', { legalName: 'Otro Nombre, S.L.' } as never)
    const { history: _history, ...after } = await world.run('invoices.get', { id: issued.id })
    const { history: _before, ...before } = issued
    expect(after).toEqual(before)
    expect(after.issuer?.name).toBe('Talleres Ejemplo, S.L.')
    await world.run('contacts.delete', { id: contact.id })
    expect(await world.run('invoices.get', { id: issued.id })).toMatchObject({
      clientName: 'Antes',
      clientId: null,
      contentHash: issued.contentHash,
    })
  })

  test("the company's data changed in between make the token stale", async () => {
    const world = await openBooks()
    const { id } = await world.draft()
    const token = await world.token(id)
    await world.run('company.update', { legalName: 'Otro Nombre, S.L.' } as never)
    expect(await refusal(issueWith(world, id, token))).toBe('confirmation_stale')
  })

  test('daily caps of a key are spent with the issue, and a refusal spends nothing', async () => {
    const world = await openBooks()
    const actor = await world.key({ limits: { perDay: 2, eurPerDay: 300 } })
    const ctx = () => world.ctx(world.books.test, actor)
    await world.invoice({ lines: [line()] }, ctx())
    const large = await world.draft({ lines: [line({ unitPrice: 200 })] }, ctx())
    const token = await world.token(large.id, ctx())
    const error = await refused(issueWith(world, large.id, token, ctx()))
    expect(error.toBody()).toMatchObject({
      code: 'daily_cap_reached',
      details: { cap: 'eurPerDay', eurPerDay: 300, issuedEur: 121, thisEur: 242 },
    })
    expect(error.retryAfterSeconds).toBe(14 * 3600)
    await world.invoice({ lines: [line({ unitPrice: 50 })] }, ctx())
    expect(await refusal(world.invoice({ lines: [line({ unitPrice: 1 })] }, ctx()))).toBe('daily_cap_reached')
    // The next day is a new one, and the token of the refused try is still good for its ten minutes only.
    world.setTime('2026-11-22T09:00:00+01:00')
    expect((await world.invoice({ lines: [line({ unitPrice: 200 })] }, ctx())).number).toBe('T-F2026-0003')
    expect((await world.run('invoices.get', { id: large.id })).state).toBe('draft')
  })
})

describe('a confirmation token', () => {
  test('is needed', async () => {
    const world = await openBooks()
    const { id } = await world.draft()
    expect((await refused(issueWith(world, id, undefined))).toBody()).toMatchObject({
      code: 'confirmation_required',
      field: 'confirmationToken',
    })
    await expectNothingIssued(world)
  })

  test('repeated after success answers the same invoice', async () => {
    const world = await openBooks()
    const { id } = await world.draft()
    const token = await world.token(id)
    const first = await issueWith(world, id, token)
    const { replayed, ...again } = await issueWith(world, id, token)
    expect(replayed).toBe(true)
    expect(again).toEqual(first)
    expect((await world.run('registry.status', {})).chain.records).toBe(1)
  })

  test('made up, cut short or of another invoice, key or book is invalid, all alike', async () => {
    const world = await openBooks()
    const { id } = await world.draft()
    const other = await world.draft()
    const token = await world.token(id)
    const key = world.ctx(world.books.test, await world.key())
    const answers = await Promise.all(
      [
        issueWith(world, id, `svct_${'a'.repeat(43)}`),
        issueWith(world, id, token.slice(0, -1)),
        issueWith(world, id, `${token}x`),
        issueWith(world, other.id, token),
        issueWith(world, id, token, key),
      ].map(async (work) => JSON.stringify((await refused(work)).toBody())),
    )
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('"confirmation_invalid"')
    expect(await refusal(issueWith(world, id, token, world.live))).toBe('not_found')
    await expectNothingIssued(world)
    expect((await issueWith(world, id, token)).number).toBe('T-F2026-0001')
  })

  test("of a key is not another key's, nor the person's, nor that of the same key in another book", async () => {
    const world = await openBooks()
    const one = world.ctx(world.books.test, await world.key())
    const two = world.ctx(world.books.test, await world.key())
    const { id } = await world.draft()
    const token = await world.token(id, one)
    expect(await refusal(issueWith(world, id, token, two))).toBe('confirmation_invalid')
    expect(await refusal(issueWith(world, id, token))).toBe('confirmation_invalid')
    await issueWith(world, id, token, one)
    // Nor does the answer of a used one go to anybody else.
    expect(await refusal(issueWith(world, id, token, two))).toBe('confirmation_invalid')
  })

  test('is stale after an edit, even one that changes nothing', async () => {
    const world = await openBooks()
    const { id } = await world.draft()
    for (const changes of [{ notes: 'x' }, {}]) {
      const token = await world.token(id)
      await world.run('invoices.update', { id, ...changes })
      expect(await refusal(issueWith(world, id, token))).toBe('confirmation_stale')
    }
    await expectNothingIssued(world)
  })

  test('works until its tenth minute ends, and not with a clock set back', async () => {
    const world = await openBooks()
    const { id } = await world.draft()
    const token = await world.token(id)
    world.setTime('2026-11-21T10:10:00+01:00')
    expect(await refusal(issueWith(world, id, token))).toBe('confirmation_expired')
    world.setTime('2026-11-21T09:58:00+01:00')
    expect(await refusal(issueWith(world, id, token))).toBe('confirmation_expired')
    world.setTime('2026-11-20T10:05:00+01:00')
    expect(await refusal(issueWith(world, id, token))).toBe('confirmation_expired')
    await expectNothingIssued(world)
    world.setTime('2026-11-21T10:09:59+01:00')
    expect((await issueWith(world, id, token)).state).toBe('issued')
  })

  test("is superseded by the next one of the same holder, not by another's", async () => {
    const world = await openBooks()
    const key = world.ctx(world.books.test, await world.key())
    const { id } = await world.draft()
    const first = await world.token(id)
    const second = await world.token(id)
    const ofKey = await world.token(id, key)
    expect(await refusal(issueWith(world, id, first))).toBe('confirmation_invalid')
    expect((await issueWith(world, id, second)).state).toBe('issued')
    // The other holder's was not superseded; it is only too late.
    expect(await refusal(issueWith(world, id, ofKey, key))).toBe('invoice_not_draft')
  })

  test('survives a restart, used or not', async () => {
    const world = await openBooks()
    const { id } = await world.draft()
    const token = await world.token(id)
    await world.restart()
    expect((await issueWith(world, id, token)).number).toBe('T-F2026-0001')
    await world.restart()
    expect(await issueWith(world, id, token)).toMatchObject({ number: 'T-F2026-0001', replayed: true })
  })

  test('is kept as a hash only', async () => {
    const world = await openBooks()
    const { id } = await world.draft()
    const token = await world.token(id)
    const rows = await world.env.store.reader.selectFrom('confirmations').selectAll().execute()
    expect(
      JSON.stringify(
        rows.map((row) =>
          Object.values(row).map((value) =>
            value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
          ),
        ),
      ),
    ).not.toContain(token.slice(5))
    expect(rows).toHaveLength(1)
  })

  test('is forgotten after a week, and its use is then no repetition any more', async () => {
    const world = await openBooks()
    const { id } = await world.draft()
    const token = await world.token(id)
    await issueWith(world, id, token)
    await world.env.store.transaction(null, (db) =>
      pruneConfirmations(db, new Date('2026-11-28T09:59:59+01:00')),
    )
    expect(await issueWith(world, id, token)).toMatchObject({ replayed: true })
    await world.env.store.transaction(null, (db) =>
      pruneConfirmations(db, new Date('2026-11-28T10:00:01+01:00')),
    )
    expect(await refusal(issueWith(world, id, token))).toBe('confirmation_invalid')
  })

  test('refusals are in the history', async () => {
    const world = await openBooks()
    const { id } = await world.draft()
    await refusal(issueWith(world, id, 'svct_wrong'))
    expect((await world.run('audit.list', { invoiceId: id })).items[0]).toMatchObject({
      action: 'invoices.issue',
      outcome: 'refused',
      code: 'confirmation_invalid',
    })
  })
})

describe('many at once', () => {
  test('40 issues of one draft with tokens of 40 keys: one number, one record', async () => {
    const world = await openBooks()
    const { id } = await world.draft()
    const holders = []
    for (let index = 0; index < 40; index++) {
      const ctx = world.ctx(world.books.test, await world.key({ name: `K${index}` }))
      holders.push({ ctx, token: await world.token(id, ctx) })
    }
    const outcomes = await Promise.all(
      holders.map(({ ctx, token }) =>
        issueWith(world, id, token, ctx).then(
          (invoice) => invoice.number ?? '',
          (error: { code: string }) => error.code,
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'T-F2026-0001')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'invoice_not_draft')).toHaveLength(39)
    expect((await world.run('registry.verify', {})).records).toBe(1)
  })

  test('50 times one token, in rounds: exactly one effect each, the rest are repetitions', async () => {
    const rounds = sweptCount(20, 4)
    const world = await openBooks()
    for (let round = 1; round <= rounds; round++) {
      const { id } = await world.draft()
      const token = await world.token(id)
      const answers = await Promise.all(Array.from({ length: 50 }, () => issueWith(world, id, token)))
      expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1)
      expect(new Set(answers.map((answer) => answer.number))).toEqual(
        new Set([`T-F2026-${String(round).padStart(4, '0')}`]),
      )
    }
    expect(await world.run('registry.verify', {})).toMatchObject({ ok: true, records: rounds })
    expect(
      await world.ctx(world.books.test).db.selectFrom('period_totals').select('documents').execute(),
    ).toEqual([{ documents: rounds }])
  })

  test('60 drafts issued at once have 60 numbers in a row', async () => {
    const world = await openBooks()
    const ready = []
    for (let index = 0; index < 60; index++) {
      const { id } = await world.draft({ lines: [line({ unitPrice: index + 1 })] })
      ready.push({ id, token: await world.token(id) })
    }
    const issued = await Promise.all(ready.map(({ id, token }) => issueWith(world, id, token)))
    expect(issued.map((invoice) => invoice.number).toSorted()).toEqual(
      Array.from({ length: 60 }, (_, index) => `T-F2026-${String(index + 1).padStart(4, '0')}`),
    )
    expect(await world.run('registry.verify', {})).toMatchObject({ ok: true, records: 60 })
  })
})
