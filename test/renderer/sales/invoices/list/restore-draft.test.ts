import { expect, test } from 'vitest'
import { draftInputOf } from '../../../../../renderer/sales/invoices/list/restore-draft.ts'
import { DraftInput, Invoice } from '../../../../../server/sales/invoices/contract.ts'

const draft: Invoice = Invoice.parse({
  id: 'inv_1',
  number: null,
  series: 'T-F2026',
  kind: 'F1',
  state: 'draft',
  issueDate: null,
  dueDate: '2026-12-21',
  clientName: 'Ana',
  clientNif: '50123456Q',
  base: 100,
  tax: 21,
  total: 121,
  amountDue: 106,
  currency: 'EUR',
  registry: { status: 'not_issued', errors: [] },
  payment: { status: 'unpaid' },
  version: 3,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  metadata: {},
  untrusted: true,
  lines: [
    {
      description: 'Mano de obra',
      quantity: 2,
      unit: 'h',
      unitPrice: 50,
      discountPct: 0,
      vatRate: 21,
      taxTreatment: 'S1',
      regimeKey: '01',
      surcharge: null,
      withholdable: true,
      isDisbursement: false,
      net: 100,
    },
    {
      description: 'Tasa',
      quantity: 1,
      unitPrice: 12.5,
      discountPct: 10,
      vatRate: null,
      taxTreatment: 'N1',
      regimeKey: '01',
      surcharge: null,
      withholdable: false,
      isDisbursement: true,
      net: 11.25,
    },
  ],
  taxBreakdown: [],
  surcharge: 0,
  disbursements: 11.25,
  withholding: { rate: 15, base: 100, amount: 15 },
  priceMode: 'net',
  client: {
    name: 'Ana',
    nif: '50123456Q',
    country: 'ES',
    address: { street: 'Calle 1', postalCode: '28001', city: 'Madrid', country: 'ES' },
    email: 'ana@example.invalid',
  },
  clientId: 'con_1',
  operationDate: null,
  simplifiedArt7273: false,
  taxName: 'IVA',
  outside: 0,
  replaced: 0,
  property: null,
  substitutes: [],
  substitutedBy: [],
  rectifies: [],
  rectifiedBy: [],
  rectified: 'no',
  notes: 'Gracias',
  language: 'es',
  paymentMethod: 'transfer',
  externalRef: null,
  customerReferences: null,
  legalMentions: [],
  contentHash: 'x',
  pdf: { status: 'none', signature: { level: 'none' }, languages: [] },
  payments: [],
  history: [],
  actions: ['edit'],
  links: { self: '/x' },
})

test('a deleted draft is recreated in the form of the API', () => {
  const input = draftInputOf(draft)
  expect(DraftInput.parse(input)).toEqual(input)
  expect(input).toMatchObject({
    clientId: 'con_1',
    series: 'T-F2026',
    dueDate: '2026-12-21',
    withholdingPct: 15,
    notes: 'Gracias',
    paymentMethod: 'transfer',
  })
  expect(input.client).toMatchObject({ email: 'ana@example.invalid', address: { city: 'Madrid' } })
})

test('nothing is inferred again: no surcharge is sent as 0, a line without rate stays without', () => {
  const [first, second] = draftInputOf(draft).lines
  expect(first).toMatchObject({ vatRate: 21, surcharge: 0, unit: 'h' })
  expect(second).not.toHaveProperty('vatRate')
  expect(second).toMatchObject({ taxTreatment: 'N1', discountPct: 10, isDisbursement: true })
})

test('discounts, costs, currency, references, reason and rent are restored as well', () => {
  const reference = { number: 'T-F2026-0001', issueDate: '2026-11-02' }
  const rare: Invoice = {
    ...draft,
    kind: 'R1',
    lines: draft.lines.map((line) => ({ ...line, discountAmount: 5, cause: 'used_goods', account: '700' })),
    discount: { pct: 10, amount: 0, base: 10 },
    inCurrency: {
      currency: 'USD',
      fxRate: 1.25,
      fxDate: '2026-11-20',
      fxSource: null,
      base: 100,
      tax: 21,
      total: 121,
      amountDue: 121,
    },
    rectifies: [{ id: 'inv_9', ...reference }],
    rectification: { method: 'I', cause: 'discount', reason: 'Descuento' },
    property: { situation: '1', cadastralRef: '9872023VH5797S0001WX' },
  }
  const input = draftInputOf(rare)
  expect(DraftInput.parse(input)).toEqual(input)
  expect(input).toMatchObject({
    discountPct: 10,
    currency: 'USD',
    fxRate: 1.25,
    rectifies: [reference],
    rectification: { reason: 'Descuento' },
    property: { situation: '1' },
    lines: [
      { discountAmount: 5, cause: 'used_goods', account: '700' },
      { discountAmount: 5, cause: 'used_goods', account: '700' },
    ],
  })
})
