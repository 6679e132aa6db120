/** Comparison of the authority's record under a number with the invoice: whether both may be the same one. */
import { expect, test } from 'vitest'
import { isSameInvoice } from '../../../renderer/registry/held.ts'

const invoice = { clientName: 'Ana Ruiz Gil', total: 74.2 }

test('the same customer and total are taken for the same invoice, however they are written', () => {
  expect(isSameInvoice(invoice, { client: 'ANA  RUIZ GIL ', total: '74.20' })).toBe(true)
  expect(isSameInvoice(invoice, { client: 'Ana Ruiz Gil', total: '74.2' })).toBe(true)
})

test('another customer, another total, or a missing one, is another invoice', () => {
  expect(isSameInvoice(invoice, { client: 'Ana Ruiz', total: '74.20' })).toBe(false)
  expect(isSameInvoice(invoice, { client: 'Ana Ruiz Gil', total: '74.21' })).toBe(false)
  expect(isSameInvoice(invoice, { client: null, total: '74.20' })).toBe(false)
  expect(isSameInvoice(invoice, { client: 'Ana Ruiz Gil', total: null })).toBe(false)
})
