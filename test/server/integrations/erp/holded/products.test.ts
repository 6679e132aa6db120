/** The catalogue: products, variants that inherit missing values, services. */
import { expect, test } from 'vitest'
import { readList } from '../../../../../server/integrations/erp/holded/client.ts'
import { memoryOf } from '../../../../../server/integrations/erp/holded/notes.ts'
import type { Flavour } from '../../../../../server/integrations/erp/holded/notes.ts'
import { taxesOf } from '../../../../../server/integrations/erp/holded/taxes.ts'
import type { NeutralItem, Reject } from '../../../../../server/integrations/erp/port.ts'
import type { Json } from '../../../../../server/integrations/erp/reading/untrusted-values.ts'
import { TAXES, TODAY } from './account.ts'

const memory = { ...memoryOf({}), taxes: { on: TODAY, list: taxesOf(TAXES) } }

function read(rows: readonly unknown[], kind: 'product' | 'service' = 'product', flavour: Flavour = 'v2') {
  return readList(rows, kind, flavour, memory) as { records: NeutralItem[]; rejects: Reject[] }
}

const apron = (changes: Json = {}): Json => ({
  id: 'p1',
  name: 'Delantal',
  description: 'De lino',
  sku: 'DEL',
  barcode: '8400000000017',
  price: '12.50',
  cost: null,
  purchase_price: '7.125',
  taxes: ['s_iva_21'],
  archived: false,
  variants: [],
  ...changes,
})

test('a complete product is read', () => {
  expect(read([apron()])).toEqual({
    rejects: [],
    records: [
      {
        record: 'item',
        externalId: 'p1',
        externalKind: 'product',
        rawVersion: 1,
        warnings: [],
        kind: 'product',
        name: 'Delantal',
        sku: 'DEL',
        barcode: '8400000000017',
        description: 'De lino',
        unitPrice: 12_500_000,
        cost: 7_125_000,
        currency: 'EUR',
        vatBp: 2100,
        taxKeys: ['s_iva_21'],
        archived: false,
        parentExternalId: null,
      },
    ],
  })
})

test('a variant has its own values, and inherits the others from its product', () => {
  const variants = [
    { id: 'v1', sku: 'DEL-S', price: '13' },
    { id: 'v2', price: null, cost: '6', archived: true },
  ]
  const [, small, large] = read([apron({ variants })]).records
  expect(small).toMatchObject({
    externalKind: 'variant',
    kind: 'variant',
    name: 'Delantal (DEL-S)',
    unitPrice: 13_000_000,
    cost: 7_125_000,
    barcode: null,
    vatBp: 2100,
    parentExternalId: 'p1',
  })
  expect(large).toMatchObject({ name: 'Delantal', unitPrice: 12_500_000, cost: 6_000_000, archived: true })
  const gone = read([apron({ archived: true, variants: [{ id: 'v1', archived: false }] })]).records
  expect(gone.map(({ archived }) => archived)).toEqual([true, true])
})

test('an unreadable variant leaves its product, and names its position', () => {
  const { records, rejects } = read([
    apron({ id: 'p0' }),
    apron({ variants: [{ sku: 'x' }, { id: 'v2' }, 7] }),
    { id: 'p2', variants: [{ id: 'v9' }] },
  ])
  expect(records.map(({ externalId }) => externalId)).toEqual(['p0', 'p1', 'v2'])
  expect(rejects.map(({ externalKind, position, reason }) => [externalKind, position, reason])).toEqual([
    ['product', 2, 'missing_name'],
    ['variant', 1, 'missing_id'],
    ['variant', 1, 'not_an_object'],
  ])
})

test('a missing price is null, and an unreadable one causes a warning', () => {
  expect(read([apron({ price: '' })]).records[0]?.unitPrice).toBeNull()
  expect(read([apron({ price: '1.2.3' })]).rejects).toMatchObject([
    { reason: 'unreadable_amount', field: 'price' },
  ])
})

test('an unknown tax is kept with a warning', () => {
  expect(read([apron({ taxes: ['raro'] })]).records[0]).toMatchObject({
    vatBp: null,
    taxKeys: ['raro'],
    warnings: ['tax_unknown'],
  })
})

test('services, and the older names, are read', () => {
  expect(read([{ id: 's1', name: 'Hora', price: 45, taxes: ['t2'] }], 'service').records[0]).toMatchObject({
    kind: 'service',
    externalKind: 'service',
    vatBp: 1000,
    sku: null,
  })
  const older = {
    id: 'p1',
    name: 'Delantal',
    desc: 'De lino',
    price: 12.5,
    purchasePrice: 7,
    tax: 21,
    taxes: [],
    variants: [{ id: 'v1', purchasePrice: 6 }],
  }
  expect(read([older], 'product', 'v1').records).toMatchObject([
    { description: 'De lino', cost: 7_000_000, vatBp: 2100 },
    { externalKind: 'variant', cost: 6_000_000, unitPrice: 12_500_000 },
  ])
})
