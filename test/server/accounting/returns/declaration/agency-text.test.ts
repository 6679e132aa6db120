/** Names and telephone numbers as the files of returns take them. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agencyPhone, agencyText } from '../../../../../server/accounting/returns/declaration/agency-text.ts'
import { encodeRecord } from '../../../../../server/accounting/returns/files/record.ts'
import { sweptCount } from '../../../../support/sweep.ts'

const RUNS = sweptCount(20_000, 150)

describe('a name', () => {
  test.each([
    ['Ferretería Núñez y Peña, S.L.', 'FERRETERIA NUÑEZ Y PEÑA SL'],
    ['Muñoz & Fills Export, S.A.', 'MUÑOZ FILLS EXPORT SA'],
    ['Gómez Çelik, Ana María', 'GOMEZ ÇELIK ANA MARIA'],
    ['Maison Lévêque SARL', 'MAISON LEVEQUE SARL'],
    ["L’Hospitalet d'en Lluís", 'LHOSPITALET DEN LLUIS'],
    ['Col·legi d’Enginyers', 'COLLEGI DENGINYERS'],
    ['  dos   blancos\t\nseguidos ', 'DOS BLANCOS SEGUIDOS'],
    ['Uno - dos (tres) / 4', 'UNO DOS TRES 4'],
    ['Straße ÿ Œuvre', 'STRASSE Y UVRE'],
    // Letters written as a plain one and its accent.
    ['nin\u0303o c\u0327a e\u0301', 'NIÑO ÇA E'],
    // Accents on letters that stay.
    ['\u00D1\u0301andu', 'ÑANDU'],
    // A control character is a sign like any other, not a mark of this function.
    ['A\u0001B\u0002C', 'A B C'],
    ['日本', ''],
    ['', ''],
  ])('%j is written %j', (name, written) => expect(agencyText(name, 80)).toBe(written))

  test('is cut at the width of its field, without a blank at the end', () => {
    expect(agencyText('Ana María', 20)).toBe('ANA MARIA')
    expect(agencyText('Ana María', 5)).toBe('ANA M')
    expect(agencyText('Ana María', 4)).toBe('ANA')
    expect(agencyText('Peña', 3)).toBe('PEÑ')
  })

  test('fits its field, whatever it was, and is not changed by writing it again', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.string({ unit: fc.constantFrom(..."ÑñÇç ..'’·-&áÀüßaZ09\u0303\u0327\u0301\u0001"), maxLength: 120 }),
    )
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 80 }), (name, length) => {
        const written = agencyText(name, length)
        const field = { key: 'name', at: 1, length, as: 'An' } as const
        const values: Record<string, string> = written === '' ? {} : { name: written }
        expect(encodeRecord('record', [field], values)).toBe(written.padEnd(length))
        expect(written).not.toMatch(/ {2}|^ | $/)
        expect(agencyText(written, length)).toBe(written)
      }),
      { numRuns: RUNS },
    )
  })
})

test.each([
  ['912345678', 912_345_678],
  ['+34 612 34 56 78', 612_345_678],
  ['0034-812.345.678', 812_345_678],
  ['34712345678', 712_345_678],
  // The nine digits of a Spanish number may themselves begin with 34 only after its prefix.
  ['341234567', null],
  ['512345678', null],
  ['91234567', null],
  ['9123456789', null],
  ['+33 912345678', null],
  ['', null],
  [null, null],
])('the telephone number %j is %j', (text, digits) => expect(agencyPhone(text)).toBe(digits))
