/** Texts and input of the bank's page: reasons in words, parts by name, suggestions in the form of the API. */
import { expect, test } from 'vitest'
import { asInput, base64Of, partsText, reasonText } from '../../../../renderer/accounting/bank/messages.ts'
import type { Part } from '../../../../renderer/accounting/bank/messages.ts'
import { i18n } from '../../../../renderer/i18n.ts'
import es from '../../../../renderer/locales/es/index.ts'

i18n.global.setLocaleMessage('es', es)

const part = (changes: Partial<Part>): Part => ({
  kind: 'account',
  amount: -12.5,
  invoiceId: null,
  receivedId: null,
  paymentId: null,
  remittanceId: null,
  accountId: null,
  transactionId: null,
  ledgerAccount: null,
  contactId: null,
  label: '',
  text: null,
  ...changes,
})

test.each([
  ['due_after', { days: 1 }, '1 día después del vencimiento'],
  ['due_after', { days: 3 }, '3 días después del vencimiento'],
  ['amount_exact', { number: 'F2026-0012' }, 'El importe es lo pendiente de F2026-0012'],
  [
    'amount_partial',
    { number: 'F2026-0012', missing: '1020.47' },
    'Paga una parte de F2026-0012; quedarían 1.020,47 €',
  ],
  ['payment_recorded', { date: '2026-11-02' }, 'Apuntaste un pago de este importe el 02/11/2026'],
  ['a_new_one', {}, 'As the server says it.'],
] as const)('the reason %s with %j', (code, params, text) => {
  expect(reasonText({ code, points: 1, message: 'As the server says it.', params })).toBe(text)
})

test('one part is named, several by the first and the number of the others', () => {
  expect(partsText([part({ ledgerAccount: '626', label: '626' })])).toBe('626 · Comisiones del banco')
  expect(partsText([part({ ledgerAccount: '6260009', label: '6260009' })])).toBe('6260009')
  const invoice = part({ kind: 'invoice', invoiceId: 'inv', label: 'F1 · Ana' })
  expect(partsText([invoice, part({ ledgerAccount: '626' })])).toBe('F1 · Ana + 1')
})

test('a suggestion is sent with the identifiers of its parts, and no more', () => {
  expect(
    asInput([
      part({ kind: 'invoice', invoiceId: 'inv_1', amount: 100, label: 'F1' }),
      part({ kind: 'transfer', accountId: 'bac_1', amount: 5 }),
      part({ ledgerAccount: '626', contactId: 'con_1' }),
    ]),
  ).toEqual([
    { kind: 'invoice', invoiceId: 'inv_1', amount: 100 },
    { kind: 'transfer', accountId: 'bac_1' },
    { kind: 'account', ledgerAccount: '626', amount: -12.5, contactId: 'con_1' },
  ])
})

test('a file of any bytes is encoded completely', async () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256)
  expect(Buffer.from(await base64Of(new Blob([bytes])), 'base64')).toEqual(Buffer.from(bytes))
})
