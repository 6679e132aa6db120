/** Invoices of each kind and treatment are issued: their rows, as the store has them, contradict nothing. */
import { expect, test } from 'vitest'
import { CLIENT_ADDRESS, openBooks } from '../../../support/books.ts'
import type { DraftInput } from '../../../support/books.ts'

const CUSTOMER = {
  clientName: 'Cliente Primero, S.L.',
  clientNif: 'B87654323',
  client: { address: CLIENT_ADDRESS },
} satisfies Partial<DraftInput>
const FRENCH = {
  clientName: 'Client SARL',
  clientNif: 'FR40303265045',
  client: {
    idType: '02' as const,
    country: 'FR',
    address: { street: '4, rue de Rivoli', postalCode: '75001', city: 'Paris', country: 'FR' },
  },
} satisfies Partial<DraftInput>
const work = (changes: Partial<DraftInput['lines'][number]> = {}): DraftInput['lines'][number] => ({
  description: 'Trabajo de taller',
  quantity: 3,
  unitPrice: 33.333333,
  ...changes,
})

const drafts: Record<string, Partial<DraftInput>> = {
  'several rates and discounts': {
    ...CUSTOMER,
    discountPct: 3,
    lines: [
      work({ discountPct: 10 }),
      work({ vatRate: 10, discountAmount: 1.5 }),
      work({ vatRate: 4, quantity: -1 }),
    ],
  },
  surcharge: { ...CUSTOMER, lines: [work({ surcharge: 5.2 }), work({ vatRate: 10, surcharge: 1.4 })] },
  'withholding and a disbursement': {
    ...CUSTOMER,
    withholdingPct: 15,
    lines: [work(), work({ description: 'Tasa', isDisbursement: true, unitPrice: 45.5, quantity: 1 })],
  },
  'reverse charge': { ...CUSTOMER, lines: [work({ taxTreatment: 'S2', cause: 'reverse_works' })] },
  exempt: { ...CUSTOMER, lines: [work({ taxTreatment: 'E1', cause: 'education' }), work()] },
  'to the Union': { ...FRENCH, language: 'fr', lines: [work({ taxTreatment: 'E5', cause: 'intra_eu' })] },
  'service to the Union': {
    ...FRENCH,
    language: 'en',
    lines: [work({ taxTreatment: 'N2', cause: 'services_eu' })],
  },
  'gross prices': { ...CUSTOMER, priceMode: 'gross', lines: [work(), work({ vatRate: 10, quantity: 7 })] },
  ticket: { clientName: 'Cliente', clientNif: null, kind: 'F2', priceMode: 'gross', lines: [work()] },
  'in dollars': { ...CUSTOMER, currency: 'USD', fxRate: 1.0837, lines: [work(), work({ vatRate: 10 })] },
  'in instalments': {
    ...CUSTOMER,
    instalments: [
      { dueDate: '2026-12-21', percent: 33.33 },
      { dueDate: '2027-01-21', amount: 20 },
      { dueDate: '2027-02-21' },
    ],
    lines: [work()],
  },
  'cash accounting': { ...CUSTOMER, lines: [work({ regimeKey: '07' })] },
  Basque: { ...CUSTOMER, language: 'eu', withholdingPct: 7, lines: [work()] },
  'long texts': {
    ...CUSTOMER,
    notes: 'Gracias <por> su & confianza.\n'.repeat(20),
    lines: Array.from({ length: 70 }, (_, index) =>
      work({
        description: `Línea ${index}: "Ñandú" <b>&amp;</b> 日本 ${'x'.repeat(index * 3)}`,
        unit: 'cosas muy raras',
      }),
    ),
  },
}

test.each(Object.entries(drafts))('%s', async (_name, draft) => {
  const world = await openBooks()
  expect((await world.invoice(draft)).state).toBe('issued')
})

test('the QR of sales under a margin scheme states the total of the record, with the cost', async () => {
  const world = await openBooks()
  const invoice = await world.invoice({
    ...CUSTOMER,
    lines: [
      work({ quantity: 1, unitPrice: 9000, regimeKey: '03', cost: 7000, cause: 'margin_used' }),
      work({ quantity: 1, unitPrice: 150 }),
    ],
  })
  const { registrations } = await world.run('registry.status', { invoiceId: invoice.id })
  const total = /<sf:ImporteTotal>([^<]*)</.exec(registrations?.at(-1)?.xml ?? '')?.[1]
  expect(total).toBe('9181.50')
  expect(invoice.registry.qrUrl).toContain(`importe=${total}`)
  expect((await world.run('invoices.get', { id: invoice.id })).registry.qrUrl).toContain(`importe=${total}`)
})

test('one that rectifies and one that replaces', async () => {
  const world = await openBooks()
  const original = await world.invoice({ ...CUSTOMER, lines: [work(), work({ vatRate: 10 })] })
  const back = await world.invoice({
    ...CUSTOMER,
    rectifies: [{ id: original.id }],
    rectification: { method: 'I', cause: 'other', reason: 'Devuelto' },
    lines: [work({ quantity: -1 })],
  })
  expect(back.state).toBe('issued')
  const tickets = [await world.invoice(drafts.ticket), await world.invoice(drafts.ticket)]
  const complete = await world.invoice({
    ...CUSTOMER,
    kind: 'F3',
    substitutes: tickets.map(({ id }) => ({ id })),
    priceMode: 'gross',
    lines: [work({ quantity: 6 })],
  })
  expect(complete.state).toBe('issued')
})
