/** Punctuation belongs to a supplier's identifier of another country: it is shown and exported with it, and found without it. */
import { expect, test } from 'vitest'
import { openWorld } from '../../../support/world.ts'

const BILL = {
  supplierName: 'Tools Inc',
  supplierNumber: 'A-1',
  issueDate: '2026-05-20',
  receptionDate: '2026-05-22',
  taxLines: [{ base: 120, nature: 'foreign_services' as const }],
}

test.each([
  ['46-1234567', 'US'],
  ['CHE-123.456.789', 'CH'],
  ['12.345.678/0001-90', 'BR'],
])('%s of %s', async (supplierNif, country) => {
  const world = await openWorld()
  const { body } = await world.post('/api/v1/received-invoices', {
    ...BILL,
    supplierNif,
    supplier: { country, idType: '04' },
  })
  const { id } = body.data
  const shown = await world.get(`/api/v1/received-invoices/${id}`)
  expect([shown.body.data.supplierNif, shown.body.data.supplier.nif]).toEqual([supplierNif, supplierNif])
  const bare = supplierNif.replace(/[^0-9A-Z]/g, '')
  for (const nif of [supplierNif, bare])
    expect((await world.run('received.list', { nif })).items.map((item) => item.id)).toEqual([id])
  for (const text of [supplierNif, bare])
    expect((await world.run('received.list', { text })).items.map((item) => item.id)).toEqual([id])
  // A change of something else keeps it; the same number written otherwise is the same supplier.
  const { body: changed } = await world.patch(`/api/v1/received-invoices/${id}`, { notes: 'Visto' })
  expect(changed.data.supplierNif).toBe(supplierNif)
  const again = await world.post('/api/v1/received-invoices', {
    ...BILL,
    supplierNif: bare,
    supplier: { country, idType: '04' },
  })
  expect(again.status).toBe(409)
})

test('Spanish numbers and VAT numbers of the Union are bare', async () => {
  const world = await openWorld()
  for (const [supplierNif, kept, country] of [
    ['B-58.818.501', 'B58818501', 'ES'],
    ['IE 6388047V', 'IE6388047V', 'IE'],
  ] as const) {
    const { body } = await world.post('/api/v1/received-invoices', {
      ...BILL,
      supplierNumber: country,
      supplierNif,
      supplier: { country },
      taxLines: [{ base: 120 }],
    })
    expect(body.data.supplierNif).toBe(kept)
  }
})
