/** The form of an item: no field is lost in a round trip. */
import { expect, test } from 'vitest'
import {
  EMPTY_ITEM,
  itemFaults,
  itemField,
  itemFormOf,
  itemInput,
} from '../../../../renderer/catalog/items/form.ts'
import { createItemContract } from '../../../../server/catalog/items/contract.ts'

const item: Parameters<typeof itemFormOf>[0] = {
  id: 'itm_1',
  sku: 'REV-01',
  name: 'Revisión',
  description: null,
  unit: 'h',
  unitPrice: 49.123456,
  priceMode: 'gross',
  vatRate: 10.5,
  taxTreatment: 'S1',
  cause: null,
  regimeKey: null,
  withholdable: false,
  account: '705',
  supply: 'services',
  active: true,
  metadata: { shop: '7' },
  version: 3,
  createdAt: '2026-11-21T10:00:00Z',
  updatedAt: '2026-11-21T10:00:00Z',
}

test('an item is unchanged after a round trip through its form', () => {
  const input = itemInput(itemFormOf(item))
  expect(createItemContract.input.parse(input)).toEqual(input)
  // The form has no fields for data of other programs, so they stay.
  const { id: _i, version: _v, createdAt: _c, updatedAt: _u, regimeKey: _r, metadata: _m, ...rest } = item
  expect(input).toEqual(rest)
})

test('the general rate is stored as no rate, and an item without VAT keeps its reason', () => {
  expect(itemInput(itemFormOf({ ...item, vatRate: null }))).toMatchObject({
    taxTreatment: 'S1',
    vatRate: null,
  })
  const exempt = { ...item, vatRate: null, taxTreatment: 'E1' as const, cause: 'x' }
  expect(itemInput(itemFormOf(exempt))).toMatchObject({ taxTreatment: 'E1', vatRate: null, cause: 'x' })
})

test('an empty form requires a name and a price', () => {
  expect(itemFaults({ ...EMPTY_ITEM }).map(({ words }) => words)).toEqual(['name', 'price'])
  expect(itemFaults({ ...EMPTY_ITEM, name: 'X', priceMicro: 0, account: '430' })).toEqual([
    { name: 'account', words: 'account' },
  ])
  expect([itemField('unitPrice'), itemField('vatRate'), itemField('nothing')]).toEqual([
    'priceMicro',
    'vat',
    null,
  ])
})
