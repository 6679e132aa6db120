/** A content goes through the editor's form unchanged, and its paper has nothing that only an invoice has. */
import { expect, test } from 'vitest'
import { totalsOf } from '../../../renderer/invoices/draft.ts'
import {
  formOfContent,
  paperOfQuote,
  quoteContentOf,
  recurringContentOf,
} from '../../../renderer/quotes/content.ts'
import type { QuoteContent } from '../../../renderer/quotes/content.ts'
import { quoteFilter, queryChange } from '../../../renderer/quotes/filters.ts'
import { createQuoteContract, QuoteContent as QuoteContentShape } from '../../../server/quotes/contract.ts'
import { RecurringContent } from '../../../server/recurring/contract.ts'

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
  property: { situation: '1', cadastralRef: '9872023VH5797S0001WX' },
}

test('a quote goes through its form unchanged, as the server takes it', () => {
  const back = quoteContentOf(formOfContent(CONTENT, '2026-11-21', null))
  expect(back).toEqual(CONTENT)
  expect(QuoteContentShape.parse(back)).toEqual(CONTENT)
  expect(createQuoteContract.input.parse({ kind: 'proforma', date: '2026-11-21', ...back })).toBeTruthy()
})

test('a recurring content keeps its words in braces and the kind of its invoices', () => {
  const content = {
    ...CONTENT,
    kind: 'F2' as const,
    lines: [{ ...CONTENT.lines[0]!, description: 'Cuota {mes}' }],
  }
  const back = recurringContentOf(formOfContent(content, '2026-11-21', null), 'Cliente')
  expect(back).toMatchObject({ kind: 'F2', lines: [{ description: 'Cuota {mes}' }] })
  expect(RecurringContent.parse(back)).toEqual(back)
})

test('too little to keep is nothing', () => {
  expect(quoteContentOf(formOfContent({ lines: CONTENT.lines }, '2026-11-21', null))).toBeNull()
  expect(quoteContentOf(formOfContent({ ...CONTENT, lines: [] }, '2026-11-21', null))).toBeNull()
})

test('the paper has its own title, its last day and no QR', () => {
  const form = formOfContent(CONTENT, '2026-11-21', null)
  const company = {
    legalName: 'Robles SL',
    nif: 'B12345674',
    today: '2026-11-21',
    registry: { environment: 'production' },
  } as unknown as Parameters<typeof paperOfQuote>[2]
  const facts = {
    kind: 'quote',
    number: 'P2026-0001',
    date: '2026-11-20',
    validUntil: '2026-12-20',
    isDraft: false,
  } as const
  const paper = paperOfQuote(form, totalsOf(form), company, facts)
  expect(paper).toMatchObject({
    title: 'Presupuesto',
    number: 'P2026-0001',
    issueDate: '2026-11-20',
    dueDate: '2026-12-20',
    plain: { issued: 'Fecha', due: 'Válido hasta' },
    watermark: null,
  })
  expect(paper.sums.find(({ tone }) => tone === 'total')).toMatchObject({ label: 'Total' })
  expect(paperOfQuote(form, totalsOf(form), company, { ...facts, isDraft: true }).watermark).toBe('BORRADOR')
})

test('the address of the list is read and changed; unknown words are not there', () => {
  expect(quoteFilter({ view: 'to_invoice', kind: 'delivery_note', q: ' ebro ' })).toEqual({
    view: 'to_invoice',
    kind: 'delivery_note',
    text: 'ebro',
  })
  expect(quoteFilter({ view: 'all', kind: 'nope', q: '' })).toEqual({})
  expect(queryChange({ view: 'closed', q: 'x' }, { view: null, kind: 'quote' })).toEqual({
    q: 'x',
    kind: 'quote',
  })
})
