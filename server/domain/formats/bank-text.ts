/** Text in the character set of bank transfers. */

const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  '€': 'E',
  '&': '+',
}

/**
 * Converts text to the characters that every SEPA bank accepts (Latin letters, digits and / - ? : ( ) . , ' +),
 * without accents, at most `max` long. Source: EPC217-08.
 */
export function bankText(text: string, max: number): string {
  const plain = text
    .replace(/[ßæÆøØłŁ€&]/g, (character) => LETTERS[character] ?? '.')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9/\-?:().,'+ ]/g, '.')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.slice(0, max).trim()
}
