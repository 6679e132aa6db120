/** Text from outside, split so that hidden or reordering characters are shown as marks. Pure. */

interface TextPiece {
  text: string
  /** True for an invisible character, written as `U+202E`. */
  hidden: boolean
}

// Format, control, private-use and unassigned characters, and blank-looking letters. Line breaks stay; so does the
// joiner between two emoji, which only combines them.
const UNSEEN =
  /(?<!\p{Extended_Pictographic}\ufe0f?)\u200d|\u200d(?!\p{Extended_Pictographic})|[\p{Cc}\p{Co}\p{Cn}\u115f\u1160\u2800\u3164\uffa0]|(?!\u200d)\p{Cf}/gu

/** Splits the text. Line ends become `\n`; every invisible character is a piece of its own. */
export function visiblePieces(text: string): TextPiece[] {
  const plain = text.replace(/\r\n?/g, '\n')
  const pieces: TextPiece[] = []
  let from = 0
  for (const match of plain.matchAll(UNSEEN)) {
    if (match[0] === '\n' || match[0] === '\t') continue
    if (match.index > from) pieces.push({ text: plain.slice(from, match.index), hidden: false })
    const code = match[0].codePointAt(0) ?? 0
    pieces.push({ text: `U+${code.toString(16).toUpperCase().padStart(4, '0')}`, hidden: true })
    from = match.index + match[0].length
  }
  if (from < plain.length) pieces.push({ text: plain.slice(from), hidden: false })
  return pieces
}
