/** What is exchanged of a person's invoices is found and handed over, and stays with them; agreements are erased. */
import { strFromU8, unzipSync } from 'fflate'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openExchange, SUPPLIER_NIF } from '../../../support/exchange/exchange-books.ts'
import { CLIENT_ADDRESS } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { makeP12 } from '../../../support/files/certificates.ts'
import { openPortalBooks, PUBLIC_BODY } from '../../integrations/portal/samples.ts'

const PERSON = { name: 'Ana Ruiz Gil', nif: '12345678Z' }
type Subject = { contactId?: string; nif?: string; email?: string; name?: string }

async function preview(books: TestBooks, subject: Subject) {
  const { findings, hash } = await books.run('privacy.preview', { subject })
  const of = (area: string) =>
    findings.filter((each) => each.area === area).map(({ fate, count }) => `${fate} ${count}`)
  return { hash, exchanged: of('exchanged'), agreements: of('agreements') }
}

async function exported(books: TestBooks, subject: Subject): Promise<Record<string, Uint8Array>> {
  return unzipSync(await buffer((await books.run('privacy.export', { subject })).stream))
}
const jsonOf = (zip: Record<string, Uint8Array>, area: string): any[] =>
  JSON.parse(strFromU8(zip[`datos/${area}.json`] ?? new Uint8Array()))

test('an invoice at the platform, what was said of it, and how its customer receives', async () => {
  const books = await openExchange()
  const contact = await books.run('contacts.create', {
    ...PERSON,
    address: CLIENT_ADDRESS,
    isBusiness: true,
  })
  await books.run('exchange.setContact', {
    id: contact.id,
    channel: 'copy',
    platformName: 'Plataforma de Ana',
    entryPoint: 'ana@plataforma.example',
    agreedOn: '2027-10-01',
  })
  const invoice = await books.invoice({
    clientId: contact.id,
    clientName: PERSON.name,
    clientNif: PERSON.nif,
  })
  await books.turn()
  const code = {
    issuerTaxId: 'B12345674',
    number: invoice.number ?? '',
    issueDate: invoice.issueDate ?? '',
  }
  books.platform.sayAs(PERSON.nif, 'recipient', {
    kind: 'rejected',
    invoice: code,
    date: '2027-10-07',
    reason: 'commercial',
    note: 'Llama a Ana',
  })
  books.goOn(20 * 60_000)
  await books.turn()

  const subject = { contactId: contact.id }
  const before = await preview(books, subject)
  expect(before).toMatchObject({ exchanged: ['keep 1'], agreements: ['erase 1'] })
  const zip = await exported(books, subject)
  expect(jsonOf(zip, 'exchanged')).toMatchObject([
    {
      by: 'platform',
      number: code.number,
      partner_name: PERSON.name,
      partner_nif: PERSON.nif,
      state: 'admitted',
    },
  ])
  expect(strFromU8(zip['datos/exchanged.json'] ?? new Uint8Array())).toContain('Llama a Ana')
  expect(jsonOf(zip, 'agreements')).toMatchObject([
    {
      what: 'receives',
      channel: 'copy',
      platform_name: 'Plataforma de Ana',
      entry_point: 'ana@plataforma.example',
    },
  ])
  const { items } = await books.run('exchange.list', { invoiceId: invoice.id })
  const file = await books.run('exchange.file', { id: items[0]?.id ?? '' })
  expect(Buffer.from(zip[`archivos/intercambiadas/${code.number}.xml`] ?? new Uint8Array())).toEqual(
    Buffer.from(file.bytes),
  )

  await books.run('privacy.erase', { subject, hash: before.hash })
  const left = await books.test.db.selectFrom('exchange_contacts').selectAll().execute()
  expect(left).toEqual([])
  expect(await preview(books, subject)).toMatchObject({ exchanged: ['keep 1'], agreements: [] })
})

test('an invoice that arrived from somebody who is no contact', async () => {
  const books = await openExchange()
  await books.deliver('S-1', '2027-10-07')
  await books.turn()
  const { people } = await books.run('privacy.find', { text: SUPPLIER_NIF })
  expect(people.map(({ nif }) => nif)).toContain(SUPPLIER_NIF)
  const subject = { nif: SUPPLIER_NIF }
  const before = await preview(books, subject)
  expect(before.exchanged).toEqual(['keep 1'])
  const zip = await exported(books, subject)
  expect(jsonOf(zip, 'exchanged')).toMatchObject([{ direction: 'received', number: 'S-1', state: 'open' }])
  expect(Object.keys(zip)).toContain('archivos/intercambiadas/S-1.xml')
  // The paper that waits goes; that it arrived and must be answered stays, as a received invoice does.
  await books.run('privacy.erase', { subject, hash: before.hash })
  expect((await books.run('exchange.list', { direction: 'received' })).items).toMatchObject([
    { number: 'S-1' },
  ])
})

test('a representative', async () => {
  const books = await openExchange()
  const { p12 } = makeP12({
    kind: 'person',
    ...PERSON,
    from: '2025-01-01T00:00:00Z',
    to: '2039-01-01T00:00:00Z',
    password: 'clave',
  })
  await books.run('certificates.import', { file: p12.toString('base64'), password: 'clave' }, books.live)
  await books.run('exchange.setSettings', { representation: { as: 'attorney', nif: PERSON.nif } })
  expect((await books.run('privacy.find', { text: PERSON.nif })).people).toMatchObject([{ nif: PERSON.nif }])
  const subject = { nif: PERSON.nif }
  const before = await preview(books, subject)
  expect(before.agreements).toEqual(['erase 1'])
  expect(jsonOf(await exported(books, subject), 'agreements')).toMatchObject([
    { what: 'represents', representation: 'attorney', nif: PERSON.nif },
  ])
  await books.run('privacy.erase', { subject, hash: before.hash })
  expect(await books.run('exchange.settings', {})).toMatchObject({ representation: null, sending: true })
  expect((await preview(books, subject)).agreements).toEqual([])
})

test('what the portal was given, whom it writes to, and the page that a customer was offered', async () => {
  const books = await openPortalBooks({ at: '2026-07-01T10:00:00Z' })
  const email = 'ana@example.com'
  await books.run('portal.setSettings', { email, live: false })
  const { id, number } = await books.invoice(PUBLIC_BODY)
  const submission = await books.run('portal.submit', { invoiceId: id })
  await books.run('replies.page', { id })
  const body = await exported(books, { nif: PUBLIC_BODY.clientNif })
  expect(jsonOf(body, 'exchanged')).toMatchObject([
    { by: 'portal', id: submission.id, invoice: number, email, registry_number: submission.registryNumber },
    { by: 'reply page', invoice: number, facts: expect.any(Object) },
  ])
  const subject = { email }
  const before = await preview(books, subject)
  expect(before).toMatchObject({ exchanged: ['keep 1'], agreements: ['erase 1'] })
  expect(jsonOf(await exported(books, subject), 'agreements')).toMatchObject([{ email }])
  await books.run('privacy.erase', { subject, hash: before.hash })
  expect((await books.run('portal.settings', {})).email).not.toBe(email)
  expect(await preview(books, subject)).toMatchObject({ exchanged: ['keep 1'], agreements: [] })
})
