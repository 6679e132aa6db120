/** Sending to the platform: each invoice once, whatever is lost or killed; refused ones wait for a person. */
import { expect, test } from 'vitest'
import { ASSUMPTIONS } from '../../../../../server/documents/e-invoice/index.ts'
import { CLIENT_ADDRESS } from '../../../../support/books.ts'
import { openExchange, OWN_NIF } from '../../../../support/exchange/exchange-books.ts'
import type { ExchangeBooks } from '../../../../support/exchange/exchange-books.ts'
import type { Fault } from '../../../../support/exchange/memory-platform.ts'

const factsOf = async (books: ExchangeBooks, id: string): Promise<string[]> =>
  (await books.documentOf(id)).facts.map(({ fact }) => fact)

test('an issued invoice goes to the platform once, and its exact bytes and answer are stored', async () => {
  const books = await openExchange()
  const invoice = await books.invoice()
  await books.turn()
  const document = await books.documentOf(invoice.id)
  expect(document).toMatchObject({
    state: 'admitted',
    direction: 'issued',
    issuerNif: OWN_NIF,
    number: invoice.number,
    hasFile: true,
    locator: expect.stringContaining('LOCGENV1'),
    csv: expect.stringMatching(/^CSV/),
    mayReport: ['settled', 'defaulted'],
    mayWithdraw: true,
  })
  expect(document.facts.map(({ fact }) => fact)).toEqual(['queued', 'sent', 'admitted'])
  const file = await books.run('exchange.file', { id: document.id })
  expect(Buffer.from(file.bytes)).toEqual(Buffer.from(books.platform.held[0]!.xml))
  const messageId = document.facts.find(({ fact }) => fact === 'sent')?.messageId ?? ''
  const answer = await books.run('exchange.message', { id: messageId })
  expect(Buffer.from(answer.bytes).toString('utf8')).toContain(document.csv)
  await books.quiet()
  expect(books.platform.calls.filter((name) => name === 'send')).toHaveLength(1)
})

test.each<[Fault, number]>([
  ['lost_before', 2],
  ['lost_after', 1],
  ['dies_before', 2],
  ['dies_after', 1],
  ['down', 2],
  ['throttled', 2],
])('%s: the invoice is there once, after %i messages', async (fault, messages) => {
  const books = await openExchange()
  const invoice = await books.invoice()
  books.platform.faults.push(fault)
  await books.turn()
  expect((await books.documentOf(invoice.id)).state).toBe(
    fault === 'down' || fault === 'throttled' ? 'to_send' : 'sent_unknown',
  )
  await books.quiet()
  expect((await books.documentOf(invoice.id)).state).toBe('admitted')
  expect(books.platform.held).toHaveLength(1)
  expect(books.platform.calls.filter((name) => name === 'send')).toHaveLength(messages)
})

test('the pause that the platform asks for is kept', async () => {
  const books = await openExchange()
  await books.invoice()
  books.platform.faults.push('throttled')
  await books.turn()
  const due = await books.run('exchange.due', {})
  expect(due.fault).toMatchObject({ code: 'throttled' })
  await books.run('exchange.poll', {})
  books.goOn(100_000)
  await books.turn()
  expect(books.platform.calls.filter((name) => name === 'send')).toHaveLength(1)
  books.goOn(25_000)
  await books.turn()
  expect(books.platform.held).toHaveLength(1)
  expect((await books.run('exchange.due', {})).fault).toBeNull()
})

test('a duplicate of our own is recognized by its bytes; another invoice under the number is refused', async () => {
  const books = await openExchange()
  const first = await books.invoice()
  books.platform.faults.push('lost_after')
  await books.turn()
  const held = books.platform.held[0]!
  // Somebody else's program has presented something under the same number meanwhile.
  held.xml = new Uint8Array(Buffer.from('<Invoice/>'))
  await books.quiet()
  expect(await books.documentOf(first.id)).toMatchObject({
    state: 'refused',
    why: 'other_invoice_there',
    maySend: true,
  })
})

test('a refused invoice waits for a person, who sends it again once it can be', async () => {
  const books = await openExchange()
  const [good, bad] = [await books.invoice(), await books.invoice()]
  books.platform.refused.set(bad.number ?? '', 'SPFE-GEN-45')
  await books.turn()
  expect((await books.documentOf(good.id)).state).toBe('admitted')
  const document = await books.documentOf(bad.id)
  expect(document).toMatchObject({ state: 'refused', why: 'SPFE-GEN-45' })
  expect((await books.run('exchange.due', {})).troubles.map(({ id }) => id)).toEqual([document.id])
  await books.quiet()
  expect(books.platform.calls.filter((name) => name === 'send')).toHaveLength(1)
  books.platform.refused.clear()
  await books.run('exchange.retry', { id: document.id })
  await books.turn()
  expect((await books.documentOf(bad.id)).state).toBe('admitted')
  expect(await factsOf(books, bad.id)).toEqual([
    'queued',
    'sent',
    'answer_lost',
    'refused',
    'queued',
    'sent',
    'admitted',
  ])
})

test('invoices leave in the order of their issue, and nothing passes one of unknown outcome', async () => {
  const books = await openExchange()
  const first = await books.invoice()
  books.platform.faults.push('lost_before')
  await books.turn()
  const second = await books.invoice()
  await books.turn()
  expect(books.platform.held).toHaveLength(0)
  await books.quiet()
  expect(books.platform.held.map(({ code }) => code.number)).toEqual([first.number, second.number])
})

const ABROAD = {
  clientName: 'Kunde GmbH',
  clientNif: 'DE123456789',
  client: { country: 'DE', idType: '02' as const, address: { ...CLIENT_ADDRESS, country: 'DE' } },
}

test.each([
  ['customer_abroad', ABROAD],
  ['public_body', { clientName: 'Ayuntamiento', clientNif: 'P2807900B' }],
  ['business_not_stated', { clientName: 'Ana Ruiz', clientNif: '12345678Z' }],
] as const)('%s: the invoice is not sent, and says why', async (why, changes) => {
  const books = await openExchange()
  const invoice = await books.invoice(changes as Parameters<typeof books.invoice>[0])
  await books.turn()
  expect(await books.documentOf(invoice.id)).toMatchObject({ state: 'not_due', why })
  expect(books.platform.calls).not.toContain('send')
})

test('a customer with a private platform gets no original from here, or a copy if so agreed', async () => {
  const books = await openExchange()
  const { id } = await books.run('contacts.create', {
    name: 'Cliente',
    nif: 'B87654323',
    address: CLIENT_ADDRESS,
  })
  const invoiceTo = async (clientId: string) => {
    const draft = await books.run('invoices.create', {
      clientId,
      clientName: 'Cliente',
      lines: [{ description: 'Servicio', quantity: 1, unitPrice: 100 }],
    })
    return books.issue(draft.id)
  }
  await books.run('exchange.setContact', { id, channel: 'other', agreedOn: '2027-10-01', platformName: 'X' })
  const other = await invoiceTo(id)
  await books.turn()
  await books.run('exchange.setContact', { id, channel: 'copy' })
  const copy = await invoiceTo(id)
  await books.turn()
  expect(await books.documentOf(other.id)).toMatchObject({ state: 'not_due', why: 'other_platform' })
  expect(await books.documentOf(copy.id)).toMatchObject({ state: 'admitted', isCopy: true })
  expect(books.platform.held.map((held) => held.copy)).toEqual([true])
  await expect(
    books.run('exchange.setContact', { id, channel: 'other', agreedOn: null }),
  ).rejects.toMatchObject({ code: 'validation_failed' })
})

test('killed at any transaction of a turn, each invoice is there once', async () => {
  for (const after of [false, true])
    for (let nth = 1; nth <= 8; nth += 1) {
      const books = await openExchange()
      const invoices = [await books.invoice(), await books.invoice()]
      await books.run('payments.payInvoice', {
        id: invoices[0]!.id,
        amount: invoices[0]!.amountDue,
        date: '2027-10-07',
        method: 'transfer',
      })
      books.killAt(nth, after)
      await books.turn()
      await books.quiet()
      expect(books.platform.held.map(({ code }) => code.number)).toEqual(invoices.map(({ number }) => number))
      expect(books.platform.held[0]!.statuses.map(({ kind }) => kind)).toEqual(['settled'])
      for (const { id } of invoices) expect((await books.documentOf(id)).state).toBe('admitted')
    }
}, 120_000)

test('a live book cannot be turned on while something is not published', async () => {
  const books = await openExchange()
  const settings = await books.run('exchange.settings', {}, books.live)
  expect(settings).toMatchObject({ sending: false, mayBeOn: false })
  const { items, liveIsClosed } = await books.run('exchange.assumptions', {}, books.live)
  expect(liveIsClosed).toBe(true)
  expect(items).toEqual(ASSUMPTIONS)
  // The refusal names all that blocks it, whatever else is changed with it.
  for (const change of [{ sending: true }, { sending: true, turnover: 'above' as const }])
    await expect(books.run('exchange.setSettings', change, books.live)).rejects.toMatchObject({
      code: 'exchange_live_closed',
      field: 'sending',
      details: { assumptions: items.filter(({ blocks }) => blocks === 'live').map(({ id }) => id) },
    })
  expect(await books.run('exchange.settings', {}, books.live)).toEqual(settings)
})
