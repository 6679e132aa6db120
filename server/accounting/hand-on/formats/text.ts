/** Text for files of other programs: Windows-1252 with replacements, fixed widths, amounts, days. Pure. */
import type { BusinessDate } from '../../../domain/dates.ts'
import { centsToText } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import type { HandOnEncoding } from '../model.ts'

/** Characters 0x80 to 0x9f of Windows-1252; the others are those of Latin-1. Source: Unicode, CP1252.TXT. */
const UPPER = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const byCharacter = new Map(
  [...UPPER].flatMap((character, index) =>
    /[\u0080-\u009f]/.test(character) ? [] : [[character, 0x80 + index] as const],
  ),
)

const byteOf = (character: string): number | undefined => {
  const code = character.codePointAt(0) ?? 0
  return code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : byCharacter.get(character)
}

/** Letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  ı: 'i',
  Ħ: 'H',
  ħ: 'h',
  Ŧ: 'T',
  ŧ: 't',
}

/** Returns the character as Windows-1252 can write it: itself, its letter without marks, or a question mark. */
function nearest(character: string): string {
  if (byteOf(character) !== undefined) return character
  const letter = LETTERS[character]
  if (letter !== undefined) return letter
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '')
  return plain !== '' && [...plain].every((each) => byteOf(each) !== undefined) ? plain : '?'
}

/** Returns a text on one line, with the characters that an encoding has. */
export function writable(text: string, encoding: HandOnEncoding): string {
  const line = text
    .normalize('NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return encoding === 'utf-8' ? line : [...line].map(nearest).join('')
}

/** Returns true if an encoding lacks a character of the text. */
export const isReplaced = (text: string, encoding: HandOnEncoding): boolean =>
  encoding === 'windows-1252' &&
  [...text.normalize('NFC')].some((each) => !/\s/.test(each) && nearest(each) !== each)

/** Returns the bytes of a text that consists of characters of the encoding. */
export function encoded(text: string, encoding: HandOnEncoding): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8')
  const bytes = new Uint8Array(text.length)
  let length = 0
  for (const character of text) bytes[length++] = byteOf(character) ?? 0x3f
  return bytes.subarray(0, length)
}

/** Returns `20260131`. */
export const compactDay = (day: BusinessDate): string => day.replaceAll('-', '')

/** Returns `1234.50`. */
export const pointAmount = (cents: Cents): string => centsToText(cents)

/** Returns `1234,50`. */
export const commaAmount = (cents: Cents): string => centsToText(cents).replace('.', ',')

/** Returns the digits at the end of a number: 0042 of F2026-0042. */
export const trailingDigits = (number: string): string => /\d+$/.exec(number)?.[0] ?? ''

/** Returns a tax number without separators, and without the country of a Spanish one. */
export const plainNif = (nif: string): string =>
  nif
    .replace(/[^0-9A-Za-z]/g, '')
    .toUpperCase()
    .replace(/^ES(?=[0-9A-Z]{9}$)/, '')
