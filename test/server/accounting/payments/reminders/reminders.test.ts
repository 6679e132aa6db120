/** Reminders: interest by day against hand-computed cases, the letters, and their history. */
import { expect, test } from 'vitest'
import { overdueTotals } from '../../../../../server/accounting/payments/reminders/reminders.ts'
import { openBooks, refused } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'

const BUSINESS = { clientName: 'Cliente Primero, S.L.', clientNif: 'B87654323' }

/** Creates books with 1,210.00 due on 30 January 2025. */
async function lateBooks(): Promise<{ books: TestBooks; id: string }> {
  const books = await openBooks({ at: '2025-01-10T10:00:00+01:00' })
  const contact = await books.run('contacts.create', {
    name: BUSINESS.clientName,
    nif: BUSINESS.clientNif,
  })
  const { id } = await books.invoice({
    ...BUSINESS,
    clientId: contact.id,
    dueDate: '2025-01-30',
    lines: [{ description: 'Servicio', quantity: 1, unitPrice: 1000 }],
  })
  books.setTime('2025-08-09T10:00:00+02:00')
  return { books, id }
}

/**
 * Computed by hand with the published rates (first half of 2025 11.15 %, second 10.15 %; first half of 2024 12.50 %,
 * second 12.25 %), simple interest on a year of 365 days.
 */
test.each([
  // 31 January to 30 June, 151 days: 1,210 x 0.1115 x 151 / 365 = 55.8141…; 1 July to 9 August, 40 days: 13.4592…
  { open: 121_000, due: '2025-01-30', until: '2025-08-09', paid: [], cents: 5_581 + 1_346 },
  // One day: 100 x 0.1015 / 365 = 0.0278…
  { open: 10_000, due: '2025-07-31', until: '2025-08-01', paid: [], cents: 3 },
  { open: 10_000, due: '2025-08-01', until: '2025-08-01', paid: [], cents: 0 },
  // 500 paid after 61 days (31 January to 1 April): 9.3171…; 710 on all days: 32.7504… and 7.8975…
  {
    open: 71_000,
    due: '2025-01-30',
    until: '2025-08-09',
    paid: [{ date: '2025-04-01', cents: 50_000 }],
    cents: 3_275 + 790 + 932,
  },
  // A debit collected on its day and returned on 20 March (49 days) bears no interest for those 49 days: 1,210 x
  // 0.1115 x 49 / 365 = 18.1118…
  {
    open: 121_000,
    due: '2025-01-30',
    until: '2025-08-09',
    paid: [{ date: '2025-03-20', cents: -121_000 }],
    cents: 5_581 + 1_346 - 1_811,
  },
  // Leap year, 366 days of 2024 on a year of 365: 182 days at 12.50 %: 62.3287…; 184 at 12.25 %: 61.7534…
  { open: 100_000, due: '2023-12-31', until: '2024-12-31', paid: [], cents: 6_233 + 6_175 },
])('interest on $open due $due until $until is $cents', ({ open, due, until, paid, cents }) => {
  const figures = overdueTotals({ openCents: open, dueDate: due, until, paidLate: paid })
  expect(figures.interestCents).toBe(cents)
  expect(figures.recoveryCents).toBe(cents === 0 ? 0 : 4_000)
})

test('overdue customers are listed with interest and the fixed 40 EUR for each invoice', async () => {
  const { books, id } = await lateBooks()
  const { items, totals } = await books.run('payments.reminders', {})
  expect(items).toMatchObject([
    {
      name: BUSINESS.clientName,
      isBusiness: true,
      since: '2025-01-30',
      daysLate: 191,
      amountDue: 1210,
      interest: 69.27,
      recovery: 40,
      total: 1319.27,
      nextLevel: 1,
      invoices: [{ id, reminders: 0, lastReminder: null }],
    },
  ])
  expect(totals).toMatchObject({ total: 1319.27, payers: 1, invoices: 1 })
})

test('no interest is claimed from a natural person by default', async () => {
  const books = await openBooks({ at: '2025-01-10T10:00:00+01:00' })
  const { id } = await books.invoice({
    clientName: 'Ana Ruiz Gil',
    clientNif: '12345678Z',
    dueDate: '2025-01-30',
    lines: [{ description: 'Servicio', quantity: 1, unitPrice: 100 }],
  })
  books.setTime('2025-08-09T10:00:00+02:00')
  expect((await books.run('payments.reminders', {})).items).toMatchObject([
    { isBusiness: false, interest: 0, total: 121 },
  ])
  const letter = await books.run('payments.previewReminder', { invoiceIds: [id], level: 3 })
  expect(letter).toMatchObject({ interest: 0, recovery: 0, total: 121, interestLines: [] })
  expect(letter.text).not.toContain('Ley 3/2004')
})

test('letters become firmer, claim interest from the second on, and are stored', async () => {
  const { books, id } = await lateBooks()
  const first = await books.run('payments.remind', { invoiceIds: [id], channel: 'email' })
  expect(first).toMatchObject({ level: 1, interest: 0, letter: { language: 'es', total: 1210 } })
  expect(first.letter.subject).toBe('Recordatorio de pago: factura T-F2025-0001')
  expect(first.letter.text).toContain('T-F2025-0001')
  const second = await books.run('payments.previewReminder', { invoiceIds: [id] })
  expect(second).toMatchObject({ level: 2, amountDue: 1210, interest: 69.27, recovery: 40, total: 1319.27 })
  expect(second.text).toMatch(/1\.319,27\s€/)
  expect(second.interestLines).toEqual([
    'Del 31/01/2025 al 30/06/2025: 151 días al 11,15 %',
    'Del 01/07/2025 al 09/08/2025: 40 días al 10,15 %',
  ])
  const english = await books.run('payments.previewReminder', { invoiceIds: [id], level: 3, language: 'en' })
  expect(english.subject).toBe('Final notice before legal action: invoice T-F2025-0001')
  expect(english.text).toContain('€1,319.27')
  await books.run('payments.remind', { invoiceIds: [id] })
  expect(
    (await books.run('payments.remindersOf', { id })).items.map((one) => [one.level, one.interest]),
  ).toEqual([
    [2, 69.27],
    [1, 0],
  ])
  expect((await books.run('payments.reminders', {})).items[0]?.nextLevel).toBe(3)
})

test.each([
  ['es', 'Recordatorio de pago: factura', 'hace 191 días'],
  ['ca', 'Recordatori de pagament: factura', 'fa 191 dies'],
  ['eu', 'Ordainketa-gogorarazpena:', '191 eguneko atzerapena'],
  ['gl', 'Recordatorio de pagamento: factura', 'hai 191 días'],
  ['en', 'Payment reminder: invoice', '191 days ago'],
  ['fr', 'Rappel de paiement : facture', 'il y a 191 jours'],
  ['de', 'Zahlungserinnerung: Rechnung', 'vor 191 Tagen'],
  ['pt', 'Lembrete de pagamento: fatura', 'há 191 dias'],
] as const)('a letter is in the language of its customer: %s', async (language, subject, late) => {
  const { books, id } = await lateBooks()
  const [payer] = (await books.run('payments.reminders', {})).items
  await books.run('contacts.update', { id: payer?.contactId ?? '', language })
  expect((await books.run('payments.reminders', {})).items[0]?.language).toBe(language)
  const letter = await books.run('payments.previewReminder', { invoiceIds: [id] })
  expect(letter.language).toBe(language)
  expect(letter.subject).toContain(subject)
  expect(letter.text).toContain(late)
  const kept = await books.run('payments.remind', { invoiceIds: [id] })
  expect(kept.language).toBe(language)
  expect((await books.run('payments.remindersOf', { id })).items[0]?.language).toBe(language)
  // Every level has its own text in this language.
  const levels = [1, 2, 3] as const
  const texts = await Promise.all(
    levels.map((level) => books.run('payments.previewReminder', { invoiceIds: [id], level })),
  )
  expect(new Set(texts.map((one) => one.subject)).size).toBe(levels.length)
})

test('a letter consists of sentences with full dates, without labels', async () => {
  const { books, id } = await lateBooks()
  const letter = await books.run('payments.previewReminder', { invoiceIds: [id], level: 1 })
  const text = letter.text.replaceAll('\u00a0', ' ')
  expect(text).toContain(
    'Factura T-F2025-0001, del 10 de enero de 2025: 1.210,00 €. Venció el 30 de enero de 2025, hace 191 días.',
  )
  expect(text).not.toMatch(/Factura: |Vencimiento: | · /)
  // The total of a single invoice is not repeated.
  expect(text).not.toContain('Total')
  const other = await books.invoice({ ...BUSINESS, dueDate: '2025-08-09' })
  books.setTime('2025-08-20T10:00:00+02:00')
  const two = await books.run('payments.previewReminder', { invoiceIds: [id, other.id], level: 1 })
  expect(two.text).toMatch(/– Factura .*\n– Factura .*\nTotal a pagar: /)
})

test('up to the due date a letter only announces it; afterwards that letter is not available', async () => {
  const books = await openBooks({ at: '2025-01-10T10:00:00+01:00' })
  const { id } = await books.invoice({ ...BUSINESS, dueDate: '2025-01-30' })
  const preview = (level?: number) =>
    books.run('payments.previewReminder', { invoiceIds: [id], ...(level === undefined ? {} : { level }) })
  const before = await preview(0)
  expect(before).toMatchObject({ level: 0, interest: 0, recovery: 0 })
  expect(before.subject).toBe('Próximo vencimiento: factura T-F2025-0001')
  expect(before.text).toContain('Vence el 30 de enero de 2025.')
  books.setTime('2025-01-30T10:00:00+01:00')
  expect((await preview(0)).text).toContain('Vence hoy.')
  expect((await refused(preview(1))).code).toBe('invoice_not_late')
  books.setTime('2025-01-31T10:00:00+01:00')
  expect((await refused(preview(0))).code).toBe('invoice_not_late')
  expect((await preview()).level).toBe(1)
})

test('paid or not overdue invoices get no reminder, and one letter never has two customers', async () => {
  const { books, id } = await lateBooks()
  const other = await books.invoice({
    clientName: 'Ana Ruiz Gil',
    clientNif: '12345678Z',
    dueDate: '2025-08-09',
  })
  const preview = (...invoiceIds: string[]) => books.run('payments.previewReminder', { invoiceIds })
  expect((await refused(preview(other.id))).code).toBe('invoice_not_late')
  books.setTime('2025-08-20T10:00:00+02:00')
  expect((await refused(preview(id, other.id))).details).toMatchObject({
    faults: [{ code: 'several_customers' }],
  })
  await books.run('payments.payInvoice', { id, date: '2025-08-19', amount: 1210, method: 'transfer' })
  expect((await refused(preview(id))).code).toBe('invoice_settled')
})
