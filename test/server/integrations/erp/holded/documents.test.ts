/**
 * Documents: sums that decide how texts are read, signs, withholding, currencies, states, and lines checked against
 * the header.
 */
import { describe, expect, test } from 'vitest'
import { readDocument } from '../../../../../server/integrations/erp/holded/documents.ts'
import type { DocumentKind } from '../../../../../server/integrations/erp/holded/documents.ts'
import type { DecimalSign } from '../../../../../server/integrations/erp/holded/decimals.ts'
import { legacyReader } from '../../../../../server/integrations/erp/holded/names.ts'
import { taxBook, taxesOf } from '../../../../../server/integrations/erp/holded/taxes.ts'
import { RowFault } from '../../../../../server/integrations/erp/reading/untrusted-values.ts'
import type { Json } from '../../../../../server/integrations/erp/reading/untrusted-values.ts'
import type { NeutralDocument } from '../../../../../server/integrations/erp/port.ts'
import { invoiceRow, lineRow, TAXES } from './account.ts'

const book = taxBook(taxesOf(TAXES))

function read(
  changes: Json = {},
  kind: DocumentKind = 'invoice',
  sign: DecimalSign = 'dot',
): NeutralDocument {
  return readDocument(invoiceRow(changes), { kind, flavour: 'v2', sign, book })
}

/** Reads a document as the older API writes it: other names, numbers, seconds. */
function readOlder(changes: Json = {}, kind: DocumentKind = 'invoice'): NeutralDocument {
  const row = {
    id: 'd9',
    contact: 'c1',
    contactName: 'Talleres Duero SL',
    date: 1_777_845_600,
    dueDate: 0,
    docNumber: 'F-9',
    products: [{ name: 'Horas', units: 10, price: 30, discount: 0, tax: 21, taxes: [], retention: 0 }],
    subtotal: 300,
    discount: 0,
    tax: 63,
    total: 363,
    currency: 'eur',
    currencyChange: 1,
    status: 0,
    draft: null,
    approvedAt: 1_777_881_600,
    paymentsTotal: 0,
    paymentsPending: 363,
    ...changes,
  }
  return legacyReader((newer) => readDocument(newer, { kind, flavour: 'v1', sign: 'dot', book }))(row)
}

/** net, VAT, surcharge, withholding, total */
const sums = (document: NeutralDocument): number[] => [
  document.netCents,
  document.taxCents,
  document.surchargeCents,
  document.withholdingCents,
  document.totalCents,
]

test('a complete document is read', () => {
  expect(read()).toEqual({
    record: 'document',
    externalId: 'd1',
    externalKind: 'invoice',
    rawVersion: 1,
    warnings: [],
    side: 'issued',
    docKind: 'invoice',
    number: 'F-12',
    supplierNumber: null,
    issueDate: '2026-05-04',
    dueDate: '2026-06-03',
    party: { externalId: 'c1', name: 'Talleres Duero SL', taxId: null },
    description: null,
    currency: 'EUR',
    fxRate: '1',
    netCents: 30000,
    taxCents: 6300,
    surchargeCents: 0,
    withholdingCents: 0,
    totalCents: 36300,
    paidCents: 0,
    pendingCents: 36300,
    eur: { netCents: 30000, taxCents: 6300, totalCents: 36300 },
    state: 'approved',
    paymentState: 'unpaid',
    lines: [
      {
        description: 'Horas',
        quantity: 10_000_000,
        unitPrice: 30_000_000,
        discountBp: 0,
        taxKeys: ['s_iva_21'],
        vatBp: 2100,
        surchargeBp: null,
        withholdingBp: null,
        netCents: 30000,
      },
    ],
    amountCheck: 'ok',
  })
})

describe('amounts', () => {
  const thousands = {
    subtotal: '1.000',
    tax: '210',
    total: '1.210',
    payments_pending: '1.210',
    lines: [lineRow({ units: '1', price: '1.000' })],
  }

  test.each([
    // The account's separator is not known yet, or differs: the sums decide.
    ['dot', thousands],
    ['comma', thousands],
    [
      'dot',
      {
        ...thousands,
        subtotal: '1,000',
        total: '1,210',
        payments_pending: '1,210',
        lines: [lineRow({ units: '1', price: '1,000' })],
      },
    ],
  ] as const)(
    'with account %s, a thousand is read as one where only that makes the sums correct',
    (sign, changes) => {
      const document = read(changes, 'invoice', sign)
      expect(sums(document)).toEqual([100000, 21000, 0, 0, 121000])
      expect(document).toMatchObject({ pendingCents: 121000, amountCheck: 'ok', warnings: [] })
      expect(document.lines[0]?.unitPrice).toBe(1_000_000_000)
    },
  )

  test('include a discount of the whole document, deducted or already in the sum', () => {
    const lines = [lineRow({ price: '30.00' })]
    const off = read({ subtotal: '300.00', discount: '50.00', tax: '52.50', total: '302.50', lines })
    expect(sums(off)).toEqual([25000, 5250, 0, 0, 30250])
    expect(sums(read({ discount: '10', lines }))).toEqual([30000, 6300, 0, 0, 36300])
    expect(off.warnings).toEqual([])
    // The withholding is deducted from the rest.
    const withheld = {
      discount: '50.00',
      tax: '35.00',
      total: '285.00',
      lines: [lineRow({ taxes: ['s_iva_21', 't3'] })],
    }
    expect(sums(read(withheld))).toEqual([25000, 5250, 0, 1750, 28500])
  })

  test('that do not add up stay as stated, with a warning', () => {
    const document = read({ tax: '60.00' })
    expect(sums(document)).toEqual([30000, 6000, 0, 0, 36300])
    expect(document).toMatchObject({ amountCheck: 'failed', warnings: ['totals_unreconciled'] })
    // Two cents are rounding.
    expect(read({ total: '363.02' }).amountCheck).toBe('ok')
    expect(read({ total: '363.03' }).amountCheck).toBe('failed')
  })

  test('that are missing are computed from the rest, but never assumed to be zero', () => {
    expect(read({ tax: '?' })).toMatchObject({ taxCents: 6300, amountCheck: 'skipped' })
    expect(read({ subtotal: '' })).toMatchObject({ netCents: 30000, amountCheck: 'skipped' })
    expect(read({ total: null })).toMatchObject({ totalCents: 36300, amountCheck: 'skipped' })
    for (const part of [{ tax: '?' }, { subtotal: '' }, { total: null }, { total: 'pendiente' }])
      expect(read(part).warnings, JSON.stringify(part)).toContain('amounts_incomplete')
    expect(read({}).warnings).toEqual([])
    expect(read({ payments_total: '', payments_pending: null })).toMatchObject({
      paidCents: null,
      pendingCents: null,
    })
    expect(() => read({ subtotal: null, total: null })).toThrow(new RowFault('unreadable_amount', 'total'))
    expect(() => read({ subtotal: null, tax: null })).toThrow(new RowFault('unreadable_amount', 'subtotal'))
    expect(() => read({ total: 'mucho 1' })).toThrow(new RowFault('unreadable_amount', 'total'))
    expect(() => read({ subtotal: '1e20' })).toThrow(new RowFault('amount_out_of_range', 'subtotal'))
  })
})

describe('taxes', () => {
  test.each([
    // The header's tax is VAT less withholding.
    [
      { tax: '42.00', total: '342.00', lines: [lineRow({ taxes: ['s_iva_21', 's_ret_7'] })] },
      [30000, 6300, 0, 2100, 34200],
    ],
    // Or VAT alone, and the total includes the withholding.
    [
      { tax: '63.00', total: '342.00', lines: [lineRow({ taxes: ['s_iva_21', 's_ret_7'] })] },
      [30000, 6300, 0, 2100, 34200],
    ],
    // Withholding as a number beside the keys.
    [{ tax: '42.00', total: '342.00', lines: [lineRow({ retention: '7' })] }, [30000, 6300, 0, 2100, 34200]],
    [
      { tax: '42.00', total: '342.00', lines: [lineRow({ taxes: ['s_iva_21', 't3'], retention: 7 })] },
      [30000, 6300, 0, 2100, 34200],
    ],
    // Equivalence surcharge.
    [
      { tax: '34.20', total: '334.20', lines: [lineRow({ taxes: ['s_iva_10', 's_req_14'] })] },
      [30000, 3000, 420, 0, 33420],
    ],
    // Only some lines have withholding.
    [
      {
        tax: '49.00',
        total: '349.00',
        lines: [lineRow({ units: '5' }), lineRow({ units: '5', taxes: ['s_iva_21', 's_ret_7'] })],
        id: 'd2',
      },
      [30000, 5950, 0, 1050, 34900],
    ],
    // Reverse charge.
    [{ tax: '0', total: '300', lines: [lineRow({ taxes: ['p_iva_isp'] })] }, [30000, 0, 0, 0, 30000]],
  ])('%j', (changes, expected) => {
    const document = read(changes)
    expect(sums(document)).toEqual(expected)
    expect(document.amountCheck).toBe('ok')
  })

  test('that are unknown keep their key without a rate, with a warning', () => {
    const document = read({ lines: [lineRow({ taxes: ['64b0dead'] })] })
    expect(document.lines).toMatchObject([{ taxKeys: ['64b0dead'], vatBp: null }])
    expect(document).toMatchObject({ taxCents: 6300, warnings: ['tax_unknown'] })
  })

  test('of the older API have the rate beside the keys; in the newer one that field is not a rate', () => {
    expect(readOlder().lines[0]?.vatBp).toBe(2100)
    expect(read({ lines: [lineRow({ taxes: [], tax: '21.00' })] }).lines[0]?.vatBp).toBeNull()
  })
})

describe('lines', () => {
  const discounted = { subtotal: '270.00', tax: '56.70', total: '326.70' }

  test.each([
    ['10', 1000],
    ['30.00', 1000],
    ['30,00', 1000],
  ])(
    'with a discount of %s have a percentage or an amount, whichever matches the sum',
    (discount, discountBp) => {
      const document = read({ ...discounted, lines: [lineRow({ discount })] })
      expect(document.lines).toMatchObject([{ discountBp, netCents: 27000, unitPrice: 30_000_000 }])
      expect(document.warnings).toEqual([])
    },
  )

  test('of one document share one reading', () => {
    const lines = [
      lineRow({ units: '1', price: '100', discount: '10' }),
      lineRow({ units: '1', price: '190', discount: '10' }),
    ]
    expect(
      read({ subtotal: '270.00', tax: '56.70', total: '326.70', lines }).lines.map(
        ({ netCents }) => netCents,
      ),
    ).toEqual([9000, 18000])
  })

  test('that do not give the sum are kept with a warning, and the header decides', () => {
    const document = read({ lines: [lineRow({ price: '29.00' })] })
    expect(document).toMatchObject({ netCents: 30000, warnings: ['lines_unreconciled'] })
    expect(document.lines).toHaveLength(1)
    expect(read({ lines: [] }).warnings).toEqual(['lines_unreconciled'])
  })

  test('may be rounded one by one, or only in their sum', () => {
    const lines = Array.from({ length: 30 }, () => lineRow({ units: '1', price: '0.333' }))
    expect(read({ subtotal: '9.99', tax: '2.10', total: '12.09', lines }).warnings).toEqual([])
    expect(read({ subtotal: '9.90', tax: '2.08', total: '11.98', lines }).warnings).toEqual([])
  })

  test('without a price are text, and without a quantity count one', () => {
    const lines = [lineRow({ price: null, units: '', name: 'Nota' }), lineRow({ units: null, price: '300' })]
    expect(read({ lines }).lines).toMatchObject([
      { description: 'Nota', unitPrice: 0, netCents: 0 },
      { quantity: 1_000_000, netCents: 30000 },
    ])
  })

  test('have their longer text below their name', () => {
    expect(read({ lines: [lineRow({ description: 'De mayo' })] }).lines[0]?.description).toBe(
      'Horas\nDe mayo',
    )
    expect(read({ lines: [lineRow({ name: '', description: 'De mayo' })] }).lines[0]?.description).toBe(
      'De mayo',
    )
  })
})

describe('a document', () => {
  test.each(['creditnote', 'receiptnote', 'purchaserefund'] as const)('of kind %s is negative', (kind) => {
    const document = read({ payments_total: '63.00', payments_pending: '300.00' }, kind)
    expect(sums(document)).toEqual([-30000, -6300, 0, 0, -36300])
    expect(document).toMatchObject({
      paidCents: -6300,
      pendingCents: -30000,
      paymentState: 'partial',
      warnings: [],
    })
    expect(document.lines).toMatchObject([{ quantity: -10_000_000, unitPrice: 30_000_000, netCents: -30000 }])
    expect(document.eur?.totalCents).toBe(-36300)
  })

  test('with a negative amount already stays so', () => {
    const back = {
      subtotal: '-300',
      tax: '-63',
      total: '-363',
      payments_pending: '363',
      lines: [lineRow({ units: '-10' })],
    }
    for (const kind of ['creditnote', 'purchase'] as const) {
      expect(sums(read(back, kind))).toEqual([-30000, -6300, 0, 0, -36300])
      expect(read(back, kind).pendingCents).toBe(-36300)
    }
    expect(read(back, 'purchase')).toMatchObject({ docKind: 'refund', externalKind: 'purchase' })
  })

  test('of zero never becomes negative zero', () => {
    const free = read(
      { subtotal: '0', tax: '0', total: '0', payments_pending: '0', lines: [lineRow({ price: '0' })] },
      'creditnote',
    )
    const numbers = [free, free.lines[0], free.eur].flatMap((part) => Object.values(part ?? {}) as unknown[])
    expect(numbers.filter((value) => Object.is(value, -0))).toEqual([])
    expect(free).toMatchObject({ totalCents: 0, paymentState: 'paid' })
  })

  test.each([
    ['invoice', 'issued', 'invoice'],
    ['salesreceipt', 'issued', 'simplified'],
    ['creditnote', 'issued', 'rectifying'],
    ['receiptnote', 'issued', 'rectifying'],
    ['purchase', 'received', 'invoice'],
    ['purchaserefund', 'received', 'refund'],
  ] as const)('of kind %s becomes %s, %s', (kind, side, docKind) => {
    expect(read({}, kind)).toMatchObject({
      side,
      docKind,
      supplierNumber: side === 'received' ? 'F-12' : null,
    })
  })
})

describe('amounts in another currency', () => {
  test('are divided by the rate', () => {
    expect(read({ currency: 'usd', currency_change: '1.2500' })).toMatchObject({
      currency: 'USD',
      fxRate: '1.25',
      totalCents: 36300,
      eur: { netCents: 24000, taxCents: 5040, totalCents: 29040 },
    })
  })

  test.each([undefined, null, '', '?', '0', 0, '1', '1.000', '-1.2'])(
    'have no rate when it is %j',
    (rate) => {
      expect(read({ currency: 'USD', currency_change: rate })).toMatchObject({
        fxRate: null,
        eur: null,
        warnings: ['rate_missing'],
      })
    },
  )

  test('without a code count as euros, with a warning, and an unreadable code rejects the row', () => {
    expect(read({ currency: '' })).toMatchObject({
      currency: 'EUR',
      fxRate: '1',
      warnings: ['currency_assumed'],
    })
    expect(() => read({ currency: 'US$' })).toThrow(new RowFault('wrong_shape', 'currency'))
  })

  test('on lines in euros are converted to that of the document, and unexplained lines are omitted', () => {
    const foreign = {
      currency: 'usd',
      currencyChange: 1.25,
      subtotal: 375,
      tax: 78.75,
      total: 453.75,
      paymentsPending: 453.75,
    }
    expect(readOlder(foreign).lines).toMatchObject([{ unitPrice: 37_500_000, netCents: 37500 }])
    expect(readOlder({ ...foreign, subtotal: 300, tax: 63, total: 363 }).lines).toMatchObject([
      { unitPrice: 30_000_000 },
    ])
    expect(readOlder({ ...foreign, subtotal: 100, tax: 21, total: 121 })).toMatchObject({
      lines: [],
      warnings: ['lines_unreconciled'],
    })
  })
})

describe('states', () => {
  test.each([
    [{}, 'approved'],
    [{ draft: true }, 'draft'],
    [{ approval_status: 'draft' }, 'draft'],
    [{ document_number: null, approved_at: null }, 'draft'],
    [{ draft: undefined, approved_at: undefined }, 'approved'],
    [{ status: 'cancelled' }, 'cancelled'],
    [{ status: 'canceled', draft: true }, 'cancelled'],
    [{ status: 'something_new' }, 'approved'],
  ])('of the newer API: %j is %s', (changes, state) => expect(read(changes).state).toBe(state))

  test('of a purchase without a number are approved, unless nothing shows that', () => {
    expect(read({ document_number: '', approved_at: null }, 'purchase')).toMatchObject({
      state: 'approved',
      number: null,
    })
    expect(read({ document_number: '', approved_at: null, draft: null }, 'purchase').state).toBe('draft')
  })

  test.each([
    [{ status: 0 }, 'approved'],
    [{ status: 0, approvedAt: null }, 'approved'],
    [{ status: 0, approvedAt: null, docNumber: '---' }, 'draft'],
    [{ status: 0, approvedAt: 0, docNumber: '' }, 'draft'],
    [{ status: 1, approvedAt: null, docNumber: '' }, 'approved'],
    [{ status: 1, approvedAt: null, docNumber: '', subtotal: 0, tax: 0, total: 0, products: [] }, 'draft'],
    [{ status: 2, approvedAt: null }, 'approved'],
    [{ status: '3', draft: true }, 'cancelled'],
    [{ draft: 1 }, 'draft'],
  ])('of the older API: %j is %s', (changes, state) => expect(readOlder(changes).state).toBe(state))

  test('allow only a draft without a date, which has no number', () => {
    expect(read({ draft: true, date: null, document_number: 'F-13' })).toMatchObject({
      issueDate: null,
      number: null,
    })
    expect(() => read({ date: '' })).toThrow(new RowFault('missing_date', 'date'))
    expect(() => read({ due_date: '2026-02-30' })).toThrow(new RowFault('impossible_date', 'due_date'))
    expect(() => readOlder({ dueDate: '2026-02-30' })).toThrow(new RowFault('impossible_date', 'dueDate'))
  })

  test.each([
    ['363.00', '0.00', 'pending', 'paid'],
    ['0.00', '363.00', 'completed', 'unpaid'],
    ['100.00', '263.00', 'pending', 'partial'],
    [null, '200.00', 'pending', 'partial'],
    ['363', null, 'pending', 'paid'],
    ['10', null, 'pending', 'partial'],
    ['0', null, 'pending', 'unpaid'],
    [null, null, 'completed', 'paid'],
    [null, null, 'pending', 'unpaid'],
    [null, null, 'other', 'unknown'],
    ['0', '0', 'completed', 'paid'],
    ['0', '0', 'pending', 'unknown'],
  ])('with paid %j, pending %j and %s give %s', (paid, pending, status, paymentState) =>
    expect(read({ payments_total: paid, payments_pending: pending, status }).paymentState).toBe(paymentState),
  )
})

test('a document without a party has none, and hostile text is sanitized', () => {
  const document = read({ contact_id: '', contact_name: null, description: 'a\u0000b\u202ec' })
  expect(document.party).toEqual({ externalId: null, name: '', taxId: null })
  expect(document.warnings).toContain('party_missing')
  expect(document.description).toBe('abc')
})
