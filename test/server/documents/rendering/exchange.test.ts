/** The document of the exchange of an issued invoice: what the books know beside its content. */
import { expect, test } from 'vitest'
import { checkExchangeInvoice, readInvoiceCode } from '../../../../server/documents/e-invoice/index.ts'
import { CLIENT_ADDRESS, openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'

async function documentOf(world: TestBooks, id: string): Promise<string> {
  const { bytes, fileName } = await world.run('invoices.pdf', { id, format: 'ubl25' })
  expect(fileName).toMatch(/-ubl25\.xml$/)
  const xml = Buffer.from(bytes).toString('utf8')
  expect(checkExchangeInvoice(xml)).toEqual([])
  return xml
}

const COMPLETE = { client: { address: CLIENT_ADDRESS } }

test('it has the code of the registry, and the day on which it was paid when it was issued', async () => {
  const world = await openBooks()
  const { id, issueDate, total } = await world.invoice(COMPLETE)
  const date = issueDate ?? ''
  const open = await documentOf(world, id)
  expect(open).toMatch(/<cbc:ID>QR<\/cbc:ID><cbc:UUID>https:\/\/[^<]+ValidarQR[^<]+numserie=T-F2026-0001/)
  expect(readInvoiceCode(open)).toMatchObject({ number: 'T-F2026-0001', issueDate: date, paidOn: null })
  await world.run('payments.payInvoice', { id, amount: total - 1, date, method: 'transfer' })
  expect(readInvoiceCode(await documentOf(world, id)).paidOn).toBe(null)
  await world.run('payments.payInvoice', { id, amount: 1, date, method: 'transfer' })
  expect(readInvoiceCode(await documentOf(world, id)).paidOn).toBe(date)
})

test('a payment after the issue, or before the operation, does not count as reported', async () => {
  const world = await openBooks()
  const { id, total, issueDate } = await world.invoice(COMPLETE)
  world.setTime('2027-01-11T10:00:00+01:00')
  await world.run('payments.payInvoice', { id, amount: total, date: '2027-01-11', method: 'transfer' })
  expect(issueDate).not.toBe('2027-01-11')
  expect(await documentOf(world, id)).not.toContain('PaidDate')
})

test('without a complete address of the customer there is none, and the reason says so', async () => {
  const world = await openBooks()
  const { id } = await world.invoice()
  await expect(world.run('invoices.pdf', { id, format: 'ubl25' })).rejects.toMatchObject({
    code: 'format_unavailable',
    details: { format: 'ubl25', why: 'customer_address_incomplete' },
  })
  await expect(world.run('invoices.pdf', { id, format: 'peppol' })).rejects.toMatchObject({
    details: { why: 'customer_reference_missing' },
  })
})
