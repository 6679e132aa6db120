/** Invoices in instalments: faults of a draft, what is open by day, payments, debits, reminders and the bank. */
import { expect, test } from 'vitest'
import { verifyPayments } from '../../../../../server/accounting/payments/index.ts'
import { creditorIdOf } from '../../../../../server/accounting/payments/debits/sepa-identifiers.ts'
import { openByDay } from '../../../../../server/accounting/payments/open.ts'
import { openBooks, refused } from '../../../../support/books.ts'
import type { DraftInput, TestBooks } from '../../../../support/books.ts'

const CLIENT = { clientName: 'Cliente Primero, S.L.', clientNif: 'B87654323' }
const LINES = [{ description: 'Servicio', quantity: 1, unitPrice: 1000 }]
const THIRDS = [
  { dueDate: '2026-12-01', percent: 33.33 },
  { dueDate: '2027-01-01', percent: 33.33 },
  { dueDate: '2027-02-01', percent: 33.34 },
]

async function booksWith(
  instalments: DraftInput['instalments'] = THIRDS,
): Promise<{ books: TestBooks; id: string; contactId: string }> {
  const books = await openBooks()
  const contact = await books.run('contacts.create', { name: CLIENT.clientName, nif: CLIENT.clientNif })
  const { id } = await books.invoice({ ...CLIENT, clientId: contact.id, lines: LINES, instalments })
  return { books, id, contactId: contact.id }
}

const statesOf = async (books: TestBooks, id: string) =>
  ((await books.run('invoices.get', { id })).instalments ?? []).map(({ amount, amountDue, status }) => [
    amount,
    amountDue,
    status,
  ])

async function assertVerified(books: TestBooks): Promise<void> {
  expect((await verifyPayments(books.test)).faults).toEqual([])
}

test('percentages are rounded and the last instalment takes the rest', async () => {
  const { books, id } = await booksWith()
  const invoice = await books.run('invoices.get', { id })
  // 1,210.00: twice 403.293, and what is left.
  expect(invoice.instalments?.map(({ amount }) => amount)).toEqual([403.29, 403.29, 403.42])
  expect(invoice).toMatchObject({ dueDate: '2026-12-01', amountDue: 1210, payment: { status: 'unpaid' } })
  await assertVerified(books)
})

test('the last instalment may be the rest, after withholding', async () => {
  const books = await openBooks()
  const { id } = await books.invoice({
    ...CLIENT,
    lines: LINES,
    withholdingPct: 15,
    instalments: [{ dueDate: '2026-11-21', amount: 500.01 }, { dueDate: '2027-01-10' }],
  })
  expect(await statesOf(books, id)).toEqual([
    [500.01, 500.01, 'open'],
    [559.99, 559.99, 'open'],
  ])
})

test.each<[string, DraftInput['instalments'], string[]]>([
  [
    'sum',
    [
      { dueDate: '2026-12-01', amount: 600 },
      { dueDate: '2027-01-01', amount: 600 },
    ],
    ['instalments: instalments_sum'],
  ],
  [
    'percentages that are not the whole',
    [
      { dueDate: '2026-12-01', percent: 50 },
      { dueDate: '2027-01-01', percent: 40 },
    ],
    ['instalments: instalments_sum'],
  ],
  [
    'order',
    [{ dueDate: '2027-01-01', percent: 50 }, { dueDate: '2027-01-01' }],
    ['instalments[1].dueDate: instalments_order'],
  ],
  [
    'a day before the issue',
    [{ dueDate: '2026-11-20', percent: 50 }, { dueDate: '2027-01-01' }],
    ['instalments[0].dueDate: instalment_before_issue'],
  ],
  [
    'both values',
    [{ dueDate: '2026-12-01', percent: 50, amount: 10 }, { dueDate: '2027-01-01' }],
    ['instalments[0].percent: instalment_value'],
  ],
  [
    'no value before the last',
    [{ dueDate: '2026-12-01' }, { dueDate: '2027-01-01', percent: 50 }],
    ['instalments[0].percent: instalment_value'],
  ],
  [
    'nothing left',
    [{ dueDate: '2026-12-01', amount: 1210 }, { dueDate: '2027-01-01' }],
    ['instalments[1].amount: instalment_not_positive'],
  ],
])('a draft names the fault of its instalments: %s', async (_, instalments, faults) => {
  const books = await openBooks()
  const { id } = await books.draft({ ...CLIENT, lines: LINES, instalments })
  const { issues, confirmation } = await books.run('invoices.validate', { id })
  expect(
    issues.filter(({ severity }) => severity === 'error').map(({ field, code }) => `${field}: ${code}`),
  ).toEqual(faults)
  expect(confirmation).toBeUndefined()
})

test('a credit has no instalments, and one due date replaces several', async () => {
  const books = await openBooks()
  const draft = await books.draft({ ...CLIENT, lines: LINES, instalments: THIRDS })
  const changed = await books.run('invoices.update', { id: draft.id, dueDate: '2026-12-24' })
  expect(changed).toMatchObject({ dueDate: '2026-12-24' })
  expect(changed.instalments).toBeUndefined()
  const credit = await books.draft({
    ...CLIENT,
    lines: [{ description: 'Abono', quantity: -1, unitPrice: 10 }],
    instalments: THIRDS,
  })
  const { issues } = await books.run('invoices.validate', { id: credit.id })
  expect(issues.map(({ code }) => code)).toContain('instalments_nothing_due')
})

test('the hash of an invoice covers its instalments, and nothing else of older ones', async () => {
  const books = await openBooks()
  const plain = await books.draft({ ...CLIENT, lines: LINES, dueDate: '2026-12-01' })
  const split = await books.draft({ ...CLIENT, lines: LINES, instalments: THIRDS })
  const other = await books.run('invoices.update', {
    id: split.id,
    instalments: [{ dueDate: '2026-12-01', percent: 50 }, { dueDate: '2027-02-01' }],
  })
  expect(new Set([plain.contentHash, split.contentHash, other.contentHash]).size).toBe(3)
  const back = await books.run('invoices.update', { id: split.id, dueDate: '2026-12-01', instalments: null })
  expect(back.contentHash).toBe(plain.contentHash)
})

test('money settles the instalment due first, a named one by itself, and a removal reopens them', async () => {
  const { books, id } = await booksWith()
  const pay = (amount: number, instalment?: number) =>
    books.run('payments.payInvoice', { id, date: '2026-11-21', amount, method: 'transfer', instalment })
  const first = await pay(500)
  expect(first.allocations.map(({ instalment, amount }) => [instalment, amount])).toEqual([
    [1, 403.29],
    [2, 96.71],
  ])
  expect(await statesOf(books, id)).toEqual([
    [403.29, 0, 'paid'],
    [403.29, 306.58, 'open'],
    [403.42, 403.42, 'open'],
  ])
  expect(await books.run('invoices.get', { id })).toMatchObject({ dueDate: '2027-01-01', amountDue: 710 })
  await pay(403.42, 3)
  expect((await refused(pay(306.59, 2))).code).toBe('payment_exceeds_due')
  expect((await refused(pay(1, 4))).code).toBe('validation_failed')
  await assertVerified(books)
  // One payment, however many instalments it settles.
  expect((await books.run('invoices.get', { id })).payments.map(({ amount }) => amount)).toEqual([
    500, 403.42,
  ])
  expect((await books.run('payments.ofInvoice', { id })).items.map(({ amount }) => amount)).toEqual([
    500, 403.42,
  ])
  const undone = await books.run('payments.unpayInvoice', { id, amount: 500 })
  expect(undone.paymentId).toBe(first.id)
  expect(await statesOf(books, id)).toEqual([
    [403.29, 403.29, 'open'],
    [403.29, 403.29, 'open'],
    [403.42, 0, 'paid'],
  ])
  expect((await books.run('invoices.get', { id })).dueDate).toBe('2026-12-01')
  await pay(806.58)
  // A paid invoice keeps the day of its last instalment.
  expect(await books.run('invoices.get', { id })).toMatchObject({
    dueDate: '2027-02-01',
    payment: { status: 'paid' },
  })
  await assertVerified(books)
})

test('a credit takes off the last instalment, an uncollectible rest leaves them', async () => {
  const { books, id } = await booksWith()
  const credit = await books.invoice({
    ...CLIENT,
    lines: [{ description: 'Abono', quantity: -1, unitPrice: 400 }],
  })
  await books.run('payments.create', {
    direction: 'in',
    date: '2026-11-21',
    amount: 0,
    allocations: [
      { invoiceId: id, amount: 484 },
      { invoiceId: credit.id, amount: -484 },
    ],
  })
  expect(await statesOf(books, id)).toEqual([
    [403.29, 403.29, 'open'],
    [403.29, 322.71, 'open'],
    [403.42, 0, 'paid'],
  ])
  await assertVerified(books)
  await books.run('payments.writeOff', { id, date: '2026-11-21' })
  expect((await statesOf(books, id)).map(([, , status]) => status)).toEqual([
    'uncollectible',
    'uncollectible',
    'paid',
  ])
  expect((await books.run('payments.open', { side: 'receivable' })).items).toEqual([])
  await assertVerified(books)
})

test('open items, aging and the days of the dashboard have each instalment by itself', async () => {
  const { books, id } = await booksWith()
  const plain = await books.invoice({ ...CLIENT, lines: LINES, dueDate: '2027-01-01' })
  books.setTime('2027-01-15T10:00:00+01:00')
  const { items, count, amount } = await books.run('payments.open', { side: 'receivable' })
  expect(items.map((each) => [each.id, each.instalment, each.dueDate, each.amount, each.daysLate])).toEqual([
    [id, 1, '2026-12-01', 403.29, 45],
    ...[
      [id, 2, '2027-01-01', 403.29, 14],
      [plain.id, undefined, '2027-01-01', 1210, 14],
    ].toSorted((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1)),
    [id, 3, '2027-02-01', 403.42, 0],
  ])
  expect([count, amount]).toEqual([4, 2420])
  const { totals } = await books.run('payments.aging', { side: 'receivable' })
  expect(totals).toMatchObject({ notDue: 403.42, upTo30: 1613.29, upTo60: 403.29, total: 2420 })
  expect(await openByDay(books.test, 'receivable')).toEqual([
    { dueDate: '2026-12-01', cents: 40_329, invoices: 1 },
    { dueDate: '2027-01-01', cents: 161_329, invoices: 2 },
    { dueDate: '2027-02-01', cents: 40_342, invoices: 1 },
  ])
  // Page by page they are the same.
  const paged: unknown[] = []
  for (let cursor: string | undefined; ;) {
    const page = await books.run('payments.open', { side: 'receivable', limit: 1, cursor })
    paged.push(...page.items)
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  expect(paged).toEqual(items)
})

test('each instalment is collected in a file of its own, and a returned debit reopens only that one', async () => {
  const { books, id, contactId } = await booksWith()
  await books.run('debits.saveCreditor', {
    creditorId: creditorIdOf('B12345674'),
    iban: 'ES9121000418450200051332',
  })
  await books.run('mandates.create', {
    contactId,
    signedOn: '2026-01-02',
    iban: 'ES79 2100 0813 6101 2345 6789',
  })
  const candidates = async () =>
    (await books.run('remittances.candidates', { kind: 'debit' })).items.map((each) => [
      each.instalment,
      each.amount,
      each.missing,
    ])
  expect(await candidates()).toEqual([
    [1, 403.29, null],
    [2, 403.29, null],
    [3, 403.42, null],
  ])
  const first = await books.run('remittances.create', { kind: 'debit', items: [{ id }] })
  expect(first.items.map(({ instalment, amount }) => [instalment, amount])).toEqual([[1, 403.29]])
  // Without its number, the next one that stands in no file.
  const second = await books.run('remittances.create', { kind: 'debit', items: [{ id }] })
  expect(second.items[0]?.instalment).toBe(2)
  expect(await candidates()).toEqual([
    [1, 403.29, 'in_other_file'],
    [2, 403.29, 'in_other_file'],
    [3, 403.42, null],
  ])
  expect((await statesOf(books, id)).map(([, , status]) => status)).toEqual(['remitted', 'remitted', 'open'])
  const again = books.run('remittances.create', { kind: 'debit', items: [{ id, instalment: 2 }] })
  expect((await refused(again)).details?.faults).toMatchObject([{ code: 'in_other_file' }])
  const both = await books.run('remittances.file', { id: first.id })
  expect(Buffer.from(both.bytes).toString()).toContain('vencimiento 1')
  await books.run('remittances.settle', { id: second.id, date: '2026-11-21' })
  await books.run('remittances.settle', { id: first.id, date: '2026-11-21' })
  expect((await statesOf(books, id)).map(([, due]) => due)).toEqual([0, 0, 403.42])
  await books.run('remittances.return', { id: second.id, index: 0, date: '2026-11-21', fee: 3 })
  expect((await statesOf(books, id)).map(([, due]) => due)).toEqual([0, 403.29, 403.42])
  await assertVerified(books)
})

test('a reminder names the overdue instalments, each with its interest by day', async () => {
  const books = await openBooks({ at: '2025-01-10T10:00:00+01:00' })
  const { id } = await books.invoice({
    ...CLIENT,
    lines: LINES,
    instalments: [
      { dueDate: '2025-01-30', percent: 50 },
      { dueDate: '2025-03-01', percent: 30 },
      { dueDate: '2025-12-01' },
    ],
  })
  books.setTime('2025-08-09T10:00:00+02:00')
  const { items, totals } = await books.run('payments.reminders', {})
  // 605.00: 151 days at 11.15 % are 27.907…, 40 at 10.15 % 6.729…; 363.00: 121 days 13.417…, 40 days 4.037….
  expect(
    items[0]?.invoices.map((each) => [each.instalment, each.daysLate, each.interest, each.recovery]),
  ).toEqual([
    [1, 191, 34.64, 40],
    [2, 161, 17.46, 0],
  ])
  expect(totals).toMatchObject({ invoices: 1, amountDue: 968 })
  const letter = await books.run('payments.previewReminder', { invoiceIds: [id], level: 2 })
  expect(letter.table.rows.map(([number, , due]) => [number?.replace(/^.* /, ''), due])).toEqual([
    ['(1/3)', '30/01/2025'],
    ['(2/3)', '01/03/2025'],
  ])
  const sent = await books.run('payments.remind', { invoiceIds: [id], instalment: 2, channel: 'phone' })
  expect(sent.invoices).toMatchObject([{ id, instalments: [2], amountDue: 363 }])
  const after = await books.run('payments.reminders', {})
  expect(after.items[0]?.invoices.map(({ reminders, nextLevel }) => [reminders, nextLevel])).toEqual([
    [0, 1],
    [1, 2],
  ])
  const early = books.run('payments.previewReminder', { invoiceIds: [id], instalment: 3, level: 1 })
  expect((await refused(early)).code).toBe('invoice_not_late')
})

test('the bank recognizes the amount of an instalment, and settles that one', async () => {
  const { books, id } = await booksWith([
    { dueDate: '2026-11-25', amount: 500 },
    { dueDate: '2026-12-25', amount: 310 },
    { dueDate: '2027-01-25' },
  ])
  const account = await books.run('bank.createAccount', { name: 'Banco', iban: 'ES9121000418450200051332' })
  const { number } = await books.run('invoices.get', { id })
  const text = `Fecha;Concepto;Importe\n21/11/2026;TRANSFERENCIA ${CLIENT.clientName} ${number};310,00\n`
  await books.run('bank.import', {
    accountId: account.id,
    content: Buffer.from(text).toString('base64'),
    fileName: 'movimientos.csv',
  })
  const { items } = await books.run('bank.window', { status: 'pending', limit: 10 })
  const [suggestion] = (await books.run('bank.transaction', { id: items[0]?.id ?? '' })).suggestions
  expect(suggestion?.reasons[0]).toMatchObject({
    code: 'amount_instalment',
    message: `The amount is instalment 2 of ${number}, due on 2026-12-25.`,
  })
  expect(suggestion?.parts).toMatchObject([{ invoiceId: id, instalment: 2, amount: 310 }])
  await books.run('bank.match', {
    id: items[0]?.id ?? '',
    parts: [{ kind: 'invoice', invoiceId: id, instalment: 2, amount: 310 }],
  })
  expect((await statesOf(books, id)).map(([, due]) => due)).toEqual([500, 0, 400])
  await assertVerified(books)
})

test("a contact's terms are proposed in a draft, with the days of its issue", async () => {
  const books = await openBooks()
  const contact = await books.run('contacts.create', {
    name: CLIENT.clientName,
    nif: CLIENT.clientNif,
    paymentTerms: [{ days: 30 }, { days: 60 }, { days: 90 }],
  })
  expect((await books.run('contacts.get', { id: contact.id })).paymentTerms).toEqual([
    { days: 30 },
    { days: 60 },
    { days: 90 },
  ])
  const draft = await books.draft({ ...CLIENT, clientId: contact.id, lines: LINES })
  expect(draft.instalments?.map(({ dueDate, amount }) => [dueDate, amount])).toEqual([
    ['2026-12-21', 403.29],
    ['2027-01-20', 403.29],
    ['2027-02-19', 403.42],
  ])
  expect(draft.assumptions).toContainEqual({
    field: 'instalments',
    value: 3,
    why: "The contact's payment terms.",
  })
  // A due date, or none, is a decision.
  expect((await books.draft({ clientId: contact.id, dueDate: '2026-12-01' })).instalments).toBeUndefined()
  expect((await books.draft({ clientId: contact.id, dueDate: null })).instalments).toBeUndefined()
  await books.run('contacts.update', {
    id: contact.id,
    paymentTerms: [{ days: 0, percent: 50 }, { days: 30 }],
  })
  const half = await books.draft({ clientId: contact.id, issueDate: '2026-11-01', lines: LINES })
  expect(half.instalments?.map(({ dueDate, amount }) => [dueDate, amount])).toEqual([
    ['2026-11-01', 605],
    ['2026-12-01', 605],
  ])
  for (const paymentTerms of [
    [{ days: 30 }, { days: 30 }],
    [
      { days: 30, percent: 60 },
      { days: 60, percent: 60 },
    ],
    [{ days: 30 }, { days: 60, percent: 60 }],
    [{ days: 30, percent: 100 }, { days: 60 }],
  ]) {
    const change = books.run('contacts.update', { id: contact.id, paymentTerms })
    expect((await refused(change)).details?.faults).toMatchObject([{ code: 'payment_terms_invalid' }])
  }
})

test("a contact's terms come with the invoice of a quote, and with a recurring one without days of its own", async () => {
  const books = await openBooks()
  const contact = await books.run('contacts.create', {
    name: CLIENT.clientName,
    nif: CLIENT.clientNif,
    paymentTerms: [{ days: 10, percent: 40 }, { days: 40 }],
  })
  const daysOf = ({ instalments }: { instalments?: { dueDate: string; amount: number }[] | undefined }) =>
    instalments?.map(({ dueDate, amount }) => [dueDate, amount])
  const quote = await books.run('quotes.create', { ...CLIENT, clientId: contact.id, lines: LINES })
  const { invoice } = await books.run('quotes.convert', { id: quote.id })
  expect(daysOf(invoice)).toEqual([
    ['2026-12-01', 484],
    ['2026-12-31', 726],
  ])
  const { id } = await books.run('recurring.create', {
    name: 'Cuota',
    rule: { freq: 'monthly', start: '2026-12-15' },
    invoice: { ...CLIENT, clientId: contact.id, lines: LINES },
    dueDays: null,
  })
  books.setTime('2026-12-15T10:00:00+01:00')
  await books.run('recurring.run', { id })
  const { items } = await books.run('invoices.list', { state: 'draft' })
  const made = await books.run('invoices.get', {
    id: items.find((each) => each.id !== invoice.id)?.id ?? '',
  })
  expect(daysOf(made)).toEqual([
    ['2026-12-25', 484],
    ['2027-01-24', 726],
  ])
})

test('issued instalments cannot be changed by any statement', async () => {
  const { books, id } = await booksWith()
  const row = await books.test.db
    .selectFrom('invoices')
    .select('id')
    .where('public_id', '=', id)
    .executeTakeFirstOrThrow()
  const change = (work: Promise<unknown>) => expect(work).rejects.toThrow(/frozen/)
  await books.test
    .transaction(async (tx) => {
      await change(
        tx.db.updateTable('invoices').set({ instalments: null }).where('id', '=', row.id).execute(),
      )
    })
    .catch(() => {})
  await books.test
    .transaction(async (tx) => {
      await change(
        tx.db.updateTable('invoice_instalments').set({ cents: 1 }).where('invoice_id', '=', row.id).execute(),
      )
    })
    .catch(() => {})
  await books.test
    .transaction(async (tx) => {
      await change(tx.db.deleteFrom('invoice_instalments').where('invoice_id', '=', row.id).execute())
    })
    .catch(() => {})
  await assertVerified(books)
})
