/** Text from outside: made safe to store, compare and show, without changing what a person wrote. */

// C0 and C1 controls except tab and newline; lone surrogates; zero-width, bidirectional and tag characters and separators of
// lines, which hide or reorder what is read. Joiners and variation selectors stay, for emoji and some scripts need them; but
// no more than two in a row, for a long row of them is a message that nobody sees.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
const HIDDEN =
  /[\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|[\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3}/u
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

// Code points that are no characters and never will be: U+FFFE and U+FFFF cannot stand in the registry's XML at all.
const NONCHARACTER = /\p{Noncharacter_Code_Point}/u

/** Most texts, seen at a glance: printable ASCII, tabs and line feeds. */
const PLAIN = /^[\t\n\x20-\x7e]*$/

export type TextFault = 'control_character' | 'hidden_character' | 'broken_unicode'

/** What makes a text unfit to be kept, or null. */
export function textFault(text: string): TextFault | null {
  if (PLAIN.test(text)) return null
  if (CONTROLS.test(text)) return 'control_character'
  if (HIDDEN.test(text)) return 'hidden_character'
  if (LONE_SURROGATE.test(text) || NONCHARACTER.test(text)) return 'broken_unicode'
  return null
}

/** What `textFault` refuses of whoever can write it again, and soft hyphens and joiners besides. */
const HARMFUL =
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/gu

/**
 * Marks above and below one letter, of which no language piles up so many (UAX #15, stream-safe text): putting a long run
 * of them into their order takes hours.
 */
const PILED_UP = /(\p{M}{30})\p{M}+/gu

/**
 * Text of another program that nobody here can write again: what hides or reorders is taken out instead of refused, Unicode
 * composed (NFC), line ends as `\n`.
 */
export function harmlessText(text: string): string {
  return text
    .toWellFormed()
    .replace(PILED_UP, '$1')
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(HARMFUL, '')
    .trim()
}

/** The same on one line, with single blanks. */
export function harmlessLine(text: string): string {
  return harmlessText(text.replace(/[\s\u2028\u2029]+/g, ' ')).replace(/ {2,}/g, ' ')
}

/** Outer blanks off, Unicode composed (NFC), line ends as `\n`. */
export function tidyText(text: string): string {
  return text.replace(/\r\n?/g, '\n').normalize('NFC').trim()
}

/** Folded for search: lower case, without accents, single blanks. `ñ` folds to `n` so that both spellings find it. */
export function searchText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}
