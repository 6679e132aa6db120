/** A content passes through the editor's form unchanged; the address of the list selects its filter. */
import { expect, test } from 'vitest'
import {
  formOfContent,
  quoteContentOf,
  recurringContentOf,
} from '../../../../renderer/sales/quotes/content.ts'
import type { QuoteContent } from '../../../../renderer/sales/quotes/content.ts'
import { quoteFilter } from '../../../../renderer/sales/quotes/filters.ts'
import {
  createQuoteContract,
  QuoteContent as QuoteContentShape,
} from '../../../../server/sales/quotes/contract.ts'
import { RecurringContent } from '../../../../server/sales/recurring/contract.ts'

const CONTENT: QuoteContent = {
  clientName: 'Talleres Ebro SL',
  clientNif: 'B12345674',
  clientId: 'con_1',
  client: {
    country: 'ES',
    address: { street: 'Coso 3', postalCode: '50001', city: 'Zaragoza', country: 'ES' },
    idType: null,
    email: 'taller@example.com',
  },
  lines: [
    {
      description: 'Ventana',
      quantity: 2.5,
      unitPrice: 249.995,
      discountPct: 10,
      vatRate: 21,
      taxTreatment: 'S1',
      regimeKey: '01',
      withholdable: true,
      isDisbursement: false,
    },
    {
      description: 'Tasas',
      quantity: 1,
      unitPrice: 30,
      taxTreatment: 'S1',
      withholdable: true,
      isDisbursement: true,
    },
  ],
  withholdingPct: 15,
  priceMode: 'net',
  discountPct: 5,
  discountAmount: 0,
  currency: 'EUR',
  notes: 'Portes incluidos',
  language: 'es',
  paymentMethod: 'bizum',
  externalRef: 'PO-7',
  customerReferences: { order: 'PED-1', contract: null, file: 'EXP-2' },
  property: { situation: '1', cadastralRef: '9872023VH5797S0001WX' },
}

test('a quote is unchanged after a round trip through its form', () => {
  const back = quoteContentOf(formOfContent(CONTENT, '2026-11-21', null))
  expect(back).toEqual(CONTENT)
  expect(QuoteContentShape.parse(back)).toEqual(CONTENT)
  expect(createQuoteContract.input.parse({ kind: 'proforma', date: '2026-11-21', ...back })).toBeTruthy()
})

test('a recurring content keeps its placeholders and the kind of its invoices', () => {
  const content = {
    ...CONTENT,
    kind: 'F2' as const,
    lines: [{ ...CONTENT.lines[0]!, description: 'Cuota {mes}' }],
  }
  const back = recurringContentOf(formOfContent(content, '2026-11-21', null), 'Cliente')
  expect(back).toMatchObject({ kind: 'F2', lines: [{ description: 'Cuota {mes}' }] })
  expect(RecurringContent.parse(back)).toEqual(back)
})

test('too little content is null', () => {
  expect(quoteContentOf(formOfContent({ lines: CONTENT.lines }, '2026-11-21', null))).toBeNull()
  expect(quoteContentOf(formOfContent({ ...CONTENT, lines: [] }, '2026-11-21', null))).toBeNull()
})

test('the address of the list is read and changed; unknown values are ignored', () => {
  expect(quoteFilter({ view: 'to_invoice', kind: 'delivery_note', q: ' ebro ' })).toEqual({
    view: 'to_invoice',
    kind: 'delivery_note',
    text: 'ebro',
  })
  expect(quoteFilter({ view: 'all', kind: 'nope', q: '' })).toEqual({})
})
