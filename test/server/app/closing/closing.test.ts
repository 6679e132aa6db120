/** The close of a quarter: each step by what the books prove, and nothing done that they cannot know. */
import { describe, expect, test } from 'vitest'
import { openBooks, refused } from '../../../support/books.ts'
import { openWorld } from '../../../support/world.ts'
import { openDesk } from '../approvals/open-window.ts'
import { line, purchase } from '../../accounting/returns/worked.ts'
import { bookMovements, closeAll, closingOf, Q3, quarterBook, stepOf, takeMovements } from './book.ts'

const states = (closing: Awaited<ReturnType<typeof closingOf>>) =>
  Object.fromEntries(closing.steps.map(({ id, state }) => [id, state]))

describe('a quarter with nothing missing', () => {
  test('has every step done or not needed, and says that it cannot know about the pack', async () => {
    const world = await quarterBook()
    world.setTime('2026-10-21T10:00:00+02:00')
    await closeAll(world)
    const closing = await closingOf(world)
    expect(states(closing)).toEqual({
      drafts: 'done',
      bank: 'done',
      received_files: 'done',
      approvals: 'done',
      registry: 'done',
      received_data: 'done',
      recurring: 'not_needed',
      returns: 'done',
      payment: 'done',
      vat_entry: 'done',
      lock: 'done',
      pack: 'unknown',
    })
    expect(closing).toMatchObject({ missing: 0, unknown: 1, lockedUntil: '2026-09-30' })
    expect(closing.returns).toMatchObject([
      {
        model: '303',
        result: 168,
        filedOn: '2026-10-21',
        changed: false,
        paid: 'done',
        paidOn: '2026-10-20',
      },
    ])
  })

  test('shows the figures of the quarter, and none of quarters before the books', async () => {
    const { figures } = await closingOf(await quarterBook())
    const of = (id: string) => figures.find((figure) => figure.id === id)?.amounts
    expect(of('income')?.[0]).toEqual({ ...Q3, amount: 1000, why: null })
    expect(of('expenses')?.[0]).toEqual({ ...Q3, amount: 200, why: null })
    expect(of('vat')?.[0]).toEqual({ ...Q3, amount: 168, why: null })
    expect(of('instalment')?.[0]).toEqual({ ...Q3, amount: null, why: 'company' })
    expect(of('withheld')?.[0]).toEqual({ ...Q3, amount: 0, why: null })
    for (const { amounts } of figures) {
      expect(amounts.map(({ year, quarter }) => `${year}-${quarter}`)).toEqual([
        '2026-3',
        '2026-2',
        '2026-1',
        '2025-4',
        '2025-3',
      ])
      expect(amounts.slice(1).every(({ amount, why }) => amount === null && why === 'no_data')).toBe(true)
    }
  })
})

describe('what is missing', () => {
  test('is listed with its date, its amount and the page where it is resolved', async () => {
    const world = await openBooks({ at: '2026-09-30T12:00:00+02:00' })
    const draft = await world.draft({ issueDate: '2026-09-20', lines: [line(50)] })
    await world.draft({ issueDate: '2026-10-02', lines: [line(70)] })
    const issued = await world.invoice({ issueDate: '2026-09-10', lines: [line(1000)] })
    const bill = await world.run(
      'received.create',
      purchase({
        supplierNumber: 'P1',
        issueDate: '2026-09-12',
        receptionDate: '2026-09-14',
        taxLines: [{ base: 200, vatRate: 21 }],
        withholding: { rate: 15, base: 200, reason: 'other' },
      }),
    )
    await world.run('recurring.create', {
      name: 'Alquiler',
      rule: { freq: 'monthly', start: '2026-10-01', byMonthDay: 1 },
      invoice: { clientName: 'Ana Ruiz Gil', clientNif: '12345678Z', lines: [line(650)] },
    })
    world.setTime('2026-10-12T10:00:00+02:00')
    await takeMovements(world, [
      ['2026-09-25', 'COMISION', -10_00],
      ['2026-10-03', 'OTRO', -5_00],
    ])
    const closing = await closingOf(world)
    const { drafts, bank, received_files, registry, received_data } = Object.fromEntries(
      closing.steps.map((step) => [step.id, step]),
    ) as Record<string, (typeof closing.steps)[number]>
    expect(drafts).toMatchObject({
      state: 'missing',
      count: 1,
      total: 60.5,
      items: [{ id: draft.id, date: '2026-09-20', amount: 60.5, page: `/invoices/${draft.id}` }],
    })
    expect(bank).toMatchObject({
      state: 'missing',
      count: 1,
      total: -10,
      items: [{ label: 'COMISION', date: '2026-09-25', amount: -10 }],
    })
    expect(received_files).toMatchObject({
      state: 'missing',
      count: 1,
      items: [{ id: bill.id, label: 'P1 · Proveedor, S.A.', page: `/received/${bill.id}` }],
    })
    expect(registry).toMatchObject({
      state: 'missing',
      count: 1,
      items: [{ id: issued.id, code: 'pending', page: `/invoices/${issued.id}` }],
    })
    expect(received_data).toMatchObject({ count: 1, items: [{ id: bill.id, code: 'withheld_other' }] })
    // The day of the recurring invoice is of the next quarter.
    expect(stepOf(closing, 'recurring')).toMatchObject({ state: 'done', count: 0 })
    expect(stepOf(await closingOf(world, { year: 2026, quarter: 4 }), 'recurring')).toMatchObject({
      state: 'missing',
      count: 1,
      items: [{ label: 'Alquiler · Ana Ruiz Gil', date: '2026-10-01' }],
    })
    expect(stepOf(closing, 'returns')).toMatchObject({ state: 'missing' })
    expect(stepOf(closing, 'vat_entry')).toMatchObject({ state: 'missing', why: 'file_first' })
    expect(closing.missing).toBe(9)
    await world.send()
    expect(stepOf(await closingOf(world), 'registry').state).toBe('done')
  })

  test('includes what programs ask the owner to approve; a key is not told which', async () => {
    const { world, ctx, propose } = await openDesk({ at: '2026-10-12T10:00:00+02:00' })
    const draft = await world.draft()
    await propose('issue_invoice', draft.id)
    expect(stepOf(await closingOf(world), 'approvals')).toMatchObject({
      state: 'missing',
      count: 1,
      items: [{ label: 'Asistente', code: 'issue_invoice' }],
    })
    const told = await world.run('fiscal.closing', Q3, ctx())
    expect(stepOf(told, 'approvals')).toMatchObject({ state: 'missing', count: 1, items: [] })
  })

  test('is the same over REST and in the window; a key without the scope is refused', async () => {
    const world = await openWorld({ at: '2026-10-12T10:00:00+02:00' })
    const rest = await world.get('/api/v1/fiscal/closing?year=2026&quarter=3')
    expect(rest.body.data).toEqual((await world.call('fiscal.closing', Q3)).body.data)
    const blind = await world.makeKey({ scopes: ['invoices.read'] })
    const refusal = await world.get('/api/v1/fiscal/closing?year=2026&quarter=3', { key: blind.key })
    expect([refusal.status, refusal.body.error.code]).toEqual([403, 'scope_missing'])
  })

  test('stays open when a return has changed since it was filed', async () => {
    const world = await quarterBook()
    await world.run('fiscal.markFiled', { model: '303', ...Q3 })
    await world.run(
      'received.create',
      purchase({
        supplierNumber: 'P2',
        issueDate: '2026-09-20',
        receptionDate: '2026-09-21',
        operationDate: '2026-09-20',
        taxLines: [{ base: 100, vatRate: 21 }],
      }),
    )
    const closing = await closingOf(world)
    expect(stepOf(closing, 'returns')).toMatchObject({
      state: 'missing',
      why: 'changed_since',
      items: [{ id: '303', code: 'changed_since', page: '/taxes/2026-3T/303' }],
    })
    expect(closing.returns[0]).toMatchObject({ changed: true, filedOn: '2026-10-12' })
  })
})

describe('what cannot be known', () => {
  test('is unknown without a bank account, and without purchases, never done', async () => {
    const world = await openBooks({ at: '2026-10-12T10:00:00+02:00' })
    const closing = await closingOf(world)
    expect(stepOf(closing, 'bank')).toMatchObject({ state: 'unknown', why: 'no_bank' })
    expect(stepOf(closing, 'received_files')).toMatchObject({ state: 'unknown', why: 'no_purchases' })
    expect(stepOf(closing, 'received_data')).toMatchObject({ state: 'unknown', why: 'no_purchases' })
    expect(stepOf(closing, 'registry')).toMatchObject({ state: 'not_needed', why: 'nothing_issued' })
    expect(closing.figures.every(({ amounts }) => amounts.every(({ amount }) => amount === null))).toBe(true)
  })

  test('is unknown while the movements of the bank end before the quarter', async () => {
    const world = await quarterBook()
    await takeMovements(world, [['2026-09-29', 'COMISION', -1_00]])
    await bookMovements(world, '626')
    expect(stepOf(await closingOf(world), 'bank')).toMatchObject({ state: 'unknown', why: 'bank_behind' })
    await takeMovements(world, [['2026-10-01', 'COMISION', -1_00]])
    expect(stepOf(await closingOf(world), 'bank')).toMatchObject({ state: 'done', why: null })
  })

  test('is the payment without a bank, or before its movements are read; then it is missing, then done', async () => {
    const world = await quarterBook()
    await world.run('fiscal.markFiled', { model: '303', ...Q3 })
    const payment = async () => stepOf(await closingOf(world), 'payment')
    expect(await payment()).toMatchObject({ state: 'unknown', why: 'no_bank' })
    world.setTime('2026-10-25T10:00:00+02:00')
    await takeMovements(world, [['2026-10-14', 'COMISION', -1_00]])
    expect(await payment()).toMatchObject({ state: 'unknown', why: 'bank_behind' })
    // Another amount is not that payment.
    await takeMovements(world, [['2026-10-21', 'AEAT', -167_99]])
    await bookMovements(world, '4750')
    expect(await payment()).toMatchObject({
      state: 'missing',
      why: 'payment_not_found',
      count: 1,
      total: 168,
      items: [{ id: '303', amount: 168, code: 'payment_not_found', page: '/bank' }],
    })
    await world.run('ledger.writeEntry', {
      date: '2026-10-20',
      text: 'Modelo 303',
      lines: [
        { account: '4750', debit: 168 },
        { account: '570', credit: 168 },
      ],
    })
    expect(await payment()).toMatchObject({ state: 'done', count: 0 })
  })

  test('one payment pays one return: two of the same amount need two', async () => {
    const world = await quarterBook()
    await world.run('fiscal.setInput', { model: '111', ...Q3, box: '03', amount: 19 })
    await world.run(
      'received.create',
      purchase({
        supplierNumber: 'R1',
        concept: 'G12',
        issueDate: '2026-09-12',
        receptionDate: '2026-09-14',
        taxLines: [{ base: 100, vatRate: 21 }],
        withholding: { rate: 19, base: 100, reason: 'rent' },
      }),
    )
    for (const model of ['111', '115'] as const) await world.run('fiscal.markFiled', { model, ...Q3 })
    world.setTime('2026-10-25T10:00:00+02:00')
    const paid = async () =>
      (await closingOf(world)).returns
        .filter(({ model }) => model !== '303')
        .map(({ model, result, paid }) => [model, result, paid])
    await takeMovements(world, [['2026-10-20', 'AEAT', -19_00]])
    await bookMovements(world, '4751')
    expect(await paid()).toEqual([
      ['111', 19, 'done'],
      ['115', 19, 'missing'],
    ])
    await takeMovements(world, [['2026-10-21', 'AEAT 2', -19_00]])
    await bookMovements(world, '4751')
    expect(await paid()).toEqual([
      ['111', 19, 'done'],
      ['115', 19, 'done'],
    ])
  })

  test.each([
    [
      'an employer without typed wages',
      "kind = 'legal'",
      { withheld: 'wages_unknown', instalment: 'company' },
    ],
    [
      'a business under modules',
      "kind = 'natural', vat_regime = 'simplified'",
      { vat: 'simplified', instalment: 'modules' },
    ],
    ['an exempt business', "vat_regime = 'exempt'", { vat: 'vat_regime' }],
    ['a business in Ceuta', "territory = 'ceuta_melilla'", { vat: 'territory' }],
  ] as const)('is a figure of %s: it has none, and its steps say so', async (_name, columns, reasons) => {
    const world = await openBooks({ at: '2026-09-30T12:00:00+02:00' })
    await world.invoice({ issueDate: '2026-09-10', lines: [line(1000)] })
    await world.tamper(`update companies set ${columns}`)
    world.setTime('2026-10-12T10:00:00+02:00')
    const closing = await closingOf(world)
    for (const [id, why] of Object.entries(reasons))
      expect(closing.figures.find((figure) => figure.id === id)?.amounts[0], id).toEqual({
        ...Q3,
        amount: null,
        why,
      })
    const entry = stepOf(closing, 'vat_entry')
    if (!('vat' in reasons)) {
      expect(stepOf(closing, 'returns').items).toContainEqual(
        expect.objectContaining({ id: '111', amount: null, code: 'not_known_whether' }),
      )
      expect(closing.returns.find(({ model }) => model === '111')).toMatchObject({
        applies: null,
        result: null,
        filedOn: null,
        paid: 'unknown',
      })
    } else if (reasons.vat === 'simplified')
      expect(entry).toMatchObject({ state: 'unknown', why: 'not_computed' })
    else expect(entry).toMatchObject({ state: 'not_needed', why: 'no_vat_return' })
    expect(closing.vatEntry).toBeNull()
  })
})

describe('a quarter that is not over', () => {
  test('can be neither filed nor locked yet', async () => {
    const world = await quarterBook()
    world.setTime('2026-09-30T18:00:00+02:00')
    const closing = await closingOf(world)
    expect(closing.period).toEqual({ from: '2026-07-01', to: '2026-09-30', over: false })
    expect(stepOf(closing, 'returns')).toMatchObject({ state: 'missing', why: 'period_open' })
    expect(stepOf(closing, 'lock')).toMatchObject({ state: 'missing', why: 'period_open' })
    expect((await refused(world.run('ledger.lock', { until: '2026-10-01' }))).code).toBe('validation_failed')
  })
})
