/** Text from outside: rejected characters, unchanged text, and the search. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  sanitizeLine,
  sanitizeText,
  searchText,
  textFault,
  normalizeText,
} from '../../../server/domain/text.ts'

describe('unfit text', () => {
  test.each([
    ['\u0000', 'control_character'],
    ['a\u0007b', 'control_character'],
    ['a\u007fb', 'control_character'],
    ['a\u0085b', 'control_character'],
    ['a\u001bb', 'control_character'],
    ['zero\u200bwidth', 'hidden_character'],
    ['\u202egnp.exe', 'hidden_character'],
    ['a\u2066b', 'hidden_character'],
    ['\ufeffstart', 'hidden_character'],
    ['tag\u{e0041}', 'hidden_character'],
    ['arabic\u061cmark', 'hidden_character'],
    ['line\u2028separator', 'hidden_character'],
    ['invisible\u2062times', 'hidden_character'],
    ['interlinear\ufff9note', 'hidden_character'],
    ['joiners\u200d\u200c\u200d', 'hidden_character'],
    ['a\u{e0148}\u{e0155}\u{e015c}', 'hidden_character'],
    ['half \ud83d', 'broken_unicode'],
    ['\ude00 half', 'broken_unicode'],
    ['swapped \ude00\ud83d', 'broken_unicode'],
  ])('%j: %s', (text, fault) => expect(textFault(text)).toBe(fault))

  test.each([
    'Peña & Cía, S.L.',
    'línea 1\nlínea 2\tcon tabulador',
    '家族 👨‍👩‍👧',
    '❤️‍🔥 🏳️‍🌈',
    '葛\u{e0100}城',
    'नमस्ते',
    '',
    '😀',
    '“comillas” — guion',
  ])('%j is accepted', (text) => expect(textFault(text)).toBeNull())

  test('includes every lone surrogate, and no well-formed text without control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        if (!text.isWellFormed()) expect(textFault(text)).not.toBeNull()
        if (textFault(text) === null) expect(text.isWellFormed()).toBe(true)
      }),
      { numRuns: 2_000 },
    )
    expect(textFault('a\ud800')).toBe('broken_unicode')
  })
})

describe('text that nobody here can correct', () => {
  test('loses hiding and reordering characters, and keeps the rest', () => {
    expect(sanitizeText(' Pen\u0303a\r\nS\u00ad.L\u202e. \u200b\u{e0041}\ud800')).toBe('Peña\nS.L. \ufffd')
    expect(sanitizeLine('a\u2028b\tc\n \u200b d')).toBe('a b c d')
  })

  test('can always be stored afterwards', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const fault = textFault(sanitizeText(text))
        expect([null, 'broken_unicode']).toContain(fault)
        if (fault !== null) expect(sanitizeText(text)).toMatch(/\p{Noncharacter_Code_Point}/u)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('tidying and folding', () => {
  test('outer blanks are removed, letters composed, line ends normalized', () => {
    expect(normalizeText('  Pen\u0303a\r\nS.L.\rfin ')).toBe('Peña\nS.L.\nfin')
  })

  test('tidying twice equals tidying once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(normalizeText(normalizeText(text))).toBe(normalizeText(text))
      }),
    )
  })

  test('a name is found with or without its accents, capitals and double blanks', () => {
    expect(searchText('  PEÑA   Ávila\tY CÍA ')).toBe('pena avila y cia')
    expect(searchText('ﬁnca Ⅳ')).toBe('finca iv')
    expect(searchText('Straße')).toBe(searchText('STRASSE'.replace('SS', 'ß')))
  })
})
