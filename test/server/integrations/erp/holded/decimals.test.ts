/** Amounts as texts: which separator is decimal, by the text, by the page and by the account. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimalOf, plainDecimalOf, signOf } from '../../../../../server/integrations/erp/holded/decimals.ts'
import { centsOf, RowFault } from '../../../../../server/integrations/erp/reading/untrusted-values.ts'

describe('a text', () => {
  test.each([
    // Both separators: the last one is decimal, whatever the account.
    ['3.380,67', '3380.67', '3380.67'],
    ['3,380.67', '3380.67', '3380.67'],
    ['1.234.567,8', '1234567.8', '1234567.8'],
    // Only a comma: decimal, unless it repeats.
    ['4,10', '4.10', '4.10'],
    ['1,234', '1.234', '1.234'],
    ['1,234,567', '1234567', '1234567'],
    // Only a point: decimal unless it repeats, or three digits follow.
    ['121.00', '121.00', '121.00'],
    ['1.5', '1.5', '1.5'],
    ['1.2345', '1.2345', '1.2345'],
    ['1.234.567', '1234567', '1234567'],
    ['1.234', '1.234', '1234'],
    ['-12.500', '-12.500', '-12500'],
    // No group of thousands begins with a zero or has four digits before it.
    ['0.125', '0.125', '0.125'],
    ['1234.567', '1234.567', '1234.567'],
    ['\u221245,00 €', '-45.00', '-45.00'],
    ['1 234,50', '1234.50', '1234.50'],
    ['.5', '.5', '.5'],
    ['1.0E-5', '1.0E-5', '1.0E-5'],
  ])('%s is %s with points and %s with commas', (text, dot, comma) => {
    expect(decimalOf(text, 'dot', 'total')).toBe(dot)
    expect(decimalOf(text, 'comma', 'total')).toBe(comma)
  })

  test.each([null, undefined, '', '  ', '?', '-', 'n/a', false, [], {}, Number.NaN])(
    '%j has no value, not 0',
    (value) => expect(decimalOf(value, 'dot', 'total')).toBeNull(),
  )

  test.each(['1.2.3', '1,23.45,6', '12,34,56', '1.23,4,5', '12a', '1,2.345,6', '--1'])(
    '%s is not a number',
    (text) =>
      expect(() => decimalOf(text, 'dot', 'total')).toThrow(new RowFault('unreadable_amount', 'total')),
  )

  test('that is a JSON number is read by its shortest text', () => {
    expect([0.1 + 0.2, 1.005, 1e21, 1e-7, -3].map((value) => decimalOf(value, 'comma', 'x'))).toEqual([
      '0.30000000000000004',
      '1.005',
      '1e+21',
      '1e-7',
      '-3',
    ])
    expect(centsOf('1.005', 'x')).toBe(101)
  })

  test('of a quantity or an exchange rate has a decimal point, unless it has a comma', () => {
    expect(['1.160', '1,5', '1.234,5', 2].map((value) => plainDecimalOf(value, 'units'))).toEqual([
      '1.160',
      '1.5',
      '1234.5',
      '2',
    ])
  })
})

describe('a page', () => {
  test('is read with the separator of its most certain text, wherever that is', () => {
    expect(signOf(['1.234', '10.00', '3,50'], null)).toBe('comma')
    expect(signOf(['1,234', '1,234.50'], null)).toBe('dot')
    expect(signOf(['1.234', '1.234.000'], null)).toBe('comma')
  })

  test('without a sign of its own keeps the separator of earlier pages', () => {
    expect(signOf(['1.234', '7', '', null, 3.5], 'comma')).toBe('comma')
    expect(signOf(['1.234', '12.50'], null)).toBeNull()
  })

  const amount = fc.record({
    cents: fc.integer({ min: -999_999_999, max: 999_999_999 }),
    places: fc.nat(2),
  })
  const grouped = (digits: string, separator: string): string => digits.replace(/\B(?=(\d{3})+$)/g, separator)

  test.each([
    ['with commas and thousands', ',', '.', '9.999,99', 0],
    ['with commas', ',', '', '0,01', 0],
    // "1,000" alone stays one: only the sums of its document can decide.
    ['with points and thousands', '.', ',', '9,999.99', 1],
    ['with points', '.', '', '0.01', 0],
  ])('%s reads back every amount, in every order', (_name, decimal, thousands, witness, least) => {
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 30 }), fc.nat(), (amounts, place) => {
        const rows = amounts.map(({ cents, places }) => {
          const decimals = Math.max(places, least)
          // Trailing zeros may be omitted.
          const size = Math.abs(cents) - (Math.abs(cents) % 10 ** (2 - decimals))
          const fraction = String(size % 100)
            .padStart(2, '0')
            .slice(0, decimals)
          const text =
            grouped(String(Math.floor(size / 100)), thousands) + (decimals === 0 ? '' : decimal + fraction)
          const sign = cents < 0 && size !== 0 ? -1 : 1
          return { cents: size * sign, text: (sign < 0 ? '-' : '') + text }
        })
        const at = place % (rows.length + 1)
        const texts = rows.map(({ text }) => text).toSpliced(at, 0, witness)
        const sign = signOf(texts, null) ?? 'dot'
        for (const { cents, text } of rows) expect(centsOf(decimalOf(text, sign, 'x') ?? '', 'x')).toBe(cents)
      }),
      { numRuns: 300 },
    )
  })
})
