/** Parser of a topic's text into blocks that a template can show without markup. Pure. */

export interface Span {
  text: string
  strong: boolean
}
type Block =
  | { kind: 'paragraph'; spans: Span[] }
  | { kind: 'head'; spans: Span[] }
  | { kind: 'bullets'; items: Span[][] }
  | { kind: 'steps'; items: Span[][] }

/** Splits `**strong**` from the other text. */
export function spansOf(text: string): Span[] {
  return text
    .split('**')
    .map((part, index) => ({ text: part, strong: index % 2 === 1 }))
    .filter((span) => span.text !== '')
}

const BULLET = /^- /
const STEP = /^\d+\. /

function blockOf(lines: string[]): Block {
  const first = lines[0] ?? ''
  if (first.startsWith('## ')) return { kind: 'head', spans: spansOf(first.slice(3)) }
  for (const [kind, mark] of [
    ['bullets', BULLET],
    ['steps', STEP],
  ] as const)
    if (mark.test(first)) return { kind, items: lines.map((line) => spansOf(line.replace(mark, ''))) }
  return { kind: 'paragraph', spans: spansOf(lines.join(' ')) }
}

/** Splits a text into blocks at blank lines. */
export function blocksOf(text: string): Block[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((block) => blockOf(block.split('\n').map((line) => line.trim())))
}

/** Returns the text without its markers, for the search. */
export function plainText(text: string): string {
  return text.replaceAll('**', '').replaceAll(/^(?:## |- |\d+\. )/gm, '')
}
