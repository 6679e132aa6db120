/** Contacts, items, open invoices, banks and the trial balance in one move, and nothing left of them after its undo. */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { shapeOfBuild } from '../../../../server/app/company-rows/shape.ts'
import { verifyTaxTotals } from '../../../../server/tax/totals/index.ts'
import { verifyLedger } from '../../../../server/accounting/ledger/index.ts'
import { verifyPayments } from '../../../../server/accounting/payments/index.ts'
import { openBooks, refused } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { excelOf } from '../../../support/files/history-files.ts'
import { addFile } from '../../../support/moving/files.ts'
import { applyAll, undoAll } from '../../../support/moving/move.ts'

const FIRST_DAY = '2026-07-01'
const SALES = [
  'Número;Fecha;Cliente;NIF;Base;IVA %;Cuota;Total',
  'F-1;10/02/2026;Talleres Beltrán, S.L.;B12345674;1.000,00;21;210,00;1.210,00',
  'F-2;11/03/2026;Talleres Beltrán, S.L.;B12345674;200,00;21;42,00;242,00',
].join('\n')
const CONTACTS = [
  'Nombre;NIF;Dirección;Código postal;Población;Provincia;Email;Teléfono',
  'Talleres Beltrán, S.L.;B12345674;Calle Mayor, 1;28013;Madrid;Madrid;taller@example.com;600111222',
  'Sin dato;;;;;;;',
  'Otra, S.A.;A58818501;Calle Menor, 2;08001;Barcelona;Barcelona;no es un correo;',
].join('\n')
const ITEMS = ['Referencia;Nombre;Precio;IVA', 'R-1;Revisión;45,50;21', 'R-2;Limpieza;20;10'].join('\n')
const OPEN = [
  'Factura;Fecha;Cliente;NIF;Vencimiento;Total;Pendiente',
  'F-1;10/02/2026;Talleres Beltrán;B12345674;10/08/2026;1.210,00;500,00',
  'V-77;05/11/2025;Cliente antiguo, S.L.;B87654323;05/12/2025;300,00;120,50',
  'F-9;01/03/2026;Nadie, S.L.;B87654323;;50,00;50,00',
  'X-1;;Sin fecha, S.L.;;;10,00;10,00',
].join('\n')
const BANKS = [
  'Banco;IBAN;Saldo',
  'Banco Uno;ES91 2100 0418 4502 0005 1332;2.500,10',
  'Caja Dos;ES00 0000 0000 0000 0000 0000;10',
].join('\n')
const ACCOUNTS = [
  ['Cuenta', 'Nombre', 'Debe', 'Haber'],
  ['4', 'Acreedores y deudores', 620.5, 0],
  ['43', 'Clientes', 620.5, 0],
  ['430', 'Clientes', 620.5, 0],
  ['43000001', 'Talleres Beltrán', 500, 0],
  ['43000002', 'Cliente antiguo', 120.5, 0],
  ['5720001', 'Banco Uno', 2500.1, 0],
  ['100', 'Capital social', 0, 3000],
  ['700', 'Ventas', 0, 1200],
  ['623', 'Servicios', 1079.4, 0],
] as const

const emptyBooks = (): Promise<TestBooks> => openBooks({ at: '2026-07-15T12:00:00+02:00' })

async function begin(world: TestBooks): Promise<string> {
  return (await world.run('moving.start', { firstDay: FIRST_DAY })).move.id
}

/** Tables that tell what happened: they keep that a move came and went. */
const TOLD = ['audit_events', 'audit_heads', 'events', 'actors', 'figure_groups', 'moving_runs']

async function dump(world: TestBooks): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const { name } of shapeOfBuild().tables)
    if (!TOLD.includes(name))
      found[name] = (await sql`select * from ${sql.table(name)}`.execute(world.test.db)).rows
  return found
}

test('all lists of a move go in with it and out with it', async () => {
  const world = await emptyBooks()
  await world.invoice()
  const before = await dump(world)
  const id = await begin(world)
  const trial = await excelOf(ACCOUNTS, 'Balance de sumas y saldos')
  for (const [name, bytes, content, documents, failed] of [
    ['clientes.csv', CONTACTS, 'contacts', 2, 1],
    ['articulos.csv', ITEMS, 'items', 2, 0],
    ['ventas.csv', SALES, 'issued', 2, 0],
    ['pendientes.csv', OPEN, 'receivable', 4, 0],
    ['bancos.csv', BANKS, 'bank_balances', 2, 0],
    ['balance.xlsx', trial, 'trial_balance', 6, 0],
  ] as const) {
    const file = await addFile(world, id, name, bytes)
    expect([name, file.state, file.tables.map((table) => [table.content, table.documents])]).toEqual([
      name,
      'read',
      [[content, documents]],
    ])
    expect([name, file.failed]).toEqual([name, failed])
  }
  const { rows: wrong } = await world.run('moving.rows', { id })
  expect(wrong.map(({ file, faults: [fault] }) => [file, fault?.code, fault?.row, fault?.column])).toEqual([
    ['clientes.csv', expect.any(String), 4, 'Email'],
    ['bancos.csv', 'history_iban_wrong', 3, 'IBAN'],
  ])
  await applyAll(world, id)
  const { rows } = await world.run('moving.rows', { id })
  expect(
    rows.filter(({ file }) => file === 'pendientes.csv').map(({ faults: [fault] }) => fault?.code),
  ).toEqual(['history_open_missing', 'history_open_unknown'])

  const { items: owed } = await world.run('payments.open', { side: 'receivable' })
  const amounts = Object.fromEntries(owed.map(({ number, amount }) => [number, amount]))
  expect([amounts['F-1'], amounts['F-2'], amounts['V-77']]).toEqual([500, undefined, 120.5])
  // Owed, and in no figure.
  const year = await world.run('fiscal.model', { model: '390', year: 2025 })
  expect(year.boxes.every(({ amount }) => amount === 0)).toBe(true)
  const [contact] = (await world.run('contacts.list', { text: 'Beltrán' })).items
  expect(contact).toMatchObject({ email: 'taller@example.com' })
  expect((await world.run('items.list', {})).items.map(({ sku }) => sku)).toEqual(['R-2', 'R-1'])
  const { items: banks } = await world.run('bank.accounts', {})
  expect(banks.map(({ name, openingBalance, openingDate }) => [name, openingBalance, openingDate])).toEqual([
    ['Banco Uno', 2500.1, FIRST_DAY],
    ['Caja Dos', 10, FIRST_DAY],
  ])
  const { rows: balance } = await world.run('ledger.trialBalance', { year: 2026 })
  expect(
    Object.fromEntries(balance.flatMap(({ account, code, balance: sum }) => (account ? [[code, sum]] : []))),
  ).toMatchObject({ 43000001: 500, 43000002: 120.5, 5720001: 2500.1, 100: -3000, 700: -1200, 623: 1079.4 })
  expect(await verifyTaxTotals(world.test)).toEqual([])
  await verifyLedger(world.test)

  await undoAll(world, id)
  await world.run('moving.discard', { id })
  expect(await dump(world)).toEqual(before)
})

test('a trial balance that does not balance is refused whole, with the difference', async () => {
  const world = await emptyBooks()
  const id = await begin(world)
  await addFile(
    world,
    id,
    'balance.csv',
    'Cuenta;Nombre;Deudor;Acreedor\n430;Clientes;100,00;\n100;Capital;;90,00\n',
  )
  await applyAll(world, id)
  const { rows } = await world.run('moving.rows', { id })
  expect(rows.flatMap(({ faults }) => faults)).toEqual([
    expect.objectContaining({ code: 'entry_unbalanced', params: { difference: '10.00' } }),
  ])
  expect(await world.test.db.selectFrom('journal_entries').select('id').execute()).toEqual([])
})

test('what is open of an earlier move goes back to what it was', async () => {
  const world = await emptyBooks()
  const first = await begin(world)
  await addFile(world, first, 'ventas.csv', SALES)
  await applyAll(world, first)
  const due = async () => {
    const { items } = await world.run('payments.open', { side: 'receivable' })
    return items.find(({ number }) => number === 'F-1')?.amount
  }
  expect(await due()).toBeUndefined()
  const second = await begin(world)
  await addFile(world, second, 'pendientes.csv', OPEN)
  await applyAll(world, second)
  expect(await due()).toBe(500)
  await undoAll(world, second)
  expect(await due()).toBeUndefined()
})

test('columns that a person chooses are remembered for the next file', async () => {
  const world = await emptyBooks()
  const id = await begin(world)
  const odd =
    'Ref;Cuándo;Quién;Ident.;Neto;Tipo;Impuesto;Suma\nF-1;10/02/2026;Uno, S.L.;B12345674;100;21;21;121\n'
  const unread = await addFile(world, id, 'enero.csv', odd)
  expect(unread.tables).toMatchObject([{ content: 'unknown', isRead: false }])
  const mapping = { number: 0, date: 1, name: 2, nif: 3, base: 4, rate: 5, tax: 6, total: 7 }
  const read = await addFile(world, id, 'enero.csv', odd, {
    tables: [{ entry: null, sheet: null, content: 'issued', mapping }],
  })
  expect(read).toMatchObject({ waiting: 1, tables: [{ content: 'issued', isChosen: true, documents: 1 }] })
  const next = await addFile(world, id, 'febrero.csv', odd.replace('F-1', 'F-2'))
  expect(next.tables[0]?.mapping).toMatchObject({ number: 0, date: 1, base: 4 })
})

test('a file that cannot be read stays in the list with what is wrong, and keeps nothing from going on', async () => {
  const world = await emptyBooks()
  const id = await begin(world)
  for (const [name, bytes, code] of [
    ['viejo.xls', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0, 0, 0]), 'import_old_excel'],
    ['roto.zip', Buffer.from('PK\u0003\u0004 nada'), 'import_file_unknown'],
    ['roto.pdf', Buffer.from('%PDF-1.7 nada'), 'file_unreadable'],
  ] as const) {
    const file = await addFile(world, id, name, bytes)
    expect([name, file.state, file.faults[0]?.code]).toEqual([name, 'refused', code])
  }
  const nothing = await addFile(world, id, 'texto.csv', 'hola\nadiós\n')
  expect(nothing.state).toBe('read')
  expect(nothing.waiting).toBe(0)
  await addFile(world, id, 'ventas.csv', SALES)
  expect((await applyAll(world, id)).created).toBe(2)
})

test('an applied move takes no files and no other first day', async () => {
  const world = await emptyBooks()
  const id = await begin(world)
  const file = await addFile(world, id, 'ventas.csv', SALES)
  await world.run('moving.change', { id, firstDay: '2026-03-01', settings: { leavesOpen: true } })
  const { move } = await world.run('moving.get', { id })
  expect(move).toMatchObject({
    firstDay: '2026-03-01',
    settings: { makesContacts: true, leavesOpen: true },
  })
  // The second invoice is of a day after the first day of these books.
  expect(await applyAll(world, id)).toMatchObject({ created: 1 })
  for (const work of [
    () => world.run('moving.change', { id, firstDay: '2026-04-01' }),
    () => world.run('moving.removeFile', { id, fileId: file.id }),
  ])
    expect((await refused(work())).code).toBe('moving_state')
  // Of files it takes returns alone.
  const error = await refused(addFile(world, id, 'otro.csv', SALES))
  expect(error.details?.faults).toEqual([expect.objectContaining({ code: 'moving_returns_only' })])
})

test('a file is taken out of a draft with its rows', async () => {
  const world = await emptyBooks()
  const id = await begin(world)
  const file = await addFile(world, id, 'ventas.csv', SALES)
  expect((await world.run('moving.get', { id })).move.documents).toBe(2)
  const { move } = await world.run('moving.removeFile', { id, fileId: file.id })
  expect(move).toMatchObject({ documents: 0, files: [] })
  expect(await world.test.db.selectFrom('moving_rows').select('position').execute()).toEqual([])
  expect((await refused(world.run('moving.removeFile', { id, fileId: file.id }))).code).toBe('not_found')
})

describe('an invoice with several due dates', () => {
  const LIST = [
    'Factura;Fecha;Cliente;NIF;País;Vencimiento;Total;Pendiente',
    'F-1;10/02/2026;Talleres Beltrán;B12345674;;10/06/2026;1.210,00;400,00',
    'V-77;05/11/2025;Cliente antiguo, S.L.;B87654323;;05/12/2025;300,00;120,50',
    'W-1;05/11/2025;Client ancien;FR40303265045;Francia;05/08/2026;200,00;200,00',
    'f-1;10/02/2026;Talleres Beltrán;B12345674;;10/08/2026;1.210,00;300,00',
    'F-1;10/02/2026;Talleres Beltrán;B12345674;;10/09/2026;1.210,00;100,00',
    'W-1;05/11/2025;Client ancien;FR40303265045;Francia;05/09/2026;100,00;100,00',
    'V-77;05/11/2025;Cliente antiguo, S.L.;B87654323;;05/12/2025;300,00;99,00',
  ].join('\n')

  async function moved(): Promise<{ world: TestBooks; id: string }> {
    const world = await emptyBooks()
    const id = await begin(world)
    await addFile(world, id, 'ventas.csv', SALES)
    const file = await addFile(world, id, 'pendientes.csv', LIST)
    expect(
      file.tables.map(({ rows, documents, failed, skipped }) => [rows, documents, failed, skipped]),
    ).toEqual([[7, 3, 1, 0]])
    await applyAll(world, id)
    return { world, id }
  }
  const numbered = async (world: TestBooks, number: string) => {
    const { items } = await world.run('invoices.window', { view: 'history' })
    return world.run('invoices.get', { id: items.find((one) => one.number === number)?.id ?? '' })
  }

  test('is owed by instalments, also one that no file of the history has', async () => {
    const { world, id } = await moved()
    expect(await numbered(world, 'F-1')).toMatchObject({
      total: 1210,
      amountDue: 800,
      dueDate: '2026-06-10',
      payment: { status: 'overdue' },
      instalments: [
        { number: 1, dueDate: '2026-06-10', amount: 400, status: 'overdue' },
        { number: 2, dueDate: '2026-08-10', amount: 300, status: 'open' },
        { number: 3, dueDate: '2026-09-10', amount: 100, status: 'open' },
      ],
    })
    expect(await numbered(world, 'W-1')).toMatchObject({
      total: 300,
      amountDue: 300,
      client: { country: 'FR', idType: '02' },
      instalments: [{ amount: 200 }, { amount: 100 }],
    })
    const old = await numbered(world, 'V-77')
    expect(old).toMatchObject({ amountDue: 120.5, client: { country: 'ES' } })
    expect(old.instalments).toBeUndefined()
    const { rows } = await world.run('moving.rows', { id })
    expect(rows.map(({ label, faults }) => [label, faults[0]?.code, faults[0]?.params])).toEqual([
      ['V-77 Cliente antiguo, S.L.', 'history_number_repeated', { number: 'V-77', row: 3 }],
    ])
  })

  test('is paid one by one, and its books add up', async () => {
    const { world } = await moved()
    const { id } = await numbered(world, 'F-1')
    await world.run('payments.create', {
      date: '2026-07-10',
      direction: 'in',
      amount: 500,
      method: 'transfer',
      allocations: [{ invoiceId: id, amount: 500 }],
    })
    expect(await numbered(world, 'F-1')).toMatchObject({
      amountDue: 300,
      dueDate: '2026-08-10',
      instalments: [{ status: 'paid' }, { amountDue: 200 }, { amountDue: 100 }],
    })
    expect(await verifyPayments(world.test)).toMatchObject({ ok: true, faults: [] })
  })

  test('leaves nothing behind, and the same list of a later move has to wait', async () => {
    const world = await emptyBooks()
    const before = await dump(world)
    const id = await begin(world)
    await addFile(world, id, 'ventas.csv', SALES)
    await addFile(world, id, 'pendientes.csv', LIST)
    await applyAll(world, id)
    const later = await begin(world)
    await addFile(world, later, 'pendientes.csv', LIST)
    await applyAll(world, later)
    const { rows } = await world.run('moving.rows', { id: later })
    expect(rows.map(({ faults }) => faults[0]?.code)).toEqual([
      'history_open_in_instalments',
      'history_open_in_instalments',
      'history_number_repeated',
    ])
    expect((await numbered(world, 'F-1')).amountDue).toBe(800)
    await undoAll(world, later)
    await world.run('moving.discard', { id: later })
    await undoAll(world, id)
    await world.run('moving.discard', { id })
    expect(await dump(world)).toEqual(before)
  })
})
