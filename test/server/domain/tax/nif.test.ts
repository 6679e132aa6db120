/** Spanish tax numbers: known ones of each kind, one wrong character, and typed text. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkNif, isNif, normalizeNif } from '../../../../server/domain/tax/nif.ts'

describe('known numbers', () => {
  test.each([
    ['12345678Z', 'natural'],
    ['00000000T', 'natural'],
    ['99999999R', 'natural'],
    ['89890001K', 'natural'],
    ['K0000000T', 'natural'],
    ['L1234567L', 'natural'],
    ['M1234567L', 'natural'],
    ['X1234567L', 'foreigner'],
    ['X0000000T', 'foreigner'],
    ['Y0000000Z', 'foreigner'],
    ['Z0000000M', 'foreigner'],
    ['A58818501', 'entity'],
    ['A28015865', 'entity'],
    ['B12345674', 'entity'],
    // A tax office, a town hall, a regional government and a research council: public bodies have a letter.
    ['Q2826000H', 'entity'],
    ['P2807900B', 'entity'],
    ['S0811001G', 'entity'],
    ['Q2818002D', 'entity'],
  ])('%s', (nif, kind) => {
    expect(checkNif(nif)).toEqual({ ok: true, nif, kind })
  })

  test.each([
    ['12345678A', 'natural', 'Z'],
    ['X1234567A', 'foreigner', 'L'],
    ['K0000000A', 'natural', 'T'],
    ['B12345675', 'entity', '4'],
    ['B1234567D', 'entity', '4'],
    ['Q28260008', 'entity', 'H'],
    ['P2807900A', 'entity', 'B'],
  ])('%s has a wrong control character', (nif, kind, expected) => {
    expect(checkNif(nif)).toEqual({ ok: false, nif, reason: 'control', kind, expected })
    expect(isNif(nif.slice(0, 8) + expected)).toBe(true)
  })

  test.each([
    '',
    '1234567Z',
    '123456789Z',
    'ABCDEFGHI',
    'I1234567A',
    'O1234567A',
    'T1234567A',
    '1234567890',
    'DE123456789',
    '12345678Ñ',
    '１２３４５６７８Z',
    'B1234567K',
  ])('%j is not a tax number', (nif) =>
    expect(checkNif(nif)).toMatchObject({ ok: false, reason: 'shape', kind: null }),
  )

  test('entities that may use either form accept the digit and the letter', () => {
    expect(isNif('F12345674')).toBe(true)
    expect(isNif('F1234567D')).toBe(true)
  })
})

describe('typed text', () => {
  test.each([
    [' b-12345674 ', 'B12345674'],
    ['es b12.345.674', 'B12345674'],
    ['12.345.678-z', '12345678Z'],
    ['ES12345678Z', '12345678Z'],
    ['x-1234567-l', 'X1234567L'],
    // Nine characters follow ES only in a Spanish number; all others keep the letters.
    ['ESX123', 'ESX123'],
    ['de 123 456 789', 'DE123456789'],
  ])('%j is read as %s', (text, nif) => expect(normalizeNif(text)).toBe(nif))

  test('gets a result for any input, and the same one for its own result', () => {
    const alphabet = fc.constantFrom(...'0123456789ABCDEFGHJKLMNPQRSTUVWXYZxyz .-/ñÑ€😀\u0000\ud800')
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.array(alphabet, { maxLength: 20 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (typed) => {
        const check = checkNif(typed)
        expect(checkNif(check.nif)).toEqual(check)
        if (!check.ok && check.reason === 'control')
          expect(isNif(check.nif.slice(0, 8) + check.expected)).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })

  test('of the 23 letters exactly one is valid for a person, of the ten digits exactly one for a company', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), (number) => {
        const digits = String(number).padStart(8, '0')
        expect([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter((letter) => isNif(digits + letter))).toHaveLength(1)
        expect([...'0123456789'].filter((digit) => isNif(`A1${digits.slice(2)}${digit}`))).toHaveLength(1)
      }),
      { numRuns: 300 },
    )
  })
})
