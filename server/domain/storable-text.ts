/** Text that every engine stores: without the character U+0000, and without half of a surrogate pair. */

/** Returns what a text contains that cannot be stored; null if it can. */
export function unstorablePart(text: string): 'nul' | 'surrogate' | null {
  if (text.includes('\0')) return 'nul'
  return text.isWellFormed() ? null : 'surrogate'
}

/** Returns the text with U+FFFD in place of what cannot be stored. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\u{FFFD}').toWellFormed()
}
