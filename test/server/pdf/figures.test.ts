import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { date, iban, instant, money, quantity, rate, unitPrice } from '../../../server/pdf/figures.ts'

describe('figures on paper', () => {
  test('amounts have a point for thousands, a comma for cents, a blank that does not break and a real minus', () => {
    expect(money(0, 'es')).toBe('0,00\u00a0€')
    expect(money(5, 'es')).toBe('0,05\u00a0€')
    expect(money(123_456, 'es')).toBe('1.234,56\u00a0€')
    expect(money(99_999_999_999_999, 'es')).toBe('999.999.999.999,99\u00a0€')
    expect(money(-61_065, 'es')).toBe('\u2212610,65\u00a0€')
    expect(money(-0, 'es')).toBe('0,00\u00a0€')
    expect(money(123_456, 'en')).toBe('1,234.56\u00a0€')
  })

  test('unit prices show two to six decimals, quantities none to six', () => {
    expect(unitPrice(12_000_000, 'es')).toBe('12,00\u00a0€')
    expect(unitPrice(12_345, 'es')).toBe('0,012345\u00a0€')
    expect(unitPrice(1_005_000, 'es')).toBe('1,005\u00a0€')
    expect(quantity(12_500_000_000, 'es')).toBe('12.500')
    expect(quantity(1, 'es')).toBe('0,000001')
    expect(quantity(-8_000_000, 'es')).toBe('\u22128')
    expect(quantity(9_007_199_254_740_991, 'en')).toBe('9,007,199,254.740991')
  })

  test('rates, dates, instants and accounts', () => {
    expect(rate(2100, 'es')).toBe('21\u00a0%')
    expect(rate(520, 'es')).toBe('5,2\u00a0%')
    expect(rate(62, 'es')).toBe('0,62\u00a0%')
    expect(rate(520, 'en')).toBe('5.2%')
    expect(date('2026-06-03', 'es')).toBe('03/06/2026')
    expect(date('2026-06-03', 'en')).toBe('3 Jun 2026')
    expect(instant('2026-06-03T10:20:30+02:00', 'es')).toBe('03/06/2026 10:20:30 +02:00')
    expect(instant('2026-06-03T08:20:30.000Z', 'en')).toBe('3 Jun 2026 08:20:30 UTC')
    expect(iban('ES9121000418450200051332')).toBe('ES91 2100 0418 4502 0005 1332')
  })

  test('every amount reads back as itself', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom('es' as const, 'en' as const), (cents, language) => {
        const digits = money(cents, language)
          .replace('\u2212', '-')
          .replace(/[^\d-]/g, '')
        return BigInt(digits) === BigInt(cents)
      }),
    )
  })
})
