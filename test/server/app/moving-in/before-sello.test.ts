/** Documents of an earlier program as the window shows them: apart in the lists, with their origin, and not changed here. */
import { describe, expect, test } from 'vitest'
import { pdfOf } from '../../../../server/accounting/returns/simulator/pdf.ts'
import { verifyTaxTotals } from '../../../../server/tax/totals/index.ts'
import { openBooks, refused } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { addFile } from '../../../support/moving/files.ts'
import { applyAll, undoAll } from '../../../support/moving/move.ts'

const SALES = [
  'Número;Fecha;Vencimiento;Cliente;NIF;Base;IVA %;Cuota;Total;Pendiente',
  'FAC/2026-0001;10/02/2026;10/03/2026;Talleres Beltrán, S.L.;B12345674;100;21;21;121;121',
  'FAC/2026-0011;11/02/2026;11/03/2026;Otra, S.A.;A58818501;100;21;21;121;0',
  'fac/2026-0012;12/02/2026;12/03/2026;Otra, S.A.;A58818501;200;21;42;242;100',
].join('\n')
const PURCHASES = [
  'Número;Fecha;Proveedor;NIF;Base;IVA %;Cuota;Total;Pendiente',
  'AB-77;10/02/2026;Luz del Sur, S.A.;A58818501;10;21;2,10;12,10;12,10',
].join('\n')

async function movedBooks(): Promise<{ world: TestBooks; move: string }> {
  const world = await openBooks({ at: '2026-07-15T12:00:00+02:00' })
  const { move } = await world.run('moving.start', { firstDay: '2026-07-01' })
  await addFile(world, move.id, 'ventas.csv', SALES)
  await addFile(world, move.id, 'compras.csv', PURCHASES)
  await applyAll(world, move.id)
  return { world, move: move.id }
}

const invoicesOf = async (world: TestBooks) =>
  (await world.run('invoices.window', { view: 'history', sort: 'number' })).items
const receivedOf = async (world: TestBooks) => (await world.run('received.window', { view: 'history' })).items

describe('lists', () => {
  test('have a view of their own, in the order of their numbers, and a count', async () => {
    const { world } = await movedBooks()
    const window = await world.run('invoices.window', { view: 'history', sort: '-number', summary: true })
    expect(window.items.map(({ number }) => number)).toEqual([
      'fac/2026-0012',
      'FAC/2026-0011',
      'FAC/2026-0001',
    ])
    expect(window.views).toMatchObject({ all: 0, drafts: 0, owed: 2, overdue: 2, history: 3 })
    expect(window.totals).toMatchObject({ count: 3, total: 484, due: 221 })
    const received = await world.run('received.window', { view: 'history', sort: '-number', summary: true })
    expect(received.items.map(({ supplierNumber }) => supplierNumber)).toEqual(['AB-77'])
    expect(received.views).toMatchObject({ all: 0, owed: 1, history: 1 })
    const first = await world.run('invoices.list', { state: 'history', sort: 'number', limit: 2 })
    const { items } = await world.run('invoices.list', {
      state: 'history',
      sort: 'number',
      limit: 2,
      cursor: first.nextCursor ?? '',
    })
    expect([...first.items, ...items].map(({ number }) => number)).toEqual([
      'FAC/2026-0001',
      'FAC/2026-0011',
      'fac/2026-0012',
    ])
  })

  test.each([
    ['fac/2026-001', ['FAC/2026-0011', 'fac/2026-0012']],
    ['FAC/2026-0012', ['fac/2026-0012']],
    ['fac_2026', []],
    ['%', []],
    ['beltrán', ['FAC/2026-0001']],
  ])('find %s', async (text, numbers) => {
    const { world } = await movedBooks()
    const { items } = await world.run('invoices.window', { view: 'history', sort: 'number', text })
    expect(items.map(({ number }) => number)).toEqual(numbers)
    expect((await world.run('invoices.list', { text })).items).toEqual([])
  })
})

test('a document says which move and which row of which file it comes from', async () => {
  const { world, move } = await movedBooks()
  const [first] = await invoicesOf(world)
  expect(await world.run('moving.origin', { type: 'invoice', id: first?.id ?? '' })).toEqual({
    moveId: move,
    movedOn: '2026-07-15',
    firstDay: '2026-07-01',
    file: { name: 'ventas.csv', sheet: null, rows: [2] },
    counts: true,
    reception: null,
    lastNumber: null,
    attachments: [],
  })
  const [purchase] = await receivedOf(world)
  expect(await world.run('moving.origin', { type: 'received', id: purchase?.id ?? '' })).toMatchObject({
    file: { name: 'compras.csv', rows: [2] },
  })
  const draft = await world.run('invoices.create', {
    clientName: 'Otra',
    lines: [{ description: 'Una cosa', quantity: 1, unitPrice: 1 }],
  })
  expect((await refused(world.run('moving.origin', { type: 'invoice', id: draft.id }))).code).toBe(
    'not_found',
  )
})

describe('what Sello neither issued nor entered', () => {
  test('is not changed, corrected, annulled, signed or sent', async () => {
    const { world } = await movedBooks()
    const [{ id } = { id: '' }] = await invoicesOf(world)
    const before = await world.run('invoices.get', { id })
    expect(before.actions).toEqual(['pay'])
    const lines = [{ description: 'Otra cosa', quantity: 1, unitPrice: 1 }]
    const refusals = await Promise.all([
      refused(world.run('invoices.update', { id, lines })),
      refused(world.run('invoices.delete', { id })),
      refused(world.run('invoices.rectifyOptions', { id })),
      refused(world.run('invoices.validate', { id, action: 'cancel' })),
      refused(world.run('invoices.sign', { id })),
      refused(world.run('mail.prepare', { kind: 'invoice', ids: [id] })),
      refused(world.run('invoices.pdf', { id })),
    ])
    expect(refusals.map(({ code }) => code)).toEqual([
      'invoice_not_draft',
      'invoice_not_draft',
      'before_these_books',
      'before_these_books',
      'before_these_books',
      'before_these_books',
      'format_unavailable',
    ])
    expect(await world.run('invoices.get', { id })).toEqual(before)
  })

  test('keeps what was received as its file says it, and is paid', async () => {
    const { world } = await movedBooks()
    const [{ id } = { id: '' }] = await receivedOf(world)
    expect((await refused(world.run('received.update', { id, notes: 'Otra' }))).code).toBe(
      'before_these_books',
    )
    expect((await refused(world.run('received.void', { id }))).code).toBe('before_these_books')
    await world.run('payments.create', {
      date: '2026-07-10',
      direction: 'out',
      amount: 12.1,
      method: 'transfer',
      allocations: [{ receivedId: id, amount: 12.1 }],
    })
    expect(await world.run('received.get', { id })).toMatchObject({ state: 'history', amountDue: 0 })
    expect(await verifyTaxTotals(world.test)).toEqual([])
  })
})

test('files of a received document are counted in lists and never in the figures', async () => {
  const { world, move } = await movedBooks()
  const [{ id } = { id: '' }] = await receivedOf(world)
  const content = Buffer.from(pdfOf(['compra'])).toString('base64')
  const attach = () => world.run('moving.attach', { id: move, name: 'AB-77.pdf', content })
  expect(await attach()).toMatchObject({ attached: 1 })
  expect(await attach()).toMatchObject({ already: 1 })
  expect(await receivedOf(world)).toMatchObject([{ files: 1 }])
  const more = await world.run('attachments.upload', { name: 'nota.txt', content: btoa('nota') })
  await world.run('received.attach', { id, attachmentId: more.id })
  const { attachments } = await world.run('moving.origin', { type: 'received', id })
  expect(attachments.map(({ name }) => name)).toEqual(['AB-77.pdf', 'nota.txt'])
  for (const { id: attachmentId } of attachments) await world.run('received.detach', { id, attachmentId })
  expect(await receivedOf(world)).toMatchObject([{ files: 0 }])
  expect(await verifyTaxTotals(world.test)).toEqual([])
  await undoAll(world, move)
  expect(await receivedOf(world)).toEqual([])
})

describe('what is owed and earned', () => {
  test('is named as of an earlier program where it is collected', async () => {
    const { world } = await movedBooks()
    const { collections, months, historyDocuments } = await world.run('dashboard.get', {})
    expect(collections.map(({ number, state }) => [number, state])).toEqual([
      ['FAC/2026-0001', 'history'],
      ['fac/2026-0012', 'history'],
    ])
    expect(historyDocuments).toBe(4)
    expect(months.filter(({ income, expenses }) => income !== 0 || expenses !== 0)).toEqual([
      { month: '2026-02', income: 400, expenses: 10 },
    ])
    const { items } = await world.run('payments.reminders', {})
    expect(items.flatMap(({ invoices }) => invoices.map(({ history }) => history))).toEqual([true, true])
    const [{ id } = { id: '' }] = await invoicesOf(world)
    const { mails } = { mails: [await world.run('mail.prepare', { kind: 'reminder', ids: [id], level: 1 })] }
    expect(mails[0]?.body).toContain('FAC/2026-0001')
  })

  test('is offered for a movement of the bank, and settled by it', async () => {
    const { world } = await movedBooks()
    const account = await world.run('bank.createAccount', { name: 'Banco', iban: 'ES9121000418450200051332' })
    const file = 'Fecha;Concepto;Importe\n10/07/2026;Transferencia FAC/2026-0001 Talleres Beltrán;121,00\n'
    await world.run('bank.import', {
      accountId: account.id,
      fileName: 'banco.csv',
      content: Buffer.from(file).toString('base64'),
    })
    const { items } = await world.run('bank.transactions', { accountId: account.id })
    const movement = await world.run('bank.transaction', { id: items[0]?.id ?? '' })
    expect(movement.suggestions[0]?.parts).toMatchObject([{ kind: 'invoice', history: true }])
  })

  test('is counted by months in place of an opening that has all of it in one', async () => {
    const { world, move } = await movedBooks()
    await undoAll(world, move)
    const rows = [
      { account: '430', debit: 363, credit: 0 },
      { account: '700', debit: 0, credit: 363 },
    ]
    await world.run('ledger.openBalances', { date: '2026-06-30', rows, write: true })
    const incomes = async () =>
      (await world.run('dashboard.get', {})).months.flatMap(({ month, income }) =>
        income === 0 ? [] : [`${month} ${income}`],
      )
    expect(await incomes()).toEqual(['2026-06 363'])
    const from = async (day: string) => {
      const { move: other } = await world.run('moving.start', { firstDay: '2026-07-01' })
      await addFile(world, other.id, 'ventas.csv', SALES.replace('10/02/2026;', day))
      await applyAll(world, other.id)
      return other.id
    }
    // The documents begin in February: the opening may hold more than they do.
    const part = await from('10/02/2026;')
    expect(await incomes()).toEqual(['2026-06 363'])
    expect((await world.run('dashboard.get', {})).historyDocuments).toBe(0)
    await undoAll(world, part)
    await from('10/01/2026;')
    expect(await incomes()).toEqual(['2026-01 100', '2026-02 300'])
  })
})
