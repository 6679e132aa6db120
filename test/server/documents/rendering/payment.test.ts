/** The payment part of a document. */
import { expect, test } from 'vitest'
import { paymentOf } from '../../../../server/documents/rendering/payment.ts'

const IBAN = 'ES9121000418450200051332'
type Asked = Parameters<typeof paymentOf>[0]

const payment = (content: Partial<Asked['content']>, changes: Partial<Omit<Asked, 'content'>> = {}) =>
  paymentOf({
    content: {
      kind: 'F1',
      language: 'es',
      paymentMethod: 'transfer',
      dueDate: null,
      currency: null,
      ...content,
    },
    issuer: { name: 'Talleres Ejemplo, S.L.', iban: IBAN },
    number: 'F2026-0001',
    amountDueCents: 12_100,
    isPayable: true,
    withQr: false,
    ...changes,
  })

test('a transfer names the account, and is omitted without one', () => {
  expect(payment({})).toMatchObject({
    method: 'Transferencia bancaria',
    account: IBAN,
    reference: 'F2026-0001',
  })
  const issuer = { name: 'Talleres Ejemplo, S.L.', iban: null }
  expect(payment({}, { issuer })).toMatchObject({ method: null, account: null, reference: null, qr: null })
  expect(payment({}, { issuer, withQr: true }).qr).toBeNull()
  // Nor on a refund.
  expect(payment({}, { amountDueCents: -12_100 })).toMatchObject({ method: null, account: null })
})

test('a ticket shows an account only when it is paid by transfer', () => {
  for (const kind of ['F2', 'R5'] as const) {
    expect(payment({ kind, paymentMethod: null })).toMatchObject({ method: null, account: null })
    expect(payment({ kind, paymentMethod: 'card' })).toMatchObject({ method: 'Tarjeta', account: null })
    expect(payment({ kind, paymentMethod: 'transfer' })).toMatchObject({ account: IBAN })
  }
  expect(payment({ paymentMethod: null })).toMatchObject({ method: null, account: IBAN })
})
