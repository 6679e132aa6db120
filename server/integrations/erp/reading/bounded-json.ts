/** Limits on untrusted JSON: measures depth and number of values in the text before anything is parsed. */

/** Reason for rejecting the text unparsed. */
type JsonExcess = 'too_deep' | 'too_many_values'

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Returns null where the text keeps the limits. It need not be valid JSON: parsing reports that later. Values are
 * counted as commas and opening brackets.
 */
export function jsonExcess(text: string, limits: { depth: number; values: number }): JsonExcess | null {
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1
      values += 1
      if (depth > limits.depth) return 'too_deep'
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1
    } else if (code === 0x2c) {
      values += 1
    }
    if (values > limits.values) return 'too_many_values'
  }
  return null
}

/** Returns the end of the string that opens at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === QUOTE) break
  }
  return at
}
