/** Unusual rows of Odoo, one at a time: missing values, invalid numbers, taxes of all kinds, prices that include tax. */
import { describe, expect, test } from 'vitest'
import { readMove } from '../../../../server/integrations/erp/odoo/documents.ts'
import { readPartner, readProduct } from '../../../../server/integrations/erp/odoo/records.ts'
import { resolved, taxesOfNotes, taxesToNote } from '../../../../server/integrations/erp/odoo/taxes.ts'
import type { Tax, Taxes } from '../../../../server/integrations/erp/odoo/taxes.ts'
import { RowFault } from '../../../../server/integrations/erp/reading/untrusted-values.ts'
import type { Json } from '../../../../server/integrations/erp/reading/untrusted-values.ts'

const vat = (rateBp: number): Tax => ({ role: 'vat', rateBp, children: [] })
const TAXES: Taxes = new Map<number, Tax>([
  [31, vat(2100)],
  [35, { role: 'withholding', rateBp: -1500, children: [] }],
  [36, { role: 'surcharge', rateBp: 520, children: [] }],
  [50, { role: 'vat', rateBp: null, children: [31, 35] }],
  [51, { role: 'vat', rateBp: null, children: [] }],
  [52, vat(2100)],
  [53, vat(-2100)],
])

const MOVE: Json = {
  id: 900,
  name: 'INV/2026/00007',
  move_type: 'out_invoice',
  state: 'posted',
  payment_state: 'not_paid',
  partner_id: [41, 'Panadería Ebro SL'],
  invoice_date: '2026-02-10',
  invoice_date_due: false,
  currency_id: [125, 'EUR'],
  amount_untaxed: 100,
  amount_tax: 21,
  amount_total: 121,
  amount_residual: 121,
  ref: false,
  write_date: '2026-03-02 08:00:00',
}
const LINE: Json = {
  id: 1,
  move_id: [900, ''],
  sequence: 10,
  display_type: 'product',
  name: 'Mantenimiento',
  quantity: 1,
  price_unit: 100,
  discount: 0,
  tax_ids: [31],
  price_subtotal: 100,
  product_id: false,
}

const read = (move: Json = {}, lines: Json[] = [{}], side: 'issued' | 'received' = 'issued') =>
  readMove(
    { ...MOVE, ...move },
    lines.map((line, at) => ({ ...LINE, id: at + 1, ...line })),
    { side, taxes: TAXES, companyCurrency: 'EUR' },
  )

const faultOf = (move: Json): [string, string | null] | null => {
  try {
    read(move)
    return null
  } catch (error) {
    expect(error).toBeInstanceOf(RowFault)
    const { reason, field } = error as RowFault
    return [reason, field]
  }
}

describe('the taxes of a document', () => {
  test('are distinguished by the rates where none are booked', () => {
    const found = read({ amount_tax: 11.2, amount_total: 111.2 }, [{ tax_ids: [31, 36, 35] }])
    expect(found).toMatchObject({
      taxCents: 2100,
      surchargeCents: 520,
      withholdingCents: 1500,
      totalCents: 11120,
    })
    expect(found?.lines[0]).toMatchObject({ vatBp: 2100, surchargeBp: 520, withholdingBp: 1500 })
    expect(found?.warnings).toEqual([])
  })

  test('are those that are booked, where a cent was moved by hand', () => {
    const found = read({ amount_tax: 6.01, amount_total: 106.01 }, [
      { tax_ids: [31, 35] },
      { display_type: 'tax', tax_line_id: [31, ''], amount_currency: -21.01, sequence: 100 },
      { display_type: 'tax', tax_line_id: [35, ''], amount_currency: 15, sequence: 100 },
    ])
    expect(found).toMatchObject({ taxCents: 2101, withholdingCents: 1500, amountCheck: 'ok', warnings: [] })
    expect(found?.lines).toHaveLength(1)
  })

  test('of a group are its members', () => {
    const found = read({ amount_tax: 6, amount_total: 106 }, [{ tax_ids: [50] }])
    expect(found).toMatchObject({ taxCents: 2100, withholdingCents: 1500 })
    expect(found?.lines[0]).toMatchObject({ vatBp: 2100, withholdingBp: 1500, taxKeys: ['50'] })
  })

  test('of a reverse charge written as two halves are zero', () => {
    const found = read(
      { move_type: 'in_invoice', amount_tax: 0, amount_total: 100 },
      [{ tax_ids: [52, 53] }],
      'received',
    )
    expect(found).toMatchObject({ taxCents: 0, withholdingCents: 0 })
    expect(found?.lines[0]?.vatBp).toBe(0)
  })

  test('that are unknown, or not a percentage, cause a warning', () => {
    expect(read({}, [{ tax_ids: [99] }])?.warnings).toEqual(['tax_unknown'])
    const fixed = read({}, [{ tax_ids: [51] }])
    expect([fixed?.warnings, fixed?.lines[0]?.vatBp]).toEqual([['tax_unknown'], null])
  })

  test('are restored from the notes', () => {
    expect(taxesOfNotes({ taxes: JSON.parse(JSON.stringify(taxesToNote(TAXES))) })).toEqual(TAXES)
    for (const taxes of [undefined, 'x', {}, [[1]], [['a', 'vat', 1, []]]])
      expect(taxesOfNotes({ taxes })).toBe(null)
    expect(resolved([50], new Map([[50, { role: 'vat', rateBp: null, children: [1] }]]))).toEqual({
      found: [],
      unknown: true,
    })
  })
})

describe('a line', () => {
  test('with tax included in the price gets the price without it', () => {
    const found = read({}, [{ price_unit: 121, tax_ids: [31] }])
    expect(found?.lines[0]).toMatchObject({ unitPrice: 100_000_000, netCents: 10_000 })
    const discounted = read({}, [{ price_unit: 60.5, quantity: 2.5, discount: 20, price_subtotal: 100 }])
    expect(discounted?.lines[0]).toMatchObject({
      unitPrice: 50_000_000,
      discountBp: 2000,
      quantity: 2_500_000,
    })
  })

  test('keeps a price that rounding alone explains', () => {
    const found = read({ amount_untaxed: 0.01, amount_tax: 0, amount_total: 0.01 }, [
      { price_unit: 0.0049, quantity: 1, price_subtotal: 0.01 },
    ])
    expect(found?.lines[0]?.unitPrice).toBe(4900)
  })

  test('with a quantity of zero or a discount of 100 % is read', () => {
    expect(read({}, [{ quantity: 0 }])?.lines[0]).toMatchObject({ quantity: 0, unitPrice: 100_000_000 })
    expect(read({}, [{ discount: 100, price_subtotal: 0 }])?.lines[0]).toMatchObject({
      discountBp: 10_000,
      netCents: 0,
    })
    expect(read({}, [{ name: false, product_id: [5, 'Harina'] }])?.lines[0]?.description).toBe('Harina')
  })

  test('keeps its position', () => {
    const lines = [
      { name: 'c', sequence: 12, price_subtotal: 20 },
      { name: 'b', sequence: 11, price_subtotal: 30 },
      { name: 'a', sequence: 11, price_subtotal: 50, id: 0 },
    ]
    const found = read({}, lines)
    expect([found?.lines.map(({ description }) => description), found?.warnings]).toEqual([
      ['a', 'b', 'c'],
      [],
    ])
  })
})

describe('a document', () => {
  test('that does not add up is stored and marked', () => {
    expect(read({ amount_total: 122 })).toMatchObject({
      amountCheck: 'failed',
      warnings: ['totals_unreconciled'],
    })
    expect(read({}, [{ price_subtotal: 90 }])?.warnings).toEqual(['lines_unreconciled'])
    expect(read({}, [])?.warnings).toEqual(['lines_unreconciled'])
  })

  test.each<[Json, [string, string] | null]>([
    [{ id: false }, ['missing_id', 'id']],
    [{ state: 'weird' }, ['wrong_shape', 'state']],
    [{ partner_id: false }, null],
    [{ invoice_date: '2026-02-30' }, ['impossible_date', 'invoice_date']],
    [{ invoice_date: false, date: false }, ['missing_date', 'invoice_date']],
    [{ invoice_date: false, date: '2026-02-11' }, null],
    [{ amount_total: false }, ['unreadable_amount', 'amount_total']],
    [{ amount_total: 'many' }, ['unreadable_amount', 'amount_total']],
    [{ amount_untaxed: 1e15 }, ['amount_out_of_range', 'amount_untaxed']],
    [{ amount_residual: [] }, ['unreadable_amount', 'amount_residual']],
  ])('with %j', (move, fault) => expect(faultOf(move)).toEqual(fault))

  test('without a partner is stored with a warning, whether posted or a draft', () => {
    for (const state of ['posted', 'draft'])
      expect(read({ state, partner_id: false, commercial_partner_id: false })).toMatchObject({
        party: { externalId: null, name: '', taxId: null },
        warnings: ['party_missing'],
      })
    expect(read({ state: 'draft', invoice_date: false, name: false })).toMatchObject({
      issueDate: null,
      number: null,
    })
  })

  test('belongs to the company of the named person, not to the person', () => {
    const found = read({
      partner_id: [77, 'Panadería Ebro SL, Ana'],
      commercial_partner_id: [41, 'Panadería Ebro SL'],
    })
    expect(found?.party).toEqual({ externalId: '41', name: 'Panadería Ebro SL', taxId: null })
  })

  test('of a company with books in another currency has euros only when it is in euros', () => {
    const books = {
      company_currency_id: [2, 'USD'],
      amount_untaxed_signed: 110,
      amount_tax_signed: 23.1,
      amount_total_signed: 133.1,
    }
    expect(read(books)).toMatchObject({ fxRate: '1', eur: { totalCents: 12_100 } })
    const pounds = read({ ...books, currency_id: [3, 'GBP'] })
    expect(pounds).toMatchObject({ currency: 'GBP', fxRate: null, eur: null, warnings: ['rate_missing'] })
  })

  test('in another currency with withholding converts its euros by its rate', () => {
    const books = {
      currency_id: [2, 'USD'],
      amount_untaxed_signed: 50,
      amount_tax_signed: 3,
      amount_total_signed: 53,
    }
    const found = read({ ...books, amount_tax: 6, amount_total: 106 }, [{ tax_ids: [31, 35] }])
    expect(found).toMatchObject({ fxRate: '2', eur: { netCents: 5000, taxCents: 1050, totalCents: 5300 } })
  })

  test('without a currency counts as euros, with a warning', () => {
    expect(read({ currency_id: false })).toMatchObject({ currency: 'EUR', warnings: ['currency_assumed'] })
  })

  test('cannot contain characters that no screen shows', () => {
    const found = read({ partner_id: [41, 'Ebro\u202e LS\u0000'], name: 'INV\n1' }, [
      { name: 'a\u200bb\r\nc' },
    ])
    expect([found?.party.name, found?.number, found?.lines[0]?.description]).toEqual([
      'Ebro LS',
      'INV 1',
      'ab\nc',
    ])
  })
})

test('a partner without a name is set aside, and a wrong Spanish number is stored and marked', () => {
  expect(() => readPartner({ id: 1, name: false })).toThrow(RowFault)
  const wrong = readPartner({ id: 1, name: 'Ana', vat: 'ES12345678A', country_code: 'ES' })
  expect(wrong).toMatchObject({
    taxId: '12345678A',
    taxIdCountry: 'ES',
    warnings: ['tax_id_invalid'],
    isPerson: null,
  })
  const french = readPartner({
    id: 2,
    name: 'Atelier',
    vat: 'FR40303265045',
    country_code: 'FR',
    is_company: true,
  })
  expect(french).toMatchObject({ taxId: 'FR40303265045', taxIdCountry: 'FR', warnings: [], isPerson: false })
})

test('a product is goods, a service or a variant', () => {
  const row: Json = {
    id: 7,
    name: 'Delantal',
    type: 'consu',
    lst_price: 13,
    list_price: 12,
    currency_id: [125, 'EUR'],
    taxes_id: [31],
  }
  expect(readProduct(row, TAXES)).toMatchObject({
    kind: 'product',
    unitPrice: 13_000_000,
    cost: null,
    vatBp: 2100,
    warnings: [],
  })
  expect(readProduct({ ...row, type: 'service' }, TAXES).kind).toBe('service')
  const variant = {
    ...row,
    product_template_attribute_value_ids: [3],
    product_tmpl_id: [70, 'Delantal'],
    active: false,
  }
  expect(readProduct(variant, TAXES)).toMatchObject({
    kind: 'variant',
    parentExternalId: '70',
    archived: true,
  })
  expect(readProduct({ ...row, taxes_id: [99], currency_id: false }, TAXES)).toMatchObject({
    vatBp: null,
    currency: 'EUR',
    warnings: ['tax_unknown', 'currency_assumed'],
  })
})
