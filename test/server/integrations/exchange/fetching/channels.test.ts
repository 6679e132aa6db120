/** One invoice by the platform and by other channels: one purchase with both, each file as it came, duties begun once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDocumentPool } from '../../../../../server/documents/rendering/index.ts'
import type { DocumentJob, DocumentPool } from '../../../../../server/documents/rendering/index.ts'
import { addDocument } from '../../../../../server/purchases/incoming/index.ts'
import { verifyExchange } from '../../../../../server/integrations/exchange/index.ts'
import { openExchange, OWN_NIF, SUPPLIER_NIF } from '../../../../support/exchange/exchange-books.ts'
import { readIncoming } from '../../../../support/examples/incoming.ts'
import { EXAMPLE_COMPANY } from '../../../../support/store.ts'

let pool: DocumentPool
beforeAll(() => {
  pool = createDocumentPool()
})
afterAll(() => pool.close())

/** A supplier's invoice to the company: the original of the platform, and the PDF with CII inside of its mail. */
async function opened() {
  const books = await openExchange('2027-10-07T10:00:00Z', {
    environment: { documents: { make: (job) => pool.make(job as DocumentJob) } },
  })
  const own = books.test
  const supplier = await books.company({ legalName: 'Proveedor, S.A.', nif: SUPPLIER_NIF })
  const theirs = books.ctx(supplier.test)
  const invoice = await books.invoice(
    {
      clientName: EXAMPLE_COMPANY.legalName,
      clientNif: OWN_NIF,
      client: { address: EXAMPLE_COMPANY.address },
    },
    theirs,
  )
  const file = async (format: 'ubl25' | 'pdf') =>
    Buffer.from((await books.run('invoices.pdf', { id: invoice.id, format }, theirs)).bytes)
  return {
    books,
    own,
    invoice: { number: invoice.number ?? '', issueDate: invoice.issueDate ?? '' },
    original: await file('ubl25'),
    copy: await file('pdf'),
  }
}

type Opened = Awaited<ReturnType<typeof opened>>

async function byPlatform({ books, original }: Opened): Promise<void> {
  await books.platform.deliver(SUPPLIER_NIF, original.toString('utf8'))
  books.goOn(20 * 60_000)
  await books.turn()
}

async function byMail({ books, own, copy }: Opened): Promise<void> {
  const mail = Buffer.from('From: facturas@example.com\nSubject: Factura\n\nAdjunta.')
  await addDocument(own, {
    name: 'factura.pdf',
    mediaType: 'application/pdf',
    bytes: new Uint8Array(copy),
    source: 'mailbox',
    sender: 'facturas@example.com',
    original: { name: 'mail.eml', mediaType: 'message/rfc822', bytes: new Uint8Array(mail) },
  })
  await readIncoming(books)
}

/** Enters the only document that waits. */
async function enter({ books }: Opened): Promise<string> {
  const { items } = await books.run('incoming.list', {})
  expect(items.map(({ state }) => state)).toEqual(['ready'])
  return (await books.run('incoming.enter', { id: items[0]?.id ?? '' })).received.id
}

/** Pays the purchase, and checks that all is there once. */
async function settled(stage: Opened, receivedId: string, channels: readonly string[]): Promise<void> {
  const { books, own, original, copy, invoice } = stage
  const purchases = await books.run('received.list', {})
  expect(purchases.items.map(({ id }) => id)).toEqual([receivedId])
  const { items } = await books.run('received.arrivals', { id: receivedId })
  expect(items.map(({ channel, form }) => `${channel} ${form}`)).toEqual(channels)
  expect(
    items.every(({ conflict, differences }) => !conflict && differences.every((each) => !each.matters)),
  ).toBe(true)
  for (const { channel, attachmentId } of items) {
    const { bytes } = await books.run('attachments.download', { id: attachmentId ?? '' })
    expect(Buffer.compare(Buffer.from(bytes), channel === 'platform' ? original : copy)).toBe(0)
  }
  expect((await books.run('incoming.list', {})).items).toEqual([])
  const { amountDue } = await books.run('received.get', { id: receivedId })
  const date = own.today()
  await books.run('payments.payReceived', { id: receivedId, amount: amountDue, date, method: 'transfer' })
  await books.quiet()
  const followed = await books.run('exchange.list', { direction: 'received' })
  expect(followed.items).toMatchObject([{ receivedId, state: 'paid', number: invoice.number }])
  const document = await books.run('exchange.get', { id: followed.items[0]?.id ?? '' })
  expect(document.hasFile).toBe(true)
  expect(document.locator).not.toBeNull()
  expect(document.reports.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['paid admitted'])
  const held = books.platform.find({ issuerTaxId: SUPPLIER_NIF, ...invoice })
  expect(held?.statuses.map(({ kind }) => kind)).toEqual(['paid'])
  expect((await verifyExchange(own)).faults).toEqual([])
}

const PLATFORM_FIRST = ['platform ubl', 'mail facturx']
const MAIL_FIRST = ['mail facturx', 'platform ubl']

test('by the platform, then by mail while it waits', async () => {
  const stage = await opened()
  await byPlatform(stage)
  await byMail(stage)
  await settled(stage, await enter(stage), PLATFORM_FIRST)
})

test('by the platform and entered, then by mail', async () => {
  const stage = await opened()
  await byPlatform(stage)
  const id = await enter(stage)
  stage.books.goOn(60_000)
  await byMail(stage)
  await settled(stage, id, PLATFORM_FIRST)
})

test('by mail, then by the platform while it waits', async () => {
  const stage = await opened()
  await byMail(stage)
  await byPlatform(stage)
  await settled(stage, await enter(stage), MAIL_FIRST)
})

test('by mail and entered, then by the platform', async () => {
  const stage = await opened()
  await byMail(stage)
  const id = await enter(stage)
  await stage.books.turn()
  await byPlatform(stage)
  await settled(stage, id, MAIL_FIRST)
})

test('by mail and entered before the platform tells of it, and read by the background reader after a crash', async () => {
  const stage = await opened()
  await byMail(stage)
  const id = await enter(stage)
  await stage.books.turn()
  // Killed once the document is handed over and before it is read.
  await stage.books.platform.deliver(SUPPLIER_NIF, stage.original.toString('utf8'))
  stage.books.goOn(20 * 60_000)
  const reached = stage.books.killAtStep('exchange.document_handed')
  await stage.books.turn()
  expect(reached()).toBe(true)
  await stage.books.quiet()
  await readIncoming(stage.books)
  await settled(stage, id, MAIL_FIRST)
})

test('entered by hand under another spelling of its number, before and after it arrives', async () => {
  for (const isBefore of [true, false]) {
    const stage = await opened()
    const { books, invoice } = stage
    if (!isBefore) await byPlatform(stage)
    const received = await books.run('received.create', {
      supplierName: 'Proveedor, S.A.',
      supplierNif: SUPPLIER_NIF,
      supplierNumber: invoice.number.toLowerCase(),
      issueDate: invoice.issueDate,
      receptionDate: invoice.issueDate,
      taxLines: [{ base: 500, vatRate: 21 }],
    })
    await books.turn()
    if (isBefore) await byPlatform(stage)
    await settled(stage, received.id, ['platform ubl'])
  }
})
