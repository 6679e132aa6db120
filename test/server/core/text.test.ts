/** Text from outside: what is refused, what is kept as it is, and how it is found again. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { searchText, textFault, tidyText } from '../../../server/core/text.ts'

describe('what makes a text unfit', () => {
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
    ['half \ud83d', 'broken_unicode'],
    ['\ude00 half', 'broken_unicode'],
    ['swapped \ude00\ud83d', 'broken_unicode'],
  ])('%j: %s', (text, fault) => expect(textFault(text)).toBe(fault))

  test.each([
    'Peña & Cía, S.L.',
    'línea 1\nlínea 2\tcon tabulador',
    '家族 👨‍👩‍👧',
    'नमस्ते',
    '',
    '😀',
    '“comillas” — guion',
  ])('%j is fine', (text) => expect(textFault(text)).toBeNull())

  test('every well-formed text without controls passes, every lone surrogate does not', () => {
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

describe('tidying and folding', () => {
  test('outer blanks go, letters are composed, line ends are one kind', () => {
    expect(tidyText('  Pen\u0303a\r\nS.L.\rfin ')).toBe('Peña\nS.L.\nfin')
  })

  test('tidying twice is tidying once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(tidyText(tidyText(text))).toBe(tidyText(text))
      }),
    )
  })

  test('a name is found with or without its accents, capitals and double blanks', () => {
    expect(searchText('  PEÑA   Ávila\tY CÍA ')).toBe('pena avila y cia')
    expect(searchText('ﬁnca Ⅳ')).toBe('finca iv')
    expect(searchText('Straße')).toBe(searchText('STRASSE'.replace('SS', 'ß')))
  })
})
