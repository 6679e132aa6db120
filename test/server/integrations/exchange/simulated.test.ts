/** A test book and its own simulated platform, whose memory is the book's: the whole way over real messages. */
import { expect, test } from 'vitest'
import { createSystemCtx } from '../../../../server/context.ts'
import { exchangeTurn } from '../../../../server/integrations/exchange/sending/turn.ts'
import { portFor } from '../../../../server/integrations/exchange/index.ts'
import { simulatedPort } from '../../../../server/integrations/exchange/simulated.ts'
import { createPlatformFaultControl } from '../../../../server/integrations/exchange/simulator/index.ts'
import { CLIENT_ADDRESS, openBooks } from '../../../support/books.ts'
import { exchangeInvoice } from '../../../support/exchange/exchange-invoices.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'

test('a test book sends, collects and withdraws at its platform, and a restart forgets nothing', async () => {
  const books = await openBooks({ at: '2027-10-07T10:00:00Z' })
  await books.run('exchange.setSettings', { sending: true })
  const turn = () => exchangeTurn(createSystemCtx(books.env, books.books.test), (ctx) => portFor(ctx))
  const documentOf = async (invoiceId: string) => {
    const { items } = await books.run('exchange.list', { invoiceId })
    return books.run('exchange.get', { id: items[0]?.id ?? '' })
  }
  const invoice = await books.invoice({
    client: { address: CLIENT_ADDRESS },
  })
  await turn()
  expect(await documentOf(invoice.id)).toMatchObject({ state: 'admitted' })
  await books.restart()
  await books.run('payments.payInvoice', {
    id: invoice.id,
    amount: invoice.amountDue,
    date: '2027-10-07',
    method: 'cash',
  })
  await turn()
  const document = await documentOf(invoice.id)
  expect(document).toMatchObject({ said: 'settled', reports: [{ state: 'admitted' }] })
  const port = await simulatedPort(books.test)
  const code = { issuerTaxId: EXAMPLE_COMPANY.nif, number: invoice.number ?? '', issueDate: '2027-10-07' }
  const { found } = await port.find({ role: 'issuer', codes: [code] })
  expect(found.map(({ statuses }) => statuses.map(({ kind }) => kind))).toEqual([['settled']])
})

test('an answer that the platform loses is found by asking', async () => {
  const books = await openBooks({ at: '2027-10-07T10:00:00Z' })
  await books.run('exchange.setSettings', { sending: true })
  const faults = createPlatformFaultControl()
  const turn = () =>
    exchangeTurn(createSystemCtx(books.env, books.books.test), async (ctx) => ({
      port: await simulatedPort(ctx, faults),
      why: null,
    }))
  const invoice = await books.invoice({
    client: { address: CLIENT_ADDRESS },
  })
  faults.next({ kind: 'drop_reply' })
  await turn()
  const listed = async () => (await books.run('exchange.list', { invoiceId: invoice.id })).items[0]
  expect(await listed()).toMatchObject({ state: 'sent_unknown' })
  books.setTime('2027-10-07T10:05:00Z')
  await turn()
  expect(await listed()).toMatchObject({ state: 'admitted' })
})

test('what is said of an invoice that was taken in by hand reaches the platform of a test book', async () => {
  const books = await openBooks({ at: '2027-10-07T10:00:00Z' })
  await books.run('exchange.setSettings', { sending: true })
  const turn = () => exchangeTurn(createSystemCtx(books.env, books.books.test), (ctx) => portFor(ctx))
  const xml = exchangeInvoice({
    number: 'PROV-1',
    date: '2027-10-05',
    seller: { nif: 'A58818501', name: 'SUMINISTROS DEL EBRO SA' },
    buyer: { nif: EXAMPLE_COMPANY.nif, name: 'TALLERES' },
  })
  const { documents } = await books.run('exchange.importFile', {
    name: 'p.xml',
    content: Buffer.from(xml).toString('base64'),
  })
  expect(documents[0]).toMatchObject({ partnerNif: 'A58818501', partnerName: 'SUMINISTROS DEL EBRO SA' })
  const id = documents[0]?.id ?? ''
  const { confirmationToken } = await books.run('exchange.prepare', {
    id,
    kind: 'rejected',
    reason: 'commercial',
  })
  await books.run('exchange.report', { id, confirmationToken })
  await turn()
  expect(await books.run('exchange.get', { id })).toMatchObject({
    state: 'rejected',
    reports: [{ kind: 'rejected', state: 'admitted' }],
  })
  // It arrives as it does from others, and is the same invoice.
  books.setTime('2027-10-07T11:00:00Z')
  await turn()
  const { items } = await books.run('exchange.list', {})
  expect(items.map(({ number, state }) => ({ number, state }))).toEqual([
    { number: 'PROV-1', state: 'rejected' },
  ])
  expect((await books.run('exchange.get', { id })).locator).toMatch(/^LOCGENV1/)
})

test('a live book has no platform while something is not published', async () => {
  const books = await openBooks()
  expect(await portFor(books.live)).toEqual({ port: null, why: 'live_closed' })
})
