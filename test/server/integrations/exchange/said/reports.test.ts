/** What is said of invoices: by a payment, by a person with a yes of two steps, and taken back. */
import { expect, test } from 'vitest'
import { openExchange, OWN_NIF, SUPPLIER_NIF } from '../../../../support/exchange/exchange-books.ts'
import type { ExchangeBooks } from '../../../../support/exchange/exchange-books.ts'
import { remindOfReports } from '../../../../../server/integrations/exchange/index.ts'

const SUPPLIER_INVOICE = { issuerTaxId: SUPPLIER_NIF, number: 'S-1', issueDate: '2027-10-06' }

/** A received invoice that arrived by the platform and was entered. */
async function arrived(
  books: ExchangeBooks,
): Promise<{ documentId: string; receivedId: string; amount: number }> {
  await books.deliver('S-1', '2027-10-06')
  await books.turn()
  const received = await books.run('received.create', {
    supplierName: 'Proveedor, S.A.',
    supplierNif: SUPPLIER_NIF,
    supplierNumber: 'S-1',
    issueDate: '2027-10-06',
    receptionDate: '2027-10-07',
    dueDate: '2027-11-06',
    taxLines: [{ base: 100, vatRate: 21 }],
  })
  await books.turn()
  const { items } = await books.run('exchange.list', { receivedId: received.id })
  return { documentId: items[0]?.id ?? '', receivedId: received.id, amount: 121 }
}

const statuses = (books: ExchangeBooks) =>
  books.platform.find(SUPPLIER_INVOICE)?.statuses.map(({ kind, date }) => `${kind} ${date}`)

test('a payment that completes a purchase is reported with its day and the end of the term; a partial one is not', async () => {
  const books = await openExchange()
  const { documentId, receivedId } = await arrived(books)
  const pay = (amount: number, date: string) =>
    books.run('payments.payReceived', { id: receivedId, amount, date, method: 'transfer' })
  await pay(100, '2027-10-07')
  await books.turn()
  expect(statuses(books)).toEqual([])
  books.setTime('2027-10-11T10:00:00Z')
  await pay(21, '2027-10-11')
  await books.turn()
  expect(statuses(books)).toEqual(['paid 2027-10-11'])
  expect(books.platform.find(SUPPLIER_INVOICE)?.statuses[0]).toMatchObject({
    role: 'recipient',
    dueDate: '2027-11-06',
  })
  const document = await books.run('exchange.get', { id: documentId })
  expect(document).toMatchObject({ state: 'paid', said: 'paid', saidDay: '2027-10-11' })
  expect(document.reports).toMatchObject([
    { kind: 'paid', state: 'admitted', byMachine: true, lastDay: '2027-10-18' },
  ])
})

test('undoing the payment cancels the report; another day is a cancellation and a new report', async () => {
  const books = await openExchange()
  const { documentId, receivedId, amount } = await arrived(books)
  const first = await books.run('payments.payReceived', {
    id: receivedId,
    amount,
    date: '2027-10-07',
    method: 'transfer',
  })
  await books.turn()
  books.setTime('2027-10-12T10:00:00Z')
  await books.run('payments.delete', { id: first.id })
  await books.turn()
  expect((await books.run('exchange.get', { id: documentId })).state).toBe('open')
  await books.run('payments.payReceived', { id: receivedId, amount, date: '2027-10-08', method: 'transfer' })
  await books.turn()
  expect(statuses(books)).toEqual(['paid 2027-10-07', 'payment_cancelled 2027-10-12', 'paid 2027-10-08'])
})

test('what has not left is taken back without a word', async () => {
  const books = await openExchange()
  const { documentId, receivedId, amount } = await arrived(books)
  books.platform.faults.push('down')
  const { id } = await books.run('payments.payReceived', {
    id: receivedId,
    amount,
    date: '2027-10-07',
    method: 'transfer',
  })
  await books.run('payments.delete', { id })
  await books.quiet()
  expect(statuses(books)).toEqual([])
  expect((await books.run('exchange.get', { id: documentId })).state).toBe('open')
})

test('a rejection needs its reason and a yes, and is said once', async () => {
  const books = await openExchange()
  const { documentId: id } = await arrived(books)
  await expect(books.run('exchange.prepare', { id, kind: 'rejected' })).rejects.toMatchObject({
    code: 'validation_failed',
  })
  const shown = await books.run('exchange.prepare', {
    id,
    kind: 'rejected',
    reason: 'commercial',
    note: 'No es nuestra',
  })
  expect(shown).toMatchObject({ kind: 'rejected', day: '2027-10-07', lastDay: '2027-10-14', warnings: [] })
  const { confirmationToken } = shown
  await expect(books.run('exchange.report', { id })).rejects.toMatchObject({ code: 'confirmation_required' })
  await expect(books.run('exchange.withdraw', { id, confirmationToken })).rejects.toMatchObject({
    code: 'confirmation_invalid',
  })
  await books.run('exchange.report', { id, confirmationToken })
  // The same yes twice.
  const again = await books.run('exchange.report', { id, confirmationToken })
  expect(again.reports).toHaveLength(1)
  expect(again).toMatchObject({ state: 'rejected', mayReport: [] })
  await books.turn()
  expect(statuses(books)).toEqual(['rejected 2027-10-07'])
  const back = await books.run('exchange.prepare', { id, kind: 'cancel' })
  expect(back.kind).toBe('rejection_cancelled')
  await books.run('exchange.cancelReport', { id, confirmationToken: back.confirmationToken })
  await books.turn()
  expect(statuses(books)).toEqual(['rejected 2027-10-07', 'rejection_cancelled 2027-10-07'])
  expect((await books.run('exchange.get', { id })).state).toBe('open')
})

test('a yes does not outlive what was shown', async () => {
  const books = await openExchange()
  const { documentId: id, receivedId, amount } = await arrived(books)
  const { confirmationToken } = await books.run('exchange.prepare', { id, kind: 'paid' })
  await books.run('payments.payReceived', { id: receivedId, amount, date: '2027-10-07', method: 'transfer' })
  await books.turn()
  await expect(books.run('exchange.report', { id, confirmationToken })).rejects.toMatchObject({
    code: 'confirmation_stale',
  })
  const other = await books.run('exchange.prepare', { id, kind: 'cancel' })
  books.goOn(11 * 60_000)
  await expect(
    books.run('exchange.cancelReport', { id, confirmationToken: other.confirmationToken }),
  ).rejects.toMatchObject({ code: 'confirmation_expired' })
})

test('a payment of a rejected invoice waits for a person', async () => {
  const books = await openExchange()
  const { documentId: id, receivedId, amount } = await arrived(books)
  const { confirmationToken } = await books.run('exchange.prepare', {
    id,
    kind: 'rejected',
    reason: 'private',
  })
  await books.run('exchange.report', { id, confirmationToken })
  await books.run('payments.payReceived', { id: receivedId, amount, date: '2027-10-07', method: 'transfer' })
  await books.turn()
  expect(statuses(books)).toEqual(['rejected 2027-10-07'])
  expect(await books.run('exchange.get', { id })).toMatchObject({ why: 'paid_though_rejected' })
  expect((await books.run('exchange.due', {})).troubles.map((row) => row.id)).toEqual([id])
})

test('what the customer says is written as it comes, each time once', async () => {
  const books = await openExchange()
  const invoice = await books.invoice()
  await books.turn()
  const code = { issuerTaxId: OWN_NIF, number: invoice.number ?? '', issueDate: invoice.issueDate ?? '' }
  const say = (kind: 'rejected' | 'rejection_cancelled' | 'paid', date: string) =>
    books.platform.sayAs('B87654323', 'recipient', { kind, invoice: code, date })
  expect(say('rejected', '2027-10-07')).toBe('200')
  await books.quiet()
  expect(await books.documentOf(invoice.id)).toMatchObject({
    partnerSaid: 'rejected',
    partnerDay: '2027-10-07',
  })
  expect((await books.run('exchange.due', {})).troubles).toHaveLength(1)
  say('rejection_cancelled', '2027-10-08')
  say('paid', '2027-10-08')
  await books.quiet()
  const document = await books.documentOf(invoice.id)
  expect(document).toMatchObject({ partnerSaid: 'paid', partnerDay: '2027-10-08', mayWithdraw: false })
  expect(document.facts.map(({ fact }) => fact).filter((fact) => fact.startsWith('partner'))).toEqual([
    'partner_rejected',
    'partner_rejection_cancelled',
    'partner_paid',
  ])
})

test('an invoice whose operation never existed is withdrawn, and nothing is said of it any more', async () => {
  const books = await openExchange()
  const invoice = await books.invoice()
  await books.turn()
  const { id } = await books.documentOf(invoice.id)
  const shown = await books.run('exchange.prepare', { id, kind: 'withdrawn' })
  expect(shown.warnings).toEqual(['only_if_never_existed'])
  books.platform.faults.push('lost_after')
  await books.run('exchange.withdraw', { id, confirmationToken: shown.confirmationToken })
  await books.turn()
  expect((await books.documentOf(invoice.id)).state).toBe('admitted')
  await books.quiet()
  expect(await books.documentOf(invoice.id)).toMatchObject({
    state: 'withdrawn',
    mayReport: [],
    mayWithdraw: false,
  })
  expect(books.platform.calls.filter((name) => name === 'withdraw')).toHaveLength(1)
  await books.run('payments.payInvoice', {
    id: invoice.id,
    amount: invoice.amountDue,
    date: '2027-10-07',
    method: 'cash',
  })
  await books.quiet()
  expect(books.platform.held[0]?.statuses).toEqual([])
})

test('a withdrawal by the supplier ends what was to be said', async () => {
  const books = await openExchange()
  const { documentId, receivedId, amount } = await arrived(books)
  books.platform.withdrawAs(SUPPLIER_NIF, SUPPLIER_INVOICE)
  await books.quiet()
  expect((await books.run('exchange.get', { id: documentId })).state).toBe('withdrawn')
  await books.run('payments.payReceived', { id: receivedId, amount, date: '2027-10-07', method: 'transfer' })
  await books.quiet()
  expect(books.platform.calls).not.toContain('report')
})

test('reminders come before the last day, and once it is over, each once', async () => {
  const books = await openExchange()
  const { documentId, receivedId, amount } = await arrived(books)
  await books.run('payments.payReceived', { id: receivedId, amount, date: '2027-10-07', method: 'transfer' })
  for (let at = 0; at < 40; at += 1) books.platform.faults.push('down')
  await books.turn()
  const told: string[] = []
  for (let day = 7; day <= 16; day += 1) {
    books.setTime(`2027-10-${String(day).padStart(2, '0')}T09:00:00Z`)
    await remindOfReports(books.test)
    await remindOfReports(books.test)
    const { items } = await books.run('audit.list', { limit: 50 })
    told.push(
      `${day}: ${items.filter(({ action }) => action === 'exchange.due_soon' || action === 'exchange.overdue').length}`,
    )
  }
  // The last day is Thursday 14 October: the 12th is a holiday.
  expect(told).toEqual([
    '7: 0',
    '8: 0',
    '9: 0',
    '10: 0',
    '11: 1',
    '12: 1',
    '13: 2',
    '14: 3',
    '15: 4',
    '16: 4',
  ])
  const due = await books.run('exchange.due', {})
  expect(due.late).toBe(1)
  expect(due.reports).toMatchObject([{ document: { id: documentId }, report: { isLate: true } }])
})
