/** Payments over REST and internally: settled items, advances, entries, and removal. */
import { expect, test } from 'vitest'
import { findEntry } from '../../../../server/accounting/ledger/index.ts'
import { verifyPayments } from '../../../../server/accounting/payments/index.ts'
import { openBooks, refused } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { openWorld } from '../../../support/world.ts'

const DAY = '2026-11-21'
const COMPANY = { clientName: 'Cliente Primero, S.L.', clientNif: 'B87654323' }

async function contact(books: TestBooks, name = COMPANY.clientName, nif = COMPANY.clientNif) {
  return await books.run('contacts.create', { name, nif })
}

/** Issues an invoice of 121.00 to a contact. */
async function invoiceOf(books: TestBooks, clientId: string, unitPrice = 100) {
  return books.invoice({
    ...COMPANY,
    clientId,
    lines: [{ description: 'Servicio', quantity: 1, unitPrice }],
  })
}

/** Returns the entry of a payment: account to cents. */
async function booked(books: TestBooks, paymentId: string): Promise<Record<string, number>> {
  const { id } = await books.test.db
    .selectFrom('payments')
    .select('id')
    .where('public_id', '=', paymentId)
    .executeTakeFirstOrThrow()
  const entry = await findEntry(books.test, { type: 'payment', id })
  const lines = await books.test.db
    .selectFrom('journal_lines')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'journal_lines.account_id')
    .select(['code', 'amount_cents'])
    .where('entry_id', '=', entry?.id ?? -1)
    .execute()
  return Object.fromEntries(lines.map((line) => [line.code, line.amount_cents]))
}

test('an invoice is paid in parts over REST, and a part can be removed', async () => {
  const world = await openWorld({ at: '2026-11-21T10:00:00+01:00' })
  const { id } = await world.issue((await world.createDraft()).id)
  const path = `/api/v1/invoices/${id}/payments`
  const first = await world.post(path, { date: DAY, amount: 10, method: 'transfer', reference: 'Nómina 1' })
  expect(first.status).toBe(201)
  expect(first.body.data.invoice).toEqual({
    id,
    number: 'T-F2026-0001',
    amountDue: 14.2,
    payment: { status: 'partial' },
  })
  expect(first.body.data).toMatchObject({ amount: 10, method: 'transfer', reference: 'Nómina 1', advance: 0 })
  const rest = await world.post(path, { date: DAY, amount: 14.2, method: 'card' })
  expect(rest.body.data.invoice).toMatchObject({ amountDue: 0, payment: { status: 'paid' } })
  expect((await world.get(`/api/v1/invoices/${id}`)).body.data.payments).toEqual([
    { id: first.body.data.id, date: DAY, amount: 10, method: 'transfer', reference: 'Nómina 1' },
    { id: rest.body.data.id, date: DAY, amount: 14.2, method: 'card' },
  ])
  const over = await world.post(path, { date: DAY, amount: 0.01, method: 'card' })
  expect([over.status, over.body.error.code]).toEqual([409, 'payment_exceeds_due'])
  expect((await world.delete(path)).body.error.code).toBe('payment_ambiguous')
  const gone = await world.delete(`${path}?method=card&amount=14.2`)
  expect(gone.body.data).toEqual({ deleted: true, paymentId: rest.body.data.id })
  expect((await world.get(path)).body.data).toMatchObject({ amountDue: 14.2, items: [{ amount: 10 }] })
  const listed = await world.get('/api/v1/payments?direction=in&totals=true')
  expect(listed.body.data.totals).toEqual({ count: 1, in: 10, out: 0 })
  expect((await world.get(`/api/v1/payments/${first.body.data.id}`)).body.data.allocations).toMatchObject([
    { invoice: { id, number: 'T-F2026-0001', name: 'Ana Ruiz Gil' }, amount: 10 },
  ])
  expect((await world.delete(`/api/v1/payments/${first.body.data.id}`)).status).toBe(200)
  expect((await world.get(`/api/v1/invoices/${id}`)).body.data.amountDue).toBe(24.2)
})

test('the same Idempotency-Key records one payment', async () => {
  const world = await openWorld({ at: '2026-11-21T10:00:00+01:00' })
  const { id } = await world.issue((await world.createDraft()).id)
  const body = { date: DAY, amount: 5, method: 'bizum' }
  const headers = { 'idempotency-key': 'cobro-1' }
  const [one, two] = [
    await world.post(`/api/v1/invoices/${id}/payments`, body, { headers }),
    await world.post(`/api/v1/invoices/${id}/payments`, body, { headers }),
  ]
  expect(two.body.data.id).toBe(one.body.data.id)
  expect((await world.get(`/api/v1/invoices/${id}`)).body.data.amountDue).toBe(19.2)
})

test('two concurrent payments never pay more than is due', async () => {
  const world = await openWorld({ at: '2026-11-21T10:00:00+01:00' })
  const { id } = await world.issue((await world.createDraft()).id)
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      world.post(`/api/v1/invoices/${id}/payments`, { date: DAY, amount: 12.1, method: 'transfer' }),
    ),
  )
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(2)
  expect(answers.filter((answer) => answer.body.error?.code === 'payment_exceeds_due')).toHaveLength(6)
  expect((await world.get(`/api/v1/invoices/${id}`)).body.data.amountDue).toBe(0)
  expect(await verifyPayments(world.ctx())).toEqual({ ok: true, checked: 2, faults: [] })
})

test('a payment books the bank against the customer, cash books the till', async () => {
  const books = await openBooks()
  const { id: contactId } = await contact(books)
  const invoice = await invoiceOf(books, contactId)
  const bank = await books.run('payments.payInvoice', {
    id: invoice.id,
    date: DAY,
    amount: 100,
    method: 'transfer',
  })
  expect(await booked(books, bank.id)).toEqual({ 572: 10_000, 430: -10_000 })
  const cash = await books.run('payments.payInvoice', {
    id: invoice.id,
    date: DAY,
    amount: 21,
    method: 'cash',
  })
  expect(await booked(books, cash.id)).toEqual({ 570: 2_100, 430: -2_100 })
  await books.run('payments.delete', { id: bank.id })
  expect(await booked(books, bank.id).catch(() => 'gone')).toBe('gone')
  expect((await verifyPayments(books.test)).ok).toBe(true)
})

test('an excess becomes an advance on request, and pays a later invoice', async () => {
  const books = await openBooks()
  const { id: contactId } = await contact(books)
  const first = await invoiceOf(books, contactId)
  const paid = await books.run('payments.payInvoice', {
    id: first.id,
    date: DAY,
    amount: 150,
    method: 'transfer',
    overpayment: 'advance',
  })
  expect(paid).toMatchObject({ advance: 29, advanceLeft: 29, invoice: { amountDue: 0 } })
  expect(await booked(books, paid.id)).toEqual({ 572: 15_000, 430: -12_100, 438: -2_900 })
  const second = await invoiceOf(books, contactId)
  const setOff = await books.run('payments.create', {
    direction: 'in',
    date: DAY,
    amount: 0,
    allocations: [
      { invoiceId: second.id, amount: 29 },
      { advanceId: paid.id, amount: 29 },
    ],
  })
  expect(setOff).toMatchObject({ kind: 'compensation', amount: 0, method: null })
  expect(await booked(books, setOff.id)).toEqual({ 430: -2_900, 438: 2_900 })
  expect((await books.run('invoices.get', { id: second.id })).amountDue).toBe(92)
  expect((await refused(books.run('payments.delete', { id: paid.id }))).code).toBe('payment_in_use')
  const again = books.run('payments.create', {
    direction: 'in',
    date: DAY,
    amount: 0,
    allocations: [
      { invoiceId: second.id, amount: 1 },
      { advanceId: paid.id, amount: 1 },
    ],
  })
  expect((await refused(again)).code).toBe('payment_exceeds_due')
  await books.run('payments.delete', { id: setOff.id })
  await books.run('payments.delete', { id: paid.id })
  expect(await verifyPayments(books.test)).toEqual({ ok: true, checked: 0, faults: [] })
})

test('an unbalanced payment is rejected with the missing amount', async () => {
  const books = await openBooks()
  const { id: contactId } = await contact(books)
  const invoice = await invoiceOf(books, contactId)
  const pay = (changes: object) =>
    books.run('payments.create', {
      direction: 'in',
      date: DAY,
      amount: 50,
      method: 'transfer',
      allocations: [{ invoiceId: invoice.id, amount: 40 }],
      ...changes,
    })
  const faultOf = async (changes: object) => {
    const { code, details, field } = await refused(pay(changes))
    return [code, (details as { faults?: { code: string }[] }).faults?.[0]?.code, field]
  }
  expect(await faultOf({})).toEqual(['validation_failed', 'payment_not_balanced', 'amount'])
  expect(await faultOf({ amount: 30 })).toEqual(['validation_failed', 'payment_not_balanced', 'amount'])
  expect(await faultOf({ amount: 40, method: undefined })).toEqual([
    'validation_failed',
    'required',
    'method',
  ])
  expect(await faultOf({ date: '2026-11-22', amount: 40 })).toEqual([
    'validation_failed',
    'date_in_future',
    'date',
  ])
  expect(
    await faultOf({ amount: 40, rest: 'exchange', allocations: [{ invoiceId: invoice.id, amount: 39 }] }),
  ).toEqual(['validation_failed', 'no_currency', 'rest'])
  expect(await faultOf({ allocations: [{ amount: 50 }] })).toEqual([
    'validation_failed',
    'wrong_shape',
    'allocations[0]',
  ])
  expect(
    (await refused(pay({ amount: 10, allocations: [{ invoiceId: invoice.id, amount: -10 }] }))).code,
  ).toBe('payment_exceeds_due')
  expect(await pay({ rest: 'advance' })).toMatchObject({ advance: 10 })
})

test('drafts and cancelled invoices cannot be paid', async () => {
  const books = await openBooks()
  const draft = await books.draft()
  const pay = (id: string) =>
    books.run('payments.payInvoice', { id, date: DAY, amount: 1, method: 'transfer' })
  expect((await refused(pay(draft.id))).code).toBe('invoice_not_issued')
  expect((await refused(pay('inv_0000000000000000'))).code).toBe('not_found')
})

test('cash for an operation that reaches the limit gives a warning, whatever the instalment', async () => {
  const books = await openBooks()
  const { id: contactId } = await contact(books)
  const large = await invoiceOf(books, contactId, 1000)
  const small = await invoiceOf(books, contactId, 800)
  const pay = async (id: string) =>
    (await books.run('payments.payInvoice', { id, date: DAY, amount: 50, method: 'cash' })).warnings
  expect(await pay(large.id)).toMatchObject([{ code: 'cash_limit', params: { limit: 1000 } }])
  expect(await pay(small.id)).toEqual([])
})

test('several invoices are marked as paid in one step, or none', async () => {
  const books = await openBooks()
  const { id: contactId } = await contact(books)
  const one = await invoiceOf(books, contactId)
  const two = await invoiceOf(books, contactId, 50)
  const draft = await books.draft()
  const collect = (invoiceIds: string[]) =>
    books.run('payments.collect', { date: DAY, method: 'transfer', invoiceIds })
  expect((await refused(collect([one.id, draft.id]))).code).toBe('invoice_not_issued')
  expect((await books.run('payments.list', {})).items).toEqual([])
  expect(await collect([one.id, two.id])).toMatchObject({ total: 181.5, warnings: [] })
  expect((await refused(collect([one.id]))).code).toBe('invoice_settled')
})

test('an uncollectible invoice is a loss in the books and is owed again when that is undone', async () => {
  const books = await openBooks()
  const { id: contactId } = await contact(books)
  const invoice = await invoiceOf(books, contactId)
  await books.run('payments.payInvoice', { id: invoice.id, date: DAY, amount: 21, method: 'transfer' })
  const given = await books.run('payments.writeOff', { id: invoice.id, date: DAY })
  expect(given).toMatchObject({
    kind: 'write_off',
    writtenOff: 100,
    invoice: { payment: { status: 'uncollectible' } },
  })
  expect(await booked(books, given.id)).toEqual({ 430: -10_000, 650: 10_000 })
  const pay = books.run('payments.payInvoice', { id: invoice.id, date: DAY, amount: 1, method: 'transfer' })
  expect((await refused(pay)).code).toBe('invoice_uncollectible')
  expect((await verifyPayments(books.test)).faults).toEqual([])
  await books.run('payments.delete', { id: given.id })
  expect(await books.run('invoices.get', { id: invoice.id })).toMatchObject({
    amountDue: 100,
    payment: { status: 'partial' },
  })
})

test('the statement runs from the opening balance to the open amount', async () => {
  const books = await openBooks({ at: '2026-01-10T10:00:00+01:00' })
  const { id: contactId } = await contact(books)
  const first = await invoiceOf(books, contactId)
  books.setTime('2026-02-10T10:00:00+01:00')
  await books.run('payments.payInvoice', {
    id: first.id,
    date: '2026-02-05',
    amount: 121,
    method: 'transfer',
  })
  const second = await invoiceOf(books, contactId, 200)
  books.setTime('2026-11-21T10:00:00+01:00')
  const answer = await books.run('payments.statement', { id: contactId, from: '2026-02-01' })
  expect(answer).toMatchObject({ opening: 121, debit: 242, credit: 121, closing: 242 })
  expect(answer.movements.map(({ date, type, balance }) => [date, type, balance])).toEqual([
    ['2026-02-05', 'payment', 0],
    ['2026-02-10', 'invoice', 242],
  ])
  expect(answer.open).toMatchObject([{ id: second.id, amount: 242 }])
  expect(answer.aging.total).toBe(242)
  const file = await books.run('payments.statementFile', { id: contactId, from: '2026-02-01' })
  const text = new TextDecoder().decode(file.bytes)
  expect(text.split('\r\n').slice(1, 4)).toEqual([
    '01/02/2026;Saldo anterior;;;;;121,00',
    '05/02/2026;Cobro;;;;121,00;0,00',
    '10/02/2026;Factura;T-F2026-0002;;242,00;;242,00',
  ])
})

test('a supplier is paid in parts, and the books keep the rest open', async () => {
  const books = await openBooks()
  const received = await books.run('received.create', {
    supplierName: 'Suministros Norte, S.L.',
    supplierNif: 'B87654323',
    supplierNumber: 'A-77',
    issueDate: DAY,
    taxLines: [{ base: 200, vatRate: 21 }],
  })
  const paid = await books.run('payments.payReceived', {
    id: received.id,
    date: DAY,
    amount: 100,
    method: 'transfer',
  })
  expect(paid).toMatchObject({ direction: 'out', received: { amountDue: 142 } })
  const lines = await booked(books, paid.id)
  expect(lines['572']).toBe(-10_000)
  expect(Object.values(lines).reduce((sum, cents) => sum + cents, 0)).toBe(0)
  expect((await books.run('payments.open', { side: 'payable' })).items).toMatchObject([
    { id: received.id, number: 'A-77', amount: 142, total: 242 },
  ])
  await books.run('payments.unpayReceived', { id: received.id })
  expect((await books.run('payments.ofReceived', { id: received.id })).amountDue).toBe(242)
  expect((await verifyPayments(books.test)).faults).toEqual([])
})

test('open items are found by a name with or without its accents', async () => {
  const books = await openBooks()
  const { id } = await contact(books, 'Peña Ibérica, S.L.')
  const invoice = await books.invoice({ ...COMPANY, clientName: 'Peña Ibérica, S.L.', clientId: id })
  for (const text of ['peña', 'PENA', 'iberica'])
    expect((await books.run('payments.open', { side: 'receivable', text })).items).toMatchObject([
      { id: invoice.id },
    ])
  expect((await books.run('payments.open', { side: 'receivable', text: 'eña' })).items).toEqual([])
})

test('an invoice in another currency is settled at its own rate, and the difference is booked', async () => {
  const books = await openBooks()
  const { id: contactId } = await contact(books)
  const invoice = await books.invoice({
    ...COMPANY,
    clientId: contactId,
    currency: 'USD',
    fxRate: 1.1,
    lines: [{ description: 'Servicio', quantity: 1, unitPrice: 110 }],
  })
  expect(invoice).toMatchObject({ amountDue: 121, currency: 'USD' })
  const paid = await books.run('payments.payInvoice', {
    id: invoice.id,
    date: DAY,
    amount: 118.5,
    settles: 121,
    method: 'transfer',
  })
  expect(paid).toMatchObject({ exchangeDifference: -2.5, advance: 0, invoice: { amountDue: 0 } })
  expect(await booked(books, paid.id)).toEqual({ 572: 11_850, 430: -12_100, 668: 250 })
  expect((await verifyPayments(books.test)).faults).toEqual([])
})

test('recording or removing a payment on a closed day is rejected', async () => {
  const books = await openBooks()
  const { id: contactId } = await contact(books)
  const invoice = await invoiceOf(books, contactId)
  const paid = await books.run('payments.payInvoice', {
    id: invoice.id,
    date: DAY,
    amount: 21,
    method: 'transfer',
  })
  await books.test.transaction(async (tx) => {
    await tx.db
      .insertInto('period_locks')
      .values({ book_id: tx.book.id, locked_until: 20_261_121, updated_at: 0 })
      .execute()
  })
  const pay = books.run('payments.payInvoice', { id: invoice.id, date: DAY, amount: 1, method: 'transfer' })
  expect((await refused(pay)).code).toBe('period_locked')
  expect((await refused(books.run('payments.delete', { id: paid.id }))).code).toBe('period_locked')
  expect((await books.run('invoices.get', { id: invoice.id })).amountDue).toBe(100)
})
