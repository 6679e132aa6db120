/** Purchases of companies outside the area of VAT: IGIC borne, imports by DUA with the retailers' surcharge, IPSI. */
import { describe, expect, test } from 'vitest'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const PATH = '/api/v1/received-invoices'
const place = (postalCode: string) => ({
  street: 'Calle Mayor, 1',
  postalCode,
  city: 'Ciudad',
  country: 'ES',
})
const BILL = {
  supplierName: 'Suministros del Puerto, S.L.',
  supplierNif: 'B58818501',
  supplier: { address: place('35002') },
  supplierNumber: 'V-77',
  issueDate: '2026-06-20',
  receptionDate: '2026-06-22',
  taxLines: [{ base: 100 }],
}
const DUA = { ...BILL, kind: 'customs', supplierNumber: '26ES00350130000012' }

const lasPalmas = (vatRegime: 'general' | 'retailer' | 'small_business' = 'general') =>
  openWorld({ company: { territory: 'canary', vatRegime, address: place('35002') } })
const ceuta = () => openWorld({ company: { territory: 'ceuta_melilla', address: place('51001') } })

async function enter(world: World, body: object) {
  const answer = await world.post(PATH, body)
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.body.data
}
async function refusal(world: World, body: object): Promise<string[]> {
  const answer = await world.post(PATH, body)
  expect(answer.status, answer.raw.body).toBe(422)
  return answer.body.error.details.faults.map(
    ({ field, code }: Record<string, string>) => `${field}: ${code}`,
  )
}
/** Taxes and rates under which what was received counts. */
async function counted(world: World): Promise<string[]> {
  const { db } = world.ctx()
  const rows = await db
    .selectFrom('figure_groups')
    .select(['tax', 'vat_rate_bp'])
    .where('side', '=', 'received')
    .execute()
  return rows.map((row) => `${row.tax} ${row.vat_rate_bp}`).sort()
}

describe('a company of Las Palmas', () => {
  test('bears IGIC at its general rate and deducts it, and its totals are of that tax', async () => {
    const world = await lasPalmas()
    const bill = await enter(world, BILL)
    expect(bill).toMatchObject({ base: 100, tax: 7, total: 107, deductible: 7, warnings: [] })
    expect(await counted(world)).toEqual(['igic 700'])
  })

  test('pays IGIC at customs on the base of the DUA', async () => {
    const world = await lasPalmas()
    const dua = await enter(world, { ...DUA, taxLines: [{ base: 1000, vatRate: 3 }] })
    expect(dua).toMatchObject({ tax: 30, payable: 30, deductible: 30, surcharge: 0 })
    expect(dua.taxLines[0]).toMatchObject({ nature: 'import', surchargeRate: null })
  })

  test.each([
    [0, null, 0],
    [3, 0.3, 3],
    [7, 0.7, 7],
    [9.5, 0.95, 9.5],
    [15, 1.5, 15],
    [20, 2, 20],
  ])(
    'a retailer pays on an import at %s %% a surcharge of %s %%',
    async (vatRate, surchargeRate, surcharge) => {
      const world = await lasPalmas('retailer')
      const dua = await enter(world, { ...DUA, taxLines: [{ base: 1000, vatRate }] })
      expect(dua.taxLines[0]).toMatchObject({ surchargeRate, surcharge, deductible: 0 })
      expect(dua.payable).toBeCloseTo(vatRate * 10 + surcharge, 2)
    },
  )

  test('a small business deducts nothing', async () => {
    expect(await enter(await lasPalmas('small_business'), BILL)).toMatchObject({ tax: 7, deductible: 0 })
  })

  test('rejects a DUA without base, and a surcharge on an invoice', async () => {
    const world = await lasPalmas()
    expect(await refusal(world, { ...DUA, taxLines: [{ base: 0, vatRate: 7, tax: 70 }] })).toContain(
      'taxLines[0].base: customs_base_missing',
    )
    expect(await refusal(world, { ...BILL, taxLines: [{ base: 100, vatRate: 7, surcharge: 0.7 }] })).toEqual([
      'taxLines[0].surcharge: surcharge_not_of_tax',
    ])
  })

  test('VAT charged by a supplier of the mainland is a cost; goods from there need a DUA; services are self-assessed', async () => {
    const world = await lasPalmas()
    const from = { ...BILL, supplier: { address: place('28013') } }
    const charged = await enter(world, { ...from, taxLines: [{ base: 100, vatRate: 21, tax: 21 }] })
    expect(charged).toMatchObject({ base: 121, tax: 0, deductible: 0 })
    expect(charged.warnings.map(({ code }: { code: string }) => code)).toContain('foreign_tax_as_cost')
    const goods = await enter(world, {
      ...from,
      supplierNumber: 'V-78',
      taxLines: [{ base: 100, account: '600' }],
    })
    expect(goods.warnings.map(({ code }: { code: string }) => code)).toContain('import_without_customs')
    const services = await enter(world, { ...from, supplierNumber: 'V-79', taxLines: [{ base: 100 }] })
    expect(services.taxLines[0]).toMatchObject({
      nature: 'foreign_services',
      taxTreatment: 'S2',
      vatRate: 7,
      tax: 7,
      selfAssessed: true,
    })
  })
})

describe('a company of Ceuta', () => {
  test('copies the rate of IPSI from the document, and deducts only what it says', async () => {
    const world = await ceuta()
    const bill = { ...BILL, supplier: { address: place('51001') } }
    expect(await refusal(world, bill)).toEqual(['taxLines[0].vatRate: rate_not_chosen'])
    expect(await enter(world, { ...bill, taxLines: [{ base: 100, vatRate: 4 }] })).toMatchObject({
      tax: 4,
      deductible: 0,
    })
    expect(
      await enter(world, {
        ...bill,
        supplierNumber: 'V-78',
        taxLines: [{ base: 100, vatRate: 4, deductiblePct: 100 }],
      }),
    ).toMatchObject({ deductible: 4 })
    expect(new Set(await counted(world))).toEqual(new Set(['ipsi 400']))
  })

  test('10 % charged by a supplier of the mainland is VAT, although IPSI has that rate too', async () => {
    const world = await ceuta()
    const bill = await enter(world, {
      ...BILL,
      supplier: { address: place('28013') },
      taxLines: [{ base: 100, vatRate: 10, tax: 10 }],
    })
    expect(bill).toMatchObject({ base: 110, tax: 0 })
  })
})

test('a company of the mainland: IGIC charged by a supplier of the islands is a cost, and a DUA needs its base', async () => {
  const world = await openWorld()
  const bill = await enter(world, { ...BILL, taxLines: [{ base: 100, vatRate: 7, tax: 7 }] })
  expect(bill).toMatchObject({ base: 107, tax: 0 })
  expect(await refusal(world, { ...DUA, taxLines: [{ base: 0, vatRate: 21, tax: 21 }] })).toContain(
    'taxLines[0].base: customs_base_missing',
  )
})
