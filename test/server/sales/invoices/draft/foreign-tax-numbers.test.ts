/** Punctuation belongs to foreign identifiers: it is registered, shown and kept with them, and does not hinder finding them. */
import { expect, test } from 'vitest'
import { CLIENT_ADDRESS, openBooks } from '../../../../support/books.ts'
import { amend } from '../steps.ts'

const US = { country: 'US', idType: '04' as const, address: { ...CLIENT_ADDRESS, country: 'US' } }
const lines = [{ description: 'Service', quantity: 1, unitPrice: 700, taxTreatment: 'N2' as const }]

test.each([
  ['46-1234567', 'US'],
  ['CHE-123.456.789', 'CH'],
  ['12.345.678/0001-90', 'BR'],
])('%s of %s is registered as it is written', async (clientNif, country) => {
  const world = await openBooks()
  const client = { ...US, country, address: { ...CLIENT_ADDRESS, country } }
  const invoice = await world.invoice({ clientName: 'Customer Inc', clientNif, client, lines })
  expect(invoice.client.nif).toBe(clientNif)
  await world.send()
  const { registrations } = await world.run('registry.status', { invoiceId: invoice.id })
  expect(registrations?.[0]).toMatchObject({ status: 'accepted' })
  expect(registrations?.[0]?.xml).toContain(`<sf:ID>${clientNif}</sf:ID>`)
  const { items } = await world.run('invoices.list', { nif: clientNif })
  expect(items.map(({ id }) => id)).toEqual([invoice.id])
})

test('a contact keeps it, is found without it, and gives it to its invoices', async () => {
  const world = await openBooks()
  const contact = await world.run('contacts.create', {
    name: 'Customer Inc',
    nif: '46-1234567',
    address: { ...CLIENT_ADDRESS, country: 'US' },
  })
  // Its kind may be said later, or on the invoice only.
  expect(contact.nif).toBe('46-1234567')
  const before = await world.draft({
    clientName: 'Customer Inc',
    clientNif: undefined,
    clientId: contact.id,
    client: { idType: '04' },
    lines,
  })
  expect(before.client.nif).toBe('46-1234567')
  const typed = await world.run('contacts.update', { id: contact.id, idType: '04' })
  expect(typed.nif).toBe('46-1234567')
  for (const nif of ['46-1234567', '461234567'])
    expect((await world.run('contacts.list', { nif })).items.map(({ id }) => id)).toEqual([contact.id])
  const draft = await world.draft({
    clientName: 'Customer Inc',
    clientNif: '461234567',
    client: { idType: '04' },
    lines,
  })
  expect(draft.clientId).toBe(contact.id)
  const own = await world.run('invoices.create', { clientName: 'Customer Inc', clientId: contact.id, lines })
  expect(own.client.nif).toBe('46-1234567')
})

test('an amendment keeps it too; Spanish and EU VAT numbers are bare as ever', async () => {
  const world = await openBooks()
  const { id } = await world.invoice({
    clientName: 'Customer Inc',
    clientNif: '46-1234567',
    client: US,
    lines,
  })
  await world.send()
  await amend(world, id, { clientNif: '46-7654321' })
  await world.send()
  const { registrations } = await world.run('registry.status', { invoiceId: id })
  expect(registrations?.some(({ xml }) => xml?.includes('<sf:ID>46-7654321</sf:ID>'))).toBe(true)
  expect((await world.draft({ clientNif: 'b-87.654.323' })).client.nif).toBe('B87654323')
  const french = { country: 'FR', idType: '02' as const }
  expect((await world.draft({ clientNif: 'FR 40 303 265 045', client: french })).client.nif).toBe(
    'FR40303265045',
  )
})
