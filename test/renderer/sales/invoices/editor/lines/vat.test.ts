/** Changes of a line by a choice of VAT: from the list, from the helper, from an item. */
import { expect, test } from 'vitest'
import { emptyLine } from '../../../../../../renderer/sales/invoices/editor/draft.ts'
import { withItem } from '../../../../../../renderer/sales/invoices/editor/lines/item-line.ts'
import type { Item } from '../../../../../../renderer/sales/invoices/editor/lines/item-line.ts'
import {
  SPECIAL,
  vatOfChosen,
  vatOfValue,
  vatValue,
} from '../../../../../../renderer/sales/invoices/editor/lines/vat.ts'
import type { ChosenTreatment } from '../../../../../../renderer/tax/question.ts'

const TODAY = '2026-11-21'
const CHOSEN: ChosenTreatment = {
  taxTreatment: 'S1',
  regimeKey: '01',
  vatRate: 21,
  surcharge: null,
  withholding: null,
  isDisbursement: false,
  cause: null,
  mention: null,
}

test('a rate or a reason from the list clears scheme, cause and cost', () => {
  const line = { ...emptyLine(TODAY), regimeKey: '03', costCents: 100, cause: 'used_goods' }
  expect(vatValue(line)).toBe(SPECIAL)
  expect({ ...line, ...vatOfValue('S1:1000', TODAY) }).toMatchObject({
    vatRateBp: 1000,
    regimeKey: null,
    costCents: null,
    cause: null,
  })
  expect(vatOfValue('E1', TODAY)).toMatchObject({ taxTreatment: 'E1', vatRateBp: 2100 })
})

test('a margin scheme from the helper asks for the cost, and has no surcharge', () => {
  const changes = vatOfChosen({ ...CHOSEN, regimeKey: '03', cause: 'used_goods' }, emptyLine(TODAY), TODAY)
  expect(changes).toMatchObject({
    regimeKey: '03',
    cause: 'used_goods',
    open: true,
    surchargeBp: null,
    costCents: null,
  })
})

test('the one-stop shop sets the rate of the other country', () => {
  const line = { ...emptyLine(TODAY), unread: { foreignRate: 'x', quantity: 'y' } }
  const changes = vatOfChosen(
    { ...CHOSEN, taxTreatment: 'N2', regimeKey: '17', vatRate: 19, cause: 'oss' },
    line,
    TODAY,
  )
  expect(changes).toMatchObject({ vatRateBp: 1900, open: true, unread: { quantity: 'y' } })
  expect(vatValue({ ...line, ...changes })).toBe(SPECIAL)
})

test('the helper states the surcharge even if there is none, so that the default is not added', () => {
  expect(vatOfChosen(CHOSEN, emptyLine(TODAY, true), TODAY).surchargeBp).toBe(0)
  expect(vatOfChosen({ ...CHOSEN, surcharge: 5.2 }, emptyLine(TODAY), TODAY).surchargeBp).toBe(520)
})

const ITEM = {
  id: 'itm_1',
  sku: 'S-1',
  name: 'Sesión',
  description: 'Sesión de una hora',
  unit: 'h',
  unitPrice: 121,
  priceMode: 'gross',
  vatRate: 21,
  taxTreatment: 'S1',
  cause: null,
  regimeKey: null,
  withholdable: false,
  account: '705',
  active: true,
} as Item

test("an item fills the line and keeps the quantity; its price is converted to the document's price mode", () => {
  const line = { ...emptyLine(TODAY), quantityMicro: 3_000_000 }
  const net = { rateDate: TODAY, surcharge: false, priceMode: 'net' } as const
  expect(withItem(line, ITEM, net)).toMatchObject({
    description: 'Sesión de una hora',
    quantityMicro: 3_000_000,
    unitPriceMicro: 100_000_000,
    unit: 'h',
    vatRateBp: 2100,
    account: '705',
    itemId: 'itm_1',
    withholdable: false,
  })
  expect(withItem(line, ITEM, { ...net, priceMode: 'gross' }).unitPriceMicro).toBe(121_000_000)
  const exempt = { ...ITEM, taxTreatment: 'E1', cause: 'training', vatRate: null } as Item
  expect(withItem(line, exempt, { ...net, surcharge: true })).toMatchObject({
    unitPriceMicro: 121_000_000,
    taxTreatment: 'E1',
    cause: 'training',
    surchargeBp: null,
  })
})
