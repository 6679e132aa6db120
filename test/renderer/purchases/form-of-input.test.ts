/** Conversion between a proposed entry and the form. */
import { expect, test } from 'vitest'
import { formOfInput } from '../../../renderer/purchases/form-of-input.ts'
import { receivedInput } from '../../../renderer/purchases/form.ts'

const PROPOSED = {
  kind: 'invoice' as const,
  supplierName: 'Panadería Ebro SA',
  supplierNif: 'A50000017',
  supplierNumber: 'PROV-26001',
  issueDate: '2026-10-05',
  dueDate: '2026-11-05',
  taxLines: [
    { base: 100, vatRate: 10, tax: 10 },
    { base: 50, vatRate: 21, tax: 10.5 },
  ],
  withholding: { rate: 15, amount: 22.5 },
  externalRef: 'purchase-1',
}

test('a proposed entry is unchanged after a round trip through the form', () => {
  const input = receivedInput(formOfInput(PROPOSED, '2026-11-22'))
  expect(input).toMatchObject(PROPOSED)
  expect(input.receptionDate).toBe('2026-11-22')
})

test('a document in another currency keeps its rate', () => {
  const form = formOfInput({ ...PROPOSED, currency: 'USD', fxRate: 1.0825 }, '2026-11-22')
  expect(receivedInput(form)).toMatchObject({ currency: 'USD', fxRate: 1.0825 })
})
