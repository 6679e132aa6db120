/** Taxes of lines: by identifier, by key, and by the letters of a key only when the list lacks it. */
import { expect, test } from 'vitest'
import { percentBp, ratesOf, taxBook, taxesOf } from '../../../../../server/integrations/erp/holded/taxes.ts'
import { TAXES } from './account.ts'

const book = taxBook(taxesOf(TAXES))
const rates = (taxes: unknown) => {
  const { vatBp, surchargeBp, withholdingBp, unknown } = ratesOf(taxes, book)
  return [vatBp, surchargeBp, withholdingBp, unknown]
}

test.each([
  [['s_iva_21'], [2100, null, null, false]],
  [['s_iva_5'], [200, null, null, false]],
  [
    ['t2', 's_req_14'],
    [1000, 140, null, false],
  ],
  [
    ['t1', 's_ret_7'],
    [2100, null, 700, false],
  ],
  // Owed by the buyer, whatever the list's rate: the document shows none.
  [['p_iva_isp'], [0, null, null, false]],
  [
    [{ id: 't2' }, { key: 't3' }],
    [1000, null, 700, false],
  ],
  ['s_iva_10', [1000, null, null, false]],
  [[], [null, null, null, false]],
  [null, [null, null, null, false]],
])('taxes are read by identifier and key: %j', (taxes, expected) => expect(rates(taxes)).toEqual(expected))

test.each([
  ['s_iva_4', [400, null, null, false]],
  ['s_igic_7', [700, null, null, false]],
  ['s_req_52', [null, 520, null, false]],
  ['p_rec_05', [null, 50, null, false]],
  ['p_ret_15', [null, null, 1500, false]],
  ['s_iva_intra', [0, null, null, false]],
  ['s_req_99', [null, null, null, true]],
  ['s_otro_7', [null, null, null, true]],
  ['64b0ffff', [null, null, null, true]],
  // A fixed amount is not a percentage.
  ['s_ecotasa', [null, null, null, true]],
])('%s has no rate in the list: it is read from its key, or is unknown', (key, expected) =>
  expect(rates([key])).toEqual(expected),
)

test('an unknown tax keeps its key, and does not hide a known one', () => {
  expect(ratesOf(['nuevo', 's_iva_21'], book)).toEqual({
    keys: ['nuevo', 's_iva_21'],
    vatBp: 2100,
    surchargeBp: null,
    withholdingBp: null,
    unknown: true,
  })
})

test('the older list shows the kind of a tax by its group', () => {
  const list = taxesOf([
    { key: 'x1', group: 'ret', amount: '15', type: 'percentage' },
    { key: 'x2', group: 'req', amount: '0.5', type: 'percentage' },
    { key: 'x3', group: 'igic', amount: '?' },
    'nonsense',
    { name: 'without either' },
  ])
  expect(list.map(({ key, kind, rateBp }) => [key, kind, rateBp])).toEqual([
    ['x1', 'withholding', 1500],
    ['x2', 'surcharge', 50],
    ['x3', 'vat', null],
  ])
})

test('percentages may have a sign, a comma or a percent sign', () => {
  expect(['21', 21, '-15', '5,2', '0.26', '21 %', '101', '?', null, 'x1'].map(percentBp)).toEqual([
    2100,
    2100,
    1500,
    520,
    26,
    2100,
    null,
    null,
    null,
    null,
  ])
})
