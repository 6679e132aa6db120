/** Page of a plain text: each character has a place by its line and column. */
import { PAGE_WORD_LIMIT } from './page.ts'
import type { Page, Word } from './page.ts'

const MAX_CHARS = 200_000
/** Points of a character and of a line: one blank joins the cells of a row, two part them. */
const CHAR_WIDTH = 4.5
const LINE_HEIGHT = 12

/** Returns the words of a text as a page of fixed-width characters. */
export function pageOfText(text: string): Page {
  const words: Word[] = []
  const lines = text.slice(0, MAX_CHARS).split(/\r\n|\r|\n/)
  let longest = 0
  lines.forEach((line, index) => {
    longest = Math.max(longest, line.length)
    for (const match of line.matchAll(/[^\s\u00a0]+/g)) {
      if (words.length >= PAGE_WORD_LIMIT) return
      const clean = match[0].replace(/[\p{Cc}\p{Cf}]/gu, '')
      if (clean === '') continue
      const left = match.index * CHAR_WIDTH
      const top = index * LINE_HEIGHT
      words.push({
        t: clean,
        box: [left, top, left + match[0].length * CHAR_WIDTH, top + LINE_HEIGHT * 0.8],
        conf: 100,
      })
    }
  })
  const size = [Math.max(longest, 1) * CHAR_WIDTH, lines.length * LINE_HEIGHT] as const
  return { index: 0, size, source: 'text', turn: 0, readings: [words] }
}
