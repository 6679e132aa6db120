/** What arrives: fetched once, kept byte for byte, handed to the purchases; files by hand do the same. */
import { expect, test } from 'vitest'
import { statusXml } from '../../../../../server/integrations/exchange/formats.ts'
import { openExchange, OWN_NIF, SUPPLIER_NIF } from '../../../../support/exchange/exchange-books.ts'
import { exchangeInvoice } from '../../../../support/exchange/exchange-invoices.ts'

test('an invoice that arrived waits to be entered, with its original', async () => {
  const books = await openExchange()
  await books.deliver('S-1', '2027-10-06')
  await books.turn()
  const { items } = await books.run('exchange.list', { direction: 'received' })
  expect(items).toMatchObject([{ state: 'open', issuerNif: SUPPLIER_NIF, number: 'S-1' }])
  const file = await books.run('exchange.file', { id: items[0]?.id ?? '' })
  expect(Buffer.from(file.bytes)).toEqual(Buffer.from(books.platform.held[0]!.xml))
  const { items: incoming } = await books.run('incoming.list', {})
  expect(incoming.map(({ id }) => id)).toEqual([items[0]?.incomingId])
  expect((await books.run('exchange.due', {})).open).toHaveLength(1)
  await books.quiet()
  expect(books.platform.calls.filter((name) => name === 'download')).toHaveLength(1)
})

test('what awaits an answer beyond the first 200 is counted, not listed', async () => {
  const books = await openExchange()
  const numbers = Array.from({ length: 203 }, (_, index) => `S-${index}`)
  const take = (number: string) => {
    const xml = exchangeInvoice({
      number,
      date: '2027-10-06',
      seller: { nif: SUPPLIER_NIF, name: 'SUMINISTROS' },
      buyer: { nif: OWN_NIF, name: 'TALLERES' },
    })
    return books.run('exchange.importFile', { name: 's.xml', content: Buffer.from(xml).toString('base64') })
  }
  // Few files may wait to be read at one time.
  for (let from = 0; from < numbers.length; from += 8)
    await Promise.all(numbers.slice(from, from + 8).map(take))
  const before = await books.run('exchange.due', {})
  expect(before.open).toHaveLength(200)
  expect(before.counts).toEqual({ reports: 0, open: 203, troubles: 0 })
  for (const { id } of before.open.slice(0, 2)) {
    const { confirmationToken } = await books.run('exchange.prepare', {
      id,
      kind: 'rejected',
      reason: 'commercial',
    })
    await books.run('exchange.report', { id, confirmationToken })
  }
  const after = await books.run('exchange.due', {})
  expect(after.counts).toEqual({ reports: 2, open: 201, troubles: 0 })
  expect(after).toMatchObject({ late: 0, dueSoon: 0 })
  expect((await books.run('exchange.window', { state: 'open', limit: 10, offset: 195 })).items).toHaveLength(
    6,
  )
}, 60_000)

test('the same file by hand is the same invoice, before and after the platform', async () => {
  const books = await openExchange()
  await books.deliver('S-1', '2027-10-06')
  const content = Buffer.from(books.platform.held[0]!.xml).toString('base64')
  const first = await books.run('exchange.importFile', { name: 's.xml', content })
  expect(first).toMatchObject({ kind: 'invoice', unknown: [], incomingId: expect.any(String) })
  await books.turn()
  const again = await books.run('exchange.importFile', { name: 's.xml', content })
  expect(again.documents.map(({ id }) => id)).toEqual(first.documents.map(({ id }) => id))
  expect((await books.run('incoming.list', {})).items).toHaveLength(1)
  expect((await books.run('exchange.get', { id: first.documents[0]?.id ?? '' })).locator).not.toBeNull()
})

test('a purchase that was entered before its invoice arrives is the same one', async () => {
  const books = await openExchange()
  const received = await books.run('received.create', {
    supplierName: 'Proveedor, S.A.',
    supplierNif: SUPPLIER_NIF,
    supplierNumber: 'S-1',
    issueDate: '2027-10-07',
    receptionDate: '2027-10-07',
    taxLines: [{ base: 100, vatRate: 21 }],
  })
  await books.turn()
  await books.deliver('S-1', '2027-10-07')
  await books.quiet()
  const { items } = await books.run('exchange.list', { direction: 'received' })
  expect(items).toMatchObject([{ receivedId: received.id, state: 'open' }])
  expect(await books.run('exchange.get', { id: items[0]?.id ?? '' })).toMatchObject({ hasFile: true })
})

test('statuses by hand count if they are of the other party, and name what is not here', async () => {
  const books = await openExchange()
  const invoice = await books.invoice()
  await books.turn()
  const report = (senderTaxId: string, number: string) =>
    statusXml({
      id: 'm-1',
      role: 'recipient',
      senderTaxId,
      issuedAt: '2027-10-07T10:00:00.000Z',
      reports: [
        {
          kind: 'paid',
          invoice: { issuerTaxId: OWN_NIF, number, issueDate: invoice.issueDate ?? '' },
          date: '2027-10-07',
          dueDate: '2027-11-06',
        },
      ],
    })
  const take = async (xml: string) =>
    books.run('exchange.importFile', { name: 'e.xml', content: Buffer.from(xml).toString('base64') })
  const number = invoice.number ?? ''
  expect(await take(await report('A58818501', number))).toMatchObject({
    documents: [],
    unknown: [{ number }],
  })
  expect(await take(await report('B87654323', 'F-OTRA'))).toMatchObject({ unknown: [{ number: 'F-OTRA' }] })
  for (let times = 0; times < 2; times += 1)
    expect((await take(await report('B87654323', number))).documents).toMatchObject([{ partnerSaid: 'paid' }])
  const { facts } = await books.documentOf(invoice.id)
  expect(facts.filter(({ fact }) => fact === 'partner_paid')).toHaveLength(1)
})

test.each([
  ['no XML at all', 'hola'],
  ['another document', '<?xml version="1.0"?><Order xmlns="urn:x"/>'],
  ['an entity', '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
])('a file that is %s is refused, and nothing of it is kept', async (_what, text) => {
  const books = await openExchange()
  await expect(
    books.run('exchange.importFile', { name: 'x.xml', content: Buffer.from(text).toString('base64') }),
  ).rejects.toMatchObject({ code: 'exchange_file_unreadable' })
  expect((await books.run('exchange.list', {})).items).toEqual([])
})

test('the reports that wait can be handed over as a file, and the answer is taken in', async () => {
  const books = await openExchange()
  await books.deliver('S-1', '2027-10-06')
  await books.turn()
  const { items } = await books.run('exchange.list', { direction: 'received' })
  const id = items[0]?.id ?? ''
  const { confirmationToken } = await books.run('exchange.prepare', {
    id,
    kind: 'rejected',
    reason: 'commercial',
  })
  await books.run('exchange.report', { id, confirmationToken })
  const file = await books.run('exchange.exportStatus', { role: 'recipient' })
  expect(Buffer.from(file.bytes).toString('utf8')).toContain('S-1')
  await expect(books.run('exchange.exportStatus', { role: 'issuer' })).rejects.toMatchObject({
    code: 'not_found',
  })
})
