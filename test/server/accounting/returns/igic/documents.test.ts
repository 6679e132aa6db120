/** A quarter of a company of Las Palmas from its own invoices and purchases, and its twin of the mainland beside it. */
import { expect, test } from 'vitest'
import type { InputOf } from '../../../../../server/api/contracts.ts'
import { verifyTaxTotals } from '../../../../../server/tax/totals/index.ts'
import { CLIENT_ADDRESS, openBooks } from '../../../../support/books.ts'
import type { DraftInput, TestBooks } from '../../../../support/books.ts'

type Purchase = InputOf<'received.create'>

const Q4 = { year: 2026, quarter: 4 }
const at = (postalCode: string) => ({ address: { ...CLIENT_ADDRESS, postalCode } })
const line = (unitPrice: number, changes: object = {}): DraftInput['lines'][number] => ({
  description: 'Servicio',
  quantity: 1,
  unitPrice,
  ...changes,
})

/** Rates of the two twins: general and reduced. */
interface Rates {
  general: number
  reduced: number
}

/** The same trade with the rates of a territory, whose customers and suppliers are at home. */
async function trade(world: TestBooks, postalCode: string, { general, reduced }: Rates): Promise<void> {
  const sell = (changes: Partial<DraftInput>) =>
    world.invoice({ issueDate: '2026-10-20', client: at(postalCode), ...changes })
  const first = await sell({ lines: [line(1000), line(200, { vatRate: reduced })] })
  await sell({ lines: [line(5000)], withholdingPct: 15 })
  await sell({ lines: [line(400, { taxTreatment: 'S2' })] })
  await sell({
    clientName: 'Customer Inc',
    clientNif: '123456789',
    client: { country: 'US', idType: '04', address: { ...CLIENT_ADDRESS, country: 'US' } },
    lines: [line(600, { taxTreatment: 'E2' })],
  })
  await sell({
    kind: 'R1',
    issueDate: '2026-11-02',
    rectifies: [{ id: first.id }],
    rectification: { method: 'I', cause: 'returned_goods', reason: 'Devolución' },
    lines: [line(-100)],
  } as Partial<DraftInput>)
  const buy = (supplierNumber: string, changes: Partial<Purchase>) =>
    world.run('received.create', {
      supplierNumber,
      supplierName: 'Proveedor, S.A.',
      supplierNif: 'A58818501',
      supplier: at(postalCode),
      issueDate: '2026-10-15',
      receptionDate: '2026-10-16',
      taxLines: [],
      ...changes,
    })
  await buy('A1', { taxLines: [{ base: 4000, vatRate: general }] })
  await buy('A2', { taxLines: [{ base: 1000, vatRate: general, investmentGood: true }] })
  await buy('A3', {
    taxLines: [{ base: 500, vatRate: general, taxTreatment: 'S2', nature: 'reverse_charge' }],
  })
  await buy('D1', { kind: 'customs', taxLines: [{ base: 500, vatRate: general }] })
}

const openAt = (territory: 'canary' | 'mainland', postalCode: string) =>
  openBooks({
    at: '2026-12-30T12:00:00+01:00',
    company: {
      territory,
      address: { street: 'Calle Triana, 1', postalCode, city: 'Ciudad', country: 'ES' },
    },
  })

async function amountsOf(world: TestBooks, input: InputOf<'fiscal.model'>) {
  const { boxes } = await world.run('fiscal.model', input)
  return Object.fromEntries(
    boxes.filter(({ amount }) => amount !== 0).map(({ box, amount }) => [box, amount]),
  )
}

test('a company of Las Palmas has its 420 from its documents, which add up to each box', async () => {
  const world = await openAt('canary', '35002')
  await trade(world, '35002', { general: 7, reduced: 3 })
  expect(await amountsOf(world, { model: '420', ...Q4 })).toEqual({
    '04': 200,
    '05': 3,
    '06': 6,
    '07': 6000,
    '08': 7,
    '09': 420,
    '19': 500,
    '20': 35,
    '21': -100,
    '22': -7,
    // 6 + 420 + 35 - 7
    '25': 454,
    '26': 4500,
    '27': 315,
    '28': 1000,
    '29': 70,
    '30': 500,
    '31': 35,
    '40': 420,
    '41': 34,
    '45': 34,
    '46': 600,
    '47': 400,
  })
  const { boxes } = await world.run('fiscal.model', { model: '420', ...Q4 })
  for (const box of boxes.filter(({ documents }) => (documents ?? 0) > 0)) {
    const { items, total } = await world.run('fiscal.boxDocuments', {
      model: '420',
      box: box.box,
      ...Q4,
      limit: 50,
    })
    expect(
      items.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0),
      box.box,
    ).toBe(Math.round(total * 100))
    expect(total).toBe(box.amount)
  }
  // An invoice with withholding is listed here, and left out of the list of the State.
  const { lists } = await world.run('fiscal.model', { model: '415', year: 2026 })
  // 1276 + 5350 + 400 - 107 of sales; 4280 + 1070 + 500 of purchases, without the DUA.
  expect(lists.map(({ id, rows }) => [id, rows.map((row) => row[2])])).toEqual([
    ['B', [6919]],
    ['A', [5850]],
    ['cash', []],
  ])
  expect(await verifyTaxTotals(world.test)).toEqual([])
})

test('its twin of the mainland has the same trade in a 303 and no return of the islands', async () => {
  const world = await openAt('mainland', '28013')
  await trade(world, '28013', { general: 21, reduced: 10 })
  expect(await amountsOf(world, { model: '303', ...Q4 })).toMatchObject({
    '04': 200,
    '06': 20,
    '07': 6000,
    '09': 1260,
    '12': 500,
    '13': 105,
    '14': -100,
    '15': -21,
    '27': 1364,
    '28': 4500,
    '29': 945,
    '30': 1000,
    '31': 210,
    '32': 500,
    '33': 105,
    '45': 1260,
    '46': 104,
    '60': 600,
    '122': 400,
  })
  expect(await world.run('fiscal.model', { model: '420', ...Q4 })).toMatchObject({
    applies: false,
    why: 'territory',
  })
  const { lists } = await world.run('fiscal.model', { model: '347', year: 2026 })
  expect(lists.map(({ id, rows }) => [id, rows.map((row) => row[2])])).toEqual([
    ['B', []],
    ['A', [6550]],
  ])
})

test('what a customer paid in cash, above 6,000 euros in the year, is stated apart in the 415', async () => {
  const world = await openAt('canary', '35002')
  const pay = async (unitPrice: number, method: 'cash' | 'transfer') => {
    const { id } = await world.invoice({ client: at('35002'), lines: [line(unitPrice)] })
    await world.run('payments.payInvoice', {
      id,
      date: '2026-12-30',
      method,
      amount: Math.round(unitPrice * 107) / 100,
    })
  }
  const cash = async () =>
    (await world.run('fiscal.model', { model: '415', year: 2026 })).lists.find(({ id }) => id === 'cash')
      ?.rows
  await pay(9000, 'transfer')
  await pay(5607.48, 'cash')
  // 6,000.00 exactly is not above it.
  expect(await cash()).toEqual([])
  await pay(0.1, 'cash')
  expect((await cash())?.map((row) => row[2])).toEqual([6000.11])
})

test('the rules of VAT find nothing in the books of an island: which books it needs is said to be unknown', async () => {
  const world = await openAt('canary', '35002')
  await trade(world, '35002', { general: 7, reduced: 3 })
  const { ok, faults, rows } = await world.run('fiscal.checkVatBooks', { year: 2026, quarter: 4 })
  expect(rows.issued).toBeGreaterThan(4)
  expect({ ok, codes: faults.map(({ code }) => code) }).toEqual({ ok: true, codes: ['books_of_territory'] })
})
