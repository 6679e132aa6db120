/** An amended customer counts under the tax number that the registry was told last, in every return and book. */
import { expect, test } from 'vitest'
import { ISSUED_COLUMNS } from '../../../../../server/domain/formats/vat-book-columns.ts'
import { bookRows } from '../../../../../server/accounting/returns/books/rows.ts'
import { verifyTaxTotals } from '../../../../../server/tax/totals/index.ts'
import { CLIENT_ADDRESS, openBooks } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { amend, cancel } from '../steps.ts'

const OLD = 'B87654323'
const NEW = 'B11111119'
const AT = { year: 2026, quarter: 4 as const }
const line = (unitPrice: number) => ({ description: 'Obra', quantity: 1, unitPrice, vatRate: 21 })

/** Tax numbers of model 347 with their amounts. */
async function in347(world: TestBooks): Promise<Record<string, number>> {
  const { lists } = await world.run('fiscal.model', { model: '347', year: 2026 })
  const list = lists[0]
  return Object.fromEntries((list?.rows ?? []).map((row) => [String(row[0]), Number(row[2])]))
}

async function inVatBook(world: TestBooks): Promise<string[]> {
  const nif = ISSUED_COLUMNS.findIndex(({ id }) => id === 'nif')
  const found: string[] = []
  for await (const rows of bookRows(world.test, { from: '2026-01-01', to: '2026-12-31' }))
    for (const { sheet, cells } of rows) if (sheet === 'issued') found.push(cells[nif] ?? '')
  return found
}

async function issued(world: TestBooks, unitPrice = 10_000) {
  const invoice = await world.invoice({ lines: [line(unitPrice)], client: { address: CLIENT_ADDRESS } })
  await world.send()
  return invoice
}

test('a Spanish number: 347, VAT book, documents of a box and the figures of the parties', async () => {
  const world = await openBooks()
  const { id } = await issued(world)
  expect(await in347(world)).toEqual({ [OLD]: 12_100 })
  await amend(world, id, { clientNif: NEW, clientName: 'Cliente Verdadero, S.L.' })
  expect(await in347(world)).toEqual({ [NEW]: 12_100 })
  expect(await inVatBook(world)).toEqual([NEW])
  const documents = await world.run('fiscal.boxDocuments', { model: '303', box: '07', ...AT })
  expect(documents.items).toEqual([expect.objectContaining({ nif: NEW, name: 'Cliente Verdadero, S.L.' })])
  expect(await verifyTaxTotals(world.test)).toEqual([])
  // The paper stays as it was issued.
  expect((await world.run('invoices.get', { id })).client.nif).toBe(OLD)
  // Amended back, annulled and brought back again: never counted twice.
  await world.send()
  await amend(world, id, { clientNif: OLD, clientName: 'Cliente Primero, S.L.' })
  expect(await in347(world)).toEqual({ [OLD]: 12_100 })
  await world.send()
  await amend(world, id, { clientNif: NEW })
  await world.send()
  await cancel(world, id)
  expect(await in347(world)).toEqual({})
  await world.send()
  await amend(world, id, { clientNif: OLD })
  expect(await in347(world)).toEqual({ [OLD]: 12_100 })
  expect(await verifyTaxTotals(world.test)).toEqual([])
})

test('the number of a business in the Union: model 349', async () => {
  const world = await openBooks()
  const { id } = await world.invoice({
    clientName: 'Client SARL',
    clientNif: 'FR40303265045',
    client: { country: 'FR', idType: '02', address: { ...CLIENT_ADDRESS, country: 'FR' } },
    lines: [{ description: 'Servicio', quantity: 1, unitPrice: 700, taxTreatment: 'N2' }],
  })
  await world.send()
  const in349 = async () =>
    (await world.run('fiscal.model', { model: '349', ...AT })).lists[0]?.rows.map((row) => row[2])
  expect(await in349()).toEqual(['FR40303265045'])
  await amend(world, id, { clientNif: 'DE811569869' })
  expect(await in349()).toEqual(['DE811569869'])
  expect(await inVatBook(world)).toEqual(['DE811569869'])
  expect(await verifyTaxTotals(world.test)).toEqual([])
})

test('an invoice that another took the place of: both follow, and an annulment takes back what was counted', async () => {
  const world = await openBooks()
  const original = await issued(world)
  const draft = await world.run('invoices.rectify', {
    id: original.id,
    cause: 'wrong_amount',
    method: 'S',
    newLines: [line(8000)],
  })
  const replacing = await world.issue(draft.id)
  await world.send()
  await amend(world, original.id, { clientNif: NEW })
  // The sale moved with what was taken back of it: 8,000 of the invoice in its place stay with its own customer.
  expect(await in347(world)).toEqual({ [OLD]: 9680 })
  expect(await inVatBook(world)).toEqual([NEW, NEW, OLD])
  await world.send()
  await cancel(world, replacing.id)
  expect(await in347(world)).toEqual({ [NEW]: 12_100 })
  expect(await verifyTaxTotals(world.test)).toEqual([])
})

test('a wrong customer, rectified: the VAT book takes the sale back from the one it was charged to', async () => {
  const world = await openBooks()
  const original = await issued(world)
  const draft = await world.run('invoices.rectify', {
    id: original.id,
    cause: 'wrong_client',
    method: 'S',
    clientName: 'Cliente Verdadero, S.L.',
    clientNif: NEW,
  })
  await world.issue(draft.id)
  expect(await inVatBook(world)).toEqual([OLD, OLD, NEW])
  expect(await in347(world)).toEqual({ [NEW]: 12_100 })
})

test('cash accounting: the customer changes, what was paid stays counted', async () => {
  const world = await openBooks()
  const { id } = await world.invoice({
    lines: [{ ...line(10_000), regimeKey: '07' }],
    client: { address: CLIENT_ADDRESS },
  })
  await world.send()
  await world.run('payments.payInvoice', { id, amount: 6050, date: '2026-11-21', method: 'transfer' })
  const before = await world.run('fiscal.model', { model: '303', ...AT })
  await amend(world, id, { clientNif: NEW })
  const after = await world.run('fiscal.model', { model: '303', ...AT })
  expect(after.boxes).toEqual(before.boxes)
  expect(await inVatBook(world)).toContain(NEW)
  expect(await inVatBook(world)).not.toContain(OLD)
  expect(await verifyTaxTotals(world.test)).toEqual([])
})
