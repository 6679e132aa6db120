/** Text from outside: made safe to store, compare and show, without changing what a person wrote. */

// C0 and C1 controls except tab and newline; lone surrogates; zero-width, bidirectional and tag characters, which hide or
// reorder what is read. ZWJ and variation selectors stay: emoji and some scripts need them.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
const HIDDEN = /[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|\udb40[\udc00-\udc7f]/
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

/** Outer blanks off, Unicode composed (NFC), line ends as `\n`. */
export function tidyText(text: string): string {
  return text.replace(/\r\n?/g, '\n').normalize('NFC').trim()
}

/** Folded for search: lower case, without accents, single blanks. `ñ` folds to `n` so that both spellings find it. */
export function searchText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}
