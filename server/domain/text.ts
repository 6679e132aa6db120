/** Text from outside: made safe to store, compare and show, without changing its content. */

// C0 and C1 controls except tab and newline; lone surrogates; zero-width, bidirectional and tag characters and line
// separators, which hide or reorder text. Joiners and variation selectors are allowed, since emoji and some scripts
// need them, but at most two in a row: a long sequence is a hidden message.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
const HIDDEN =
  /[\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|[\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3}/u
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

// Noncharacter code points: U+FFFE and U+FFFF cannot occur in the registry's XML.
const NONCHARACTER = /\p{Noncharacter_Code_Point}/u

/** Fast path for most texts: printable ASCII, tabs and line feeds. */
const PLAIN = /^[\t\n\x20-\x7e]*$/

export type TextFault = 'control_character' | 'hidden_character' | 'broken_unicode'

/** Returns the reason why a text cannot be stored, or null. */
export function textFault(text: string): TextFault | null {
  if (PLAIN.test(text)) return null
  if (CONTROLS.test(text)) return 'control_character'
  if (HIDDEN.test(text)) return 'hidden_character'
  if (LONE_SURROGATE.test(text) || NONCHARACTER.test(text)) return 'broken_unicode'
  return null
}

/** Characters that `textFault` rejects in text that can be corrected, and also soft hyphens and joiners. */
const HARMFUL =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/gu

/**
 * More combining marks on one letter than any language uses (UAX #15, stream-safe text): sorting a long run of them
 * takes hours.
 */
const PILED_UP = /(\p{M}{30})\p{M}+/gu

/**
 * Cleans text of another program, which nobody here can correct: hiding and reordering characters are removed instead
 * of rejected, Unicode is composed (NFC), line ends become `\n`.
 */
export function sanitizeText(text: string): string {
  return text
    .toWellFormed()
    .replace(PILED_UP, '$1')
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(HARMFUL, '')
    .trim()
}

/** Returns the same on one line, with single blanks. */
export function sanitizeLine(text: string): string {
  return sanitizeText(text.replace(/[\s\u2028\u2029]+/g, ' ')).replace(/ {2,}/g, ' ')
}

/** Trims outer blanks, composes Unicode (NFC) and converts line ends to `\n`. */
export function normalizeText(text: string): string {
  return text.replace(/\r\n?/g, '\n').normalize('NFC').trim()
}

/** Text without blanks around it; null when there is none. */
export function trimmedOrNull(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  return normalizeText(text) || null
}

/** Folds text for search: lower case, without accents, single blanks. `ñ` folds to `n` so that both spellings match. */
export function searchText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}
