/** From the books to the files: the structured forms of an issued invoice contain its stored facts. */
import { expect, test } from 'vitest'
import { ciiXml, eInvoiceOf, facturaeXml, ublXml } from '../../../../server/documents/e-invoice/index.ts'
import type { EInvoice } from '../../../../server/documents/e-invoice/index.ts'
import { contentOf, partyFacts, resolveInvoice, totalsOf } from '../../../../server/sales/invoices/index.ts'
import { CLIENT_ADDRESS, faultsOfRefusal, openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { randomBook } from '../../sums/sums.ts'
import { brokenRules } from './en16931-rules.ts'
import { facturaeFaults } from './facturae-rules.ts'
import { modelOf } from './model.ts'

async function eInvoice(world: TestBooks, id: string): Promise<EInvoice> {
  const row = await resolveInvoice(world.test, id)
  const content = await contentOf(world.test.db, row)
  return eInvoiceOf(content, totalsOf(content), {
    number: row.number ?? '',
    seriesCode: row.series_code ?? '',
    issueDate: row.issue_date ?? '',
    issuer: await partyFacts(world.test.db, row.issuer_id ?? 0),
    debit: null,
  })
}

const DIR3 = { accountingOffice: 'L01280921', managingBody: 'L01280922', processingUnit: 'L01280923' }

test('the offices of a public body are those on the day of issue', async () => {
  const world = await openBooks()
  const contact = await world.run('contacts.create', {
    name: 'Ayuntamiento de Móstoles',
    nif: 'P2809200E',
    address: CLIENT_ADDRESS,
    dir3: DIR3,
  })
  const draft = await world.draft({ clientName: contact.name, clientNif: null, clientId: contact.id })
  expect(draft.client.dir3).toEqual(DIR3)
  const issued = await world.issue((await world.draft({ clientName: contact.name, clientId: contact.id })).id)
  await world.run('contacts.update', { id: contact.id, dir3: null })
  expect((await world.run('invoices.get', { id: issued.id })).client.dir3).toEqual(DIR3)
  expect(facturaeXml(await eInvoice(world, issued.id))).toContain('<CentreCode>L01280923</CentreCode>')
})

test('a customer entered in the draft may have offices too', async () => {
  const world = await openBooks()
  const lower = { ...DIR3, managingBody: 'l01280922' }
  const { client } = await world.draft({ client: { address: CLIENT_ADDRESS, dir3: lower } })
  expect(client.dir3).toEqual(DIR3)
  expect(
    await faultsOfRefusal(world.draft({ client: { dir3: { ...DIR3, accountingOffice: 'L0128' } } })),
  ).toEqual(['client.dir3.accountingOffice: wrong_format'])
})

test("the customer's references are stored, changed, hashed, copied to rectifications and written", async () => {
  const world = await openBooks()
  const customerReferences = { order: ' PED-77 ', contract: 'C-15', file: null }
  const draft = await world.draft({ client: { address: CLIENT_ADDRESS }, customerReferences })
  expect(draft.customerReferences).toEqual({ order: 'PED-77', contract: 'C-15', file: null })
  const other = await world.run('invoices.update', { id: draft.id, notes: 'Otra cosa' })
  expect(other.customerReferences).toEqual(draft.customerReferences)
  const changed = await world.run('invoices.update', {
    id: draft.id,
    customerReferences: { order: 'PED-78', file: 'EXP-1' },
  })
  expect(changed.customerReferences).toEqual({ order: 'PED-78', contract: null, file: 'EXP-1' })
  expect(changed.contentHash).not.toBe(other.contentHash)
  const issued = await world.issue(draft.id)
  const rectifying = await world.run('invoices.rectify', { id: issued.id, cause: 'cancelled_operation' })
  expect(rectifying.customerReferences).toEqual(changed.customerReferences)
  const xml = facturaeXml(await eInvoice(world, issued.id))
  expect(xml).toContain('<ReceiverTransactionReference>PED-78</ReceiverTransactionReference>')
  expect(xml).toContain('<FileReference>EXP-1</FileReference>')
  const cleared = await world.draft({ customerReferences: { order: null, contract: null } })
  expect(cleared.customerReferences).toBeNull()
})

test("a quote's order is copied to its invoice", async () => {
  const world = await openBooks()
  const quote = await world.run('quotes.create', {
    clientName: 'Cliente Primero, S.L.',
    clientNif: 'B87654323',
    customerReferences: { order: 'PED-9' },
    lines: [{ description: 'Mesa', quantity: 1, unitPrice: 100 }],
  })
  const { invoice } = await world.run('quotes.convert', { id: quote.id })
  expect(invoice.customerReferences).toEqual({ order: 'PED-9', contract: null, file: null })
})

test.each([11, 12])('every file of a random book follows the rules, seed %i', async (seed) => {
  const world = await randomBook(seed, 30)
  const { items } = await world.run('invoices.list', { state: 'issued', limit: 100 })
  expect(items.length).toBeGreaterThan(25)
  for (const { id } of items) {
    const invoice = await eInvoice(world, id)
    if (!invoice.hasBuyer) continue
    for (const write of [ciiXml, ublXml]) expect(brokenRules(modelOf(write(invoice)))).toEqual([])
    expect(facturaeFaults(facturaeXml(invoice), invoice.groups.length)).toEqual([])
  }
})
