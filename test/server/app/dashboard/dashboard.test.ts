/** Amounts of the dashboard, from real drafts and issues. */
import { inEmbedded } from '../../../support/engines.ts'
import { describe, expect, test } from 'vitest'
import type { Book } from '../../../../server/context.ts'
import { Dashboard } from '../../../../server/app/session/contract.ts'
import { confirmRecovery, revealRecovery } from '../../../../server/app/session/index.ts'
import { getDashboard } from '../../../../server/app/dashboard/index.ts'
import { createDraft, issueInvoice, validateInvoice } from '../../../../server/sales/invoices/index.ts'
import { createKeyByPerson } from '../../../../server/platform/api-keys/index.ts'
import { openTestStore } from '../../../support/store.ts'
import type { TestStore } from '../../../support/store.ts'

async function draft(world: TestStore, book: Book, unitPrice: number, dueDate?: string): Promise<string> {
  const invoice = await createDraft(world.ctx(book), {
    clientName: 'Peluquería Ana',
    clientNif: '12345678Z',
    lines: [{ description: 'Mano de obra', quantity: 1, unitPrice }],
    ...(dueDate ? { dueDate } : {}),
  })
  return invoice.id
}

async function issue(world: TestStore, book: Book, unitPrice: number, dueDate?: string): Promise<string> {
  const id = await draft(world, book, unitPrice, dueDate)
  const { confirmation, issues } = await validateInvoice(world.ctx(book), { id })
  if (!confirmation) throw new Error(`Not valid: ${JSON.stringify(issues)}`)
  const issued = await issueInvoice(world.ctx(book), {
    id,
    confirmationToken: confirmation.confirmationToken,
  })
  return issued.number ?? ''
}

describe('the dashboard', () => {
  inEmbedded(test)('of an empty book shows zeros, twelve months, and the first steps', async () => {
    const world = await openTestStore({ at: '2026-11-21T10:00:00+01:00' })
    const { test: book } = await world.company({ address: null })
    const page = await getDashboard(world.ctx(book), {})
    expect(Dashboard.parse(page)).toEqual(page)
    expect(page).toMatchObject({
      quarter: { label: '4T 2026', base: 0, lastYear: 0 },
      owed: { amount: 0, invoices: 0 },
      overdue: { amount: 0, invoices: 0, oldestDays: null },
      vat: { label: '4T 2026', dueTo: '2027-02-01', figures: { output: 0, input: 0, amount: 0 } },
      cash: { accounts: 0, balance: 0, last: null, expected: 0 },
      collections: [],
      customers: { year: 2026, base: 0, items: [] },
      latest: [],
      registry: { accepted: 0, rejected: 0, pending: 0, chainRecords: 0, lastAnswerAt: null },
      checklist: { company: false, series: true, firstTestInvoice: false, recovery: false, apiKey: false },
      drafts: 0,
    })
    expect(page.months).toHaveLength(12)
    expect(page.months[0]).toEqual({ month: '2025-12', income: 0, expenses: 0 })
    expect(page.months[11]).toEqual({ month: '2026-11', income: 0, expenses: 0 })
    expect(page.attention.map((item) => item.title)).toEqual([
      'issuer_address_missing',
      'recovery_unconfirmed',
    ])
  })

  test('counts what was issued, owed and overdue, and what waits to be sent', async () => {
    const world = await openTestStore({ at: '2025-10-05T10:00:00+02:00' })
    const { test: book } = await world.company()
    await issue(world, book, 300)
    world.setTime('2026-08-10T10:00:00+02:00')
    await issue(world, book, 1000, '2026-09-09')
    world.setTime('2026-11-02T10:00:00+01:00')
    await issue(world, book, 200, '2026-12-02')
    await draft(world, book, 50)
    world.setTime('2026-11-21T10:00:00+01:00')
    const page = await getDashboard(world.ctx(book), {})
    expect(page.quarter).toEqual({ label: '4T 2026', year: 2026, quarter: 4, base: 200, lastYear: 300 })
    expect(page.owed).toEqual({ amount: 1815, invoices: 3 })
    expect(page.overdue).toEqual({ amount: 1210, invoices: 1, oldestDays: 73 })
    expect(page.vat).toMatchObject({
      label: '4T 2026',
      dueTo: '2027-02-01',
      figures: { output: 42, input: 0, amount: 42 },
    })
    expect(page.months.filter((month) => month.income !== 0)).toEqual([
      { month: '2026-08', income: 1000, expenses: 0 },
      { month: '2026-11', income: 200, expenses: 0 },
    ])
    expect(page.customers.items).toEqual([
      { name: 'Peluquería Ana', nif: '12345678Z', base: 1200, sharePercent: 100 },
    ])
    expect(page.collections.map((invoice) => invoice.number)).toEqual([
      'T-F2026-0001',
      'T-F2026-0002',
      'T-F2025-0001',
    ])
    expect(page.registry).toMatchObject({ chainRecords: 3, pending: 3 })
    expect(page.attention).toContainEqual({ kind: 'queue', title: 'records_waiting', params: { count: 3 } })
    expect(page.drafts).toBe(1)
  })

  test('shows the VAT of the last quarter with the days left while its return is open', async () => {
    const world = await openTestStore({ at: '2026-12-30T10:00:00+01:00' })
    const { test: book } = await world.company()
    await issue(world, book, 1000)
    world.setTime('2027-01-11T10:00:00+01:00')
    await issue(world, book, 100)
    const page = await getDashboard(world.ctx(book), {})
    expect(page.quarter).toMatchObject({ label: '1T 2027', base: 100 })
    expect(page.vat).toMatchObject({ label: '4T 2026', dueTo: '2027-02-01', figures: { amount: 210 } })
    // It is unknown whether wages are paid, so model 111 may be due first.
    expect(page.deadlines[0]).toMatchObject({ model: '111', dueTo: '2027-01-20', applies: null })
    expect(page.deadlines.find(({ applies }) => applies === true)).toMatchObject({ dueTo: '2027-02-01' })
    expect(page.deadlines.find(({ model }) => model === '303')).toMatchObject({
      period: '4T 2026',
      year: 2026,
      quarter: 4,
      result: 210,
    })
    expect(page.attention).toContainEqual({
      kind: 'deadline',
      id: '303',
      title: 'return_due',
      params: { form: '303', period: '4T 2026', dueTo: '2027-02-01', days: 21 },
    })
    world.setTime('2027-02-02T10:00:00+01:00')
    const after = await getDashboard(world.ctx(book), {})
    expect(after.vat).toMatchObject({ label: '1T 2027', dueTo: '2027-04-20', figures: { amount: 21 } })
    expect(after.attention.map((item) => item.kind)).not.toContain('deadline')
  })

  inEmbedded(test)('ticks first steps in both books, whichever they were taken in', async () => {
    const world = await openTestStore()
    const books = await world.company()
    await issue(world, books.test, 10)
    await createKeyByPerson(world.ctx(books.test), {
      name: 'Asistente',
      scopes: ['invoices.read'],
      assistant: true,
    })
    const { groups } = await revealRecovery(world.bookless(), {})
    await confirmRecovery(world.bookless(), {
      groups: [0, 6].map((index) => ({ index, text: groups[index]! })),
    })
    const live = await getDashboard(world.ctx(books.live), {})
    expect(live.checklist).toEqual({
      company: true,
      series: true,
      firstTestInvoice: true,
      recovery: true,
      apiKey: true,
    })
    expect(live.registry.chainRecords).toBe(0)
    expect(live.owed.invoices).toBe(0)
    expect(live.attention.map((item) => item.title)).toEqual(['producer_missing', 'certificate_missing'])
  })
})
