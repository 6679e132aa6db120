import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DOCUMENT_LANGUAGES, LOCALES } from '../../../../server/domain/languages.ts'
import type { DocumentLanguage } from '../../../../server/domain/languages.ts'
import {
  countryName,
  date,
  exchangeRate,
  iban,
  money,
  quantity,
  rate,
  unitPrice,
} from '../../../../server/documents/pdf/number-format.ts'
import '../../../../server/documents/pdf/fonts.ts'
import { drawable } from '../../../../server/documents/pdf/text.ts'

describe('figures on documents', () => {
  test('amounts have a point for thousands, a comma for cents, a no-break space and a real minus sign', () => {
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

  test('rates, dates and accounts have their format', () => {
    expect(rate(2100, 'es')).toBe('21\u00a0%')
    expect(rate(520, 'es')).toBe('5,2\u00a0%')
    expect(rate(62, 'es')).toBe('0,62\u00a0%')
    expect(rate(520, 'en')).toBe('5.2%')
    expect(date('2026-06-03', 'es')).toBe('03/06/2026')
    expect(date('2026-06-03', 'en')).toBe('3 Jun 2026')
    expect(iban('ES9121000418450200051332')).toBe('ES91 2100 0418 4502 0005 1332')
  })

  test.each<[DocumentLanguage, string, string, string, string]>([
    ['es', '\u22121.234,50\u00a0€', '21\u00a0%', '03/06/2026', '1,0825'],
    ['ca', '\u22121.234,50\u00a0€', '21\u00a0%', '03/06/2026', '1,0825'],
    ['eu', '\u22121.234,50\u00a0€', '%\u00a021', '2026/06/03', '1,0825'],
    ['gl', '\u22121.234,50\u00a0€', '21\u00a0%', '03/06/2026', '1,0825'],
    ['en', '\u22121,234.50\u00a0€', '21%', '3 Jun 2026', '1.0825'],
    ['fr', '\u22121\u202f234,50\u00a0€', '21\u00a0%', '03/06/2026', '1,0825'],
    ['de', '\u22121.234,50\u00a0€', '21\u00a0%', '03.06.2026', '1,0825'],
    ['pt', '\u22121.234,50\u00a0€', '21\u00a0%', '03/06/2026', '1,0825'],
  ])('%s has its own number format, with characters that the fonts contain', (language, ...written) => {
    const figures = [
      money(-123_450, language),
      rate(2100, language),
      date('2026-06-03', language),
      exchangeRate(1_082_500, language),
    ]
    expect(figures).toEqual(written)
    for (const figure of figures) expect(drawable(figure)).toBe(figure)
  })

  test('the separators are those of CLDR, except for the Portuguese point', () => {
    for (const language of DOCUMENT_LANGUAGES) {
      const cldr = new Intl.NumberFormat(LOCALES[language], { useGrouping: 'always' } as object)
      const own = quantity(12_345_678_900_000, language)
      const shown = language === 'pt' ? own.replaceAll('.', '\u00a0') : own
      expect(shown, language).toBe(cldr.format(12_345_678.9))
    }
  })

  test('countries are named in each language, and an unknown one by its code', () => {
    expect(DOCUMENT_LANGUAGES.map((language) => countryName('de', language))).toEqual([
      'Alemania',
      'Alemanya',
      'Alemania',
      'Alemaña',
      'Germany',
      'Allemagne',
      'Deutschland',
      'Alemanha',
    ])
    expect(countryName('QZ', 'fr')).toBe('QZ')
  })

  test('every amount reads back as itself', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom(...DOCUMENT_LANGUAGES), (cents, language) => {
        const digits = money(cents, language)
          .replace('\u2212', '-')
          .replace(/[^\d-]/g, '')
        return BigInt(digits) === BigInt(cents)
      }),
    )
  })
})
