import fc from 'fast-check'
import { expect, test } from 'vitest'
import { visiblePieces } from '../../../../renderer/app/approvals/plain.ts'

const shown = (text: string) =>
  visiblePieces(text)
    .map((piece) => (piece.hidden ? `[${piece.text}]` : piece.text))
    .join('')

test('plain text is unchanged, including line breaks and markup', () => {
  expect(shown('Vence <b>hoy</b>.\nhttp://example.invalid ñ €')).toBe(
    'Vence <b>hoy</b>.\nhttp://example.invalid ñ €',
  )
  expect(shown('a\r\nb\rc')).toBe('a\nb\nc')
})

test('hidden and reordering characters are marked', () => {
  expect(shown('total \u202e00,1')).toBe('total [U+202E]00,1')
  expect(shown('a\u200bb\u00adc\ufeff')).toBe('a[U+200B]b[U+00AD]c[U+FEFF]')
  expect(shown('x\u{e0041}y')).toBe('x[U+E0041]y')
  expect(shown('\u3164\u0007')).toBe('[U+3164][U+0007]')
  expect(shown('pay\u200dpal')).toBe('pay[U+200D]pal')
})

test('a composed emoji keeps its joiner', () => {
  expect(shown('👩‍🔧 listo')).toBe('👩‍🔧 listo')
})

test('no visible piece ever contains a direction mark', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const piece of visiblePieces(text))
        expect(/[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(piece.text)).toBe(false)
    }),
  )
})
