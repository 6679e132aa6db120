/** The text of the payment QR: EPC069-12, line by line. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sepaQrText } from '../../../../server/documents/pdf/sepa-qr.ts'

const TRANSFER = {
  name: 'Talleres Norte, S.L.',
  iban: 'ES91 2100 0418 4502 0005 1332',
  cents: 121_00,
  reference: 'F2026-0042',
}

test('the payment QR states the payee, the account, the amount and the reference', () => {
  expect(sepaQrText(TRANSFER)?.split('\n')).toEqual([
    'BCD',
    '002',
    '1',
    'SCT',
    '',
    'Talleres Norte, S.L.',
    'ES9121000418450200051332',
    'EUR121.00',
    '',
    '',
    'F2026-0042',
  ])
})

test('an amount or account that no transfer accepts has no payment QR', () => {
  for (const cents of [0, -1, 100_000_000_000]) expect(sepaQrText({ ...TRANSFER, cents })).toBeNull()
  expect(sepaQrText({ ...TRANSFER, cents: 99_999_999_999 })).toContain('EUR999999999.99')
})

test("the payment QR never exceeds the guideline's length, and no value in it adds a line", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      (name, reference) => {
        const text = sepaQrText({ ...TRANSFER, name, reference }) ?? ''
        expect(text.split('\n')).toHaveLength(11)
        expect(Array.from(text.split('\n')[10] ?? '').length).toBeLessThanOrEqual(140)
        expect(Buffer.byteLength(text, 'utf8')).toBeLessThanOrEqual(331)
      },
    ),
  )
})
