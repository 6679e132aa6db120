import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canDraw, faces, textWidth, WEIGHTS } from '../../../../server/documents/pdf/fonts.ts'
import {
  drawable,
  oneLine,
  withoutMark,
  WORD_GOES_ON,
  wrap,
  wrapAtMost,
} from '../../../../server/documents/pdf/text.ts'

describe('text made drawable', () => {
  test('has the same characters in the three typefaces', () => {
    const regular = faces().regular.font.characterSet
    expect(regular.length).toBeGreaterThan(1200)
    for (const weight of WEIGHTS) expect(faces()[weight].font.characterSet).toEqual(regular)
  })

  test('has digits of equal width, so that columns of figures align', () => {
    for (const weight of WEIGHTS) {
      const widths = new Set(Array.from('0123456789', (digit) => textWidth(weight, digit, 1000)))
      expect(widths.size).toBe(1)
    }
  })

  test('has letters or a question mark in place of missing characters, and no invisible ones', () => {
    expect(drawable('株式会社 🙂 Ωmega')).toBe('???? ? Ωmega')
    expect(drawable('ﬁnal')).toBe('final')
    expect(drawable('e\u0301')).toBe('é')
    expect(drawable('👨\u200d👩\u200d👧 👍🏽')).toBe('? ?')
    expect(drawable('a\u200bb\u202ec\u0007d\u00ade\tf')).toBe('abcde f')
    expect(drawable('a\r\nb\u2028c')).toBe('a\nb\nc')
    expect(drawable('x\ud800y')).toBe('x?y')
    expect(oneLine(' a \n b ')).toBe('a b')
    expect(drawable('x'.repeat(20_000))).toHaveLength(10_000)
  })

  test('is split within a word wider than the line, after a breakable sign where there is one', () => {
    expect(wrap('regular', 'https://example.com/invoices/2026', 9, 90)).toEqual([
      `https://example.com/${WORD_GOES_ON}`,
      'invoices/2026',
    ])
    const lines = wrap('regular', 'A'.repeat(10_000), 9, 226)
    expect(lines.map(withoutMark).join('')).toBe('A'.repeat(10_000))
    expect(wrap('regular', 'AB', 9, 0)).toEqual([`A${WORD_GOES_ON}`, 'B'])
  })

  test('ends with an ellipsis when it is cut', () => {
    const lines = wrapAtMost('regular', 'uno dos tres cuatro cinco seis', 9, 40, 2)
    expect(lines).toHaveLength(2)
    expect(lines[1]?.endsWith('…')).toBe(true)
  })

  test('of any kind is broken into lines that fit and that the fonts can draw, without losing a letter', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 400 })
    const plainText = fc.string({ unit: 'grapheme-ascii', maxLength: 400 })
    fc.assert(
      fc.property(fc.oneof(anyText, plainText), fc.integer({ min: 30, max: 300 }), (text, width) => {
        const lines = wrap('regular', text, 9, width).map(withoutMark)
        for (const line of lines) {
          expect(textWidth('regular', line, 9)).toBeLessThanOrEqual(width + 0.01)
          for (const character of line) expect(canDraw(character.codePointAt(0) ?? 0)).toBe(true)
        }
        const letters = (each: string): string => each.replace(/\s/g, '')
        expect(letters(lines.join(''))).toBe(letters(drawable(text)))
      }),
      { numRuns: 300 },
    )
  })
})
