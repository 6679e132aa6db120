/** Texts that no engine should store are refused with their place. */
import { expect, test } from 'vitest'
import { storageFaults } from '../../../../server/domain/contract/storable.ts'
import { storableText } from '../../../../server/domain/storable-text.ts'

const HALF = '\u{D83D}'

test('U+0000 and halves of surrogate pairs are found in values and names, and nothing else is', () => {
  const input = {
    name: 'a\0b',
    lines: [{ description: 'ok 😀' }, { description: HALF }],
    metadata: { ['k\0']: 'v' },
  }
  expect(storageFaults(input).map(({ code, field }) => [code, field])).toEqual([
    ['control_character', 'name'],
    ['broken_unicode', 'lines[1].description'],
    ['control_character', 'metadata'],
  ])
  expect(storageFaults({ bytes: new Uint8Array([0, 0]), text: 'ñ\n\t\u{1F}', none: null, count: 2 })).toEqual(
    [],
  )
  expect(storableText(`a\0${HALF}😀`)).toBe('a\u{FFFD}\u{FFFD}😀')
})
