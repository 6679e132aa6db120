/** Purchases from abroad of which nothing was said: what is proposed, what is never deducted, and what the returns say of it. */
import { describe, expect, test } from 'vitest'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const PATH = '/api/v1/received-invoices'
const Q2 = { year: 2026, quarter: 2 }

const BILL = {
  supplierName: 'Cloud Services Ltd',
  supplierNif: 'IE6388047V',
  supplierNumber: 'C-1',
  issueDate: '2026-06-20',
  receptionDate: '2026-06-22',
  taxLines: [{ base: 120 }],
}

async function enter(world: World, changes: object = {}) {
  const answer = await world.post(PATH, { ...BILL, ...changes })
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.body.data
}

async function boxesOf(world: World) {
  const { boxes } = await world.run('fiscal.model', { model: '303', ...Q2 })
  return Object.fromEntries(
    boxes.filter(({ amount }) => amount !== 0).map(({ box, amount }) => [box, amount]),
  )
}

const codes = (bill: { warnings: { code: string }[] }) => bill.warnings.map(({ code }) => code)

describe('a supplier from abroad and not a word about VAT', () => {
  test('a digital service from Ireland is declared in 10/11, deducted in 36/37 and told in 349', async () => {
    const world = await openWorld()
    const bill = await enter(world)
    expect(bill).toMatchObject({ tax: 0, total: 120, selfAssessed: 25.2, deductible: 25.2 })
    expect(bill.taxLines[0]).toMatchObject({
      nature: 'eu_services',
      taxTreatment: 'S2',
      regimeKey: '09',
      vatRate: 21,
    })
    expect(codes(bill)).toEqual(['self_assessed_proposed'])
    const boxes = await boxesOf(world)
    expect(boxes).toMatchObject({ '10': 120, '11': 25.2, '36': 120, '37': 25.2, '27': 25.2, '45': 25.2 })
    expect([boxes['28'], boxes['29'], boxes['46']]).toEqual([undefined, undefined, undefined])
    const eu = await world.run('fiscal.model', { model: '349', ...Q2 })
    expect(eu.lists[0]?.rows).toEqual([['I', 'I', 'IE6388047V', 'Cloud Services Ltd', 120, 1]])
  })

  test.each<[string, object, object, Record<string, number>]>([
    [
      'stock from France',
      { supplierNif: 'FR40303265045', concept: 'G01' },
      { nature: 'eu_goods', taxTreatment: 'S2', tax: 25.2, deductible: 25.2 },
      { '10': 120, '11': 25.2, '36': 120, '37': 25.2 },
    ],
    [
      'a machine from Germany',
      { supplierNif: 'DE123456789', taxLines: [{ base: 4000, investmentGood: true }] },
      { nature: 'eu_goods', taxTreatment: 'S2', tax: 840, deductible: 840 },
      { '10': 4000, '11': 840, '38': 4000, '39': 840 },
    ],
    [
      'a service from the United States',
      { supplierNif: '46-1234567', supplier: { country: 'US' } },
      { nature: 'foreign_services', taxTreatment: 'S2', tax: 25.2, deductible: 25.2 },
      { '12': 120, '13': 25.2, '28': 120, '29': 25.2 },
    ],
    [
      'stock from China, whose VAT is on the customs document',
      { supplierNif: null, supplier: { country: 'CN' }, concept: 'G01' },
      { nature: 'import', taxTreatment: 'N2', tax: 0, deductible: 0 },
      {},
    ],
    [
      'goods from Northern Ireland',
      { supplierNif: null, supplier: { country: 'XI' }, concept: 'G01' },
      { nature: 'eu_goods', taxTreatment: 'S2', tax: 25.2, deductible: 25.2 },
      { '10': 120, '11': 25.2, '36': 120, '37': 25.2 },
    ],
    [
      'a service from Northern Ireland',
      { supplierNif: null, supplier: { country: 'XI' } },
      { nature: 'foreign_services', taxTreatment: 'S2', tax: 25.2, deductible: 25.2 },
      { '12': 120, '13': 25.2, '28': 120, '29': 25.2 },
    ],
    [
      'an invoice that says 0 %',
      { taxLines: [{ base: 120, vatRate: 0, tax: 0 }] },
      { nature: 'eu_services', taxTreatment: 'S2', vatRate: 21, tax: 25.2, deductible: 25.2 },
      { '10': 120, '11': 25.2, '36': 120, '37': 25.2 },
    ],
    [
      'a rate without an amount: the rate to declare it at',
      { taxLines: [{ base: 120, vatRate: 10 }] },
      { nature: 'eu_services', taxTreatment: 'S2', vatRate: 10, tax: 12, deductible: 12 },
      { '10': 120, '11': 12, '36': 120, '37': 12 },
    ],
    [
      'a service from the Canary Islands',
      {
        supplierNif: 'B76365789',
        supplier: {
          address: {
            street: 'Calle León y Castillo, 1',
            postalCode: '35003',
            city: 'Las Palmas',
            country: 'ES',
          },
        },
      },
      { nature: 'foreign_services', taxTreatment: 'S2', tax: 25.2, deductible: 25.2 },
      { '12': 120, '13': 25.2, '28': 120, '29': 25.2 },
    ],
  ])('%s', async (_name, changes, line, boxes) => {
    const world = await openWorld()
    const bill = await enter(world, changes)
    expect(bill.taxLines[0]).toMatchObject(line)
    expect(codes(bill)).toContain(
      (line as { nature: string }).nature === 'import' ? 'import_without_customs' : 'self_assessed_proposed',
    )
    const found = await boxesOf(world)
    for (const box of ['10', '11', '12', '13', '28', '29', '30', '31', '32', '33', '36', '37', '38', '39'])
      expect([box, found[box] ?? 0]).toEqual([box, boxes[box] ?? 0])
  })

  test.each<[string, object, number, number]>([
    ['Irish VAT at a rate of Ireland', { taxLines: [{ base: 120, vatRate: 23 }] }, 147.6, 0],
    ['Irish VAT with its amount', { taxLines: [{ base: 120, vatRate: 23, tax: 27.6 }] }, 147.6, 0],
    [
      'Belgian VAT at 21 %, like the Spanish rate',
      { supplierNif: 'BE0403170701', taxLines: [{ base: 120, vatRate: 21, tax: 25.2 }] },
      145.2,
      0,
    ],
    [
      'a ticket of a hotel in France',
      {
        kind: 'simplified',
        supplierNif: null,
        supplier: { country: 'FR' },
        taxLines: [{ base: 100, vatRate: 10 }],
      },
      110,
      0,
    ],
    [
      'IGIC of the Canary Islands',
      {
        supplierNif: 'B76365789',
        supplier: {
          address: { street: 'Calle Mayor, 1', postalCode: '38001', city: 'Santa Cruz', country: 'ES' },
        },
        taxLines: [{ base: 100, vatRate: 7, tax: 7 }],
      },
      107,
      0,
    ],
  ])('%s is cost and never deducted', async (_name, changes, base, deductible) => {
    const world = await openWorld()
    const bill = await enter(world, changes)
    expect(bill).toMatchObject({ base, tax: 0, total: base, deductible, selfAssessed: 0 })
    expect(bill.taxLines[0]).toMatchObject({ taxTreatment: 'N2', vatRate: null })
    expect(codes(bill)).toContain('foreign_tax_as_cost')
    expect(await boxesOf(world)).toEqual({})
  })

  test('a foreign supplier with a Spanish tax number charges Spanish VAT', async () => {
    const world = await openWorld()
    const bill = await enter(world, {
      supplierNif: 'W0184081H',
      supplier: { country: 'LU' },
      taxLines: [{ base: 100, vatRate: 21, tax: 21 }],
    })
    expect(bill).toMatchObject({ tax: 21, deductible: 21, warnings: [] })
    expect(bill.taxLines[0]).toMatchObject({ nature: 'domestic', taxTreatment: 'S1' })
    expect(await boxesOf(world)).toMatchObject({ '28': 100, '29': 21 })
    expect((await world.run('fiscal.model', { model: '303', ...Q2 })).warnings).not.toContainEqual(
      expect.objectContaining({ code: 'foreign_vat_deducted' }),
    )
  })

  test('who says S1 without a Spanish tax number deducts nothing, unless the part is said', async () => {
    const world = await openWorld()
    const none = await enter(world, { taxLines: [{ base: 100, vatRate: 21, taxTreatment: 'S1' }] })
    expect(none).toMatchObject({ tax: 21, deductible: 0 })
    expect(codes(none)).toContain('foreign_vat')
    const said = await enter(world, {
      supplierNumber: 'C-2',
      taxLines: [{ base: 100, vatRate: 21, taxTreatment: 'S1', deductiblePct: 100 }],
    })
    expect(said).toMatchObject({ tax: 21, deductible: 21 })
    expect(codes(said)).toContain('foreign_vat')
    const model = await world.run('fiscal.model', { model: '303', ...Q2 })
    expect(model.warnings).toContainEqual(
      expect.objectContaining({ code: 'foreign_vat_deducted', severity: 'warning', count: 1 }),
    )
  })

  test('what was said counts as it was said', async () => {
    const world = await openWorld()
    const bill = await enter(world, {
      taxLines: [
        { base: 100, nature: 'eu_goods' },
        { base: 50, taxTreatment: 'E1' },
      ],
    })
    expect(bill.taxLines).toMatchObject([
      { nature: 'eu_goods', taxTreatment: 'S2' },
      { nature: 'domestic', taxTreatment: 'E1' },
    ])
    expect(codes(bill)).not.toContain('self_assessed_proposed')
  })
})
