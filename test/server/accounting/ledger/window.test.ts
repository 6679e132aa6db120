/** Journal by position: the same entries as by page, with the number of matches. */
import { expect, test } from 'vitest'
import { openBooks } from '../../../support/books.ts'

test('ranges joined together are the whole journal, newest day first', async () => {
  const world = await openBooks()
  for (let index = 0; index < 5; index++) await world.invoice()
  await world.run('ledger.writeEntry', {
    date: world.test.today(),
    text: 'Aportación',
    lines: [
      { account: '572', debit: 100 },
      { account: '118', credit: 100 },
    ],
  })
  const all = (await world.run('ledger.journal', { limit: 100 })).items
  expect(all.length).toBeGreaterThanOrEqual(6)
  const found: typeof all = []
  for (let offset = 0; offset < all.length; offset += 4) {
    const page = await world.run('ledger.journalWindow', { offset, limit: 4 })
    expect(page.count).toBe(all.length)
    found.push(...page.items)
  }
  expect(found).toEqual(all)
  const byHand = await world.run('ledger.journalWindow', { source: 'manual' })
  expect(byHand.count).toBe(1)
  expect(byHand.items[0]?.text).toBe('Aportación')
  expect(await world.run('ledger.journalWindow', { to: '2001-01-01' })).toEqual({ items: [], count: 0 })
  expect((await world.run('ledger.journalWindow', {}, world.live)).count).toBe(0)
})

test('a payment shows its direction, its document and its party', async () => {
  const world = await openBooks()
  const invoice = await world.invoice()
  await world.run('payments.payInvoice', {
    id: invoice.id,
    date: world.test.today(),
    amount: invoice.total,
    method: 'transfer',
  })
  const received = await world.run('received.create', {
    supplierName: 'Suministros Norte, S.L.',
    supplierNif: 'B87654323',
    supplierNumber: 'A-77',
    issueDate: world.test.today(),
    taxLines: [{ base: 200, vatRate: 21 }],
  })
  await world.run('payments.payReceived', {
    id: received.id,
    date: world.test.today(),
    amount: 242,
    method: 'transfer',
    reference: 'SEPA 12',
  })
  const { items } = await world.run('ledger.journalWindow', { source: 'payment' })
  expect(items.map(({ source: { direction, label, party } }) => [direction, label, party])).toEqual([
    ['out', 'SEPA 12', 'Suministros Norte, S.L.'],
    ['in', invoice.number, invoice.client?.name],
  ])
  const file = await world.run('ledger.export', { what: 'journal', format: 'csv', year: 2026 })
  expect(new TextDecoder().decode(file.bytes)).toContain('Pago · Suministros Norte, S.L.')
})
