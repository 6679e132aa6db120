/** Two readings of one page, compared word by word. What both say alike is read; where they differ, both values stay. */
import type { Box, Page, Word } from '../pages/page.ts'

/** Share of the smaller word's area that two readings of one word have in common. */
const SAME_PLACE = 0.5

function shared(a: Box, b: Box): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0])
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1])
  if (width <= 0 || height <= 0) return 0
  const area = ([x0, y0, x1, y1]: Box): number => Math.max((x1 - x0) * (y1 - y0), 0.01)
  return (width * height) / Math.min(area(a), area(b))
}

/** Confidence of a word that only one of two readings has: below what counts as read. */
const ALONE_CONFIDENCE = 60

/**
 * Returns the words of a page: of exact text as they are; of two readings the first, each word with the second's text
 * as `alt` where it differs, and the words that only the second has.
 */
export function mergeReadings(page: Page): readonly Word[] {
  const [first = [], second] = page.readings
  if (page.source === 'text') return first
  // A single reading of a picture agrees with nothing.
  if (second === undefined)
    return first.map((word) => ({ ...word, conf: Math.min(word.conf, ALONE_CONFIDENCE) }))
  const used = new Set<Word>()
  const merged = first.map((word): Word => {
    const matches = second.filter((each) => shared(word.box, each.box) >= SAME_PLACE)
    for (const each of matches) used.add(each)
    if (matches.length === 0) return { ...word, conf: Math.min(word.conf, ALONE_CONFIDENCE) }
    const text = matches
      .toSorted((a, b) => a.box[0] - b.box[0])
      .map(({ t }) => t)
      .join('')
    return text === word.t ? word : { ...word, alt: text }
  })
  const alone = second
    .filter((word) => !used.has(word) && !first.some((each) => shared(word.box, each.box) >= SAME_PLACE))
    .map((word) => ({ ...word, conf: Math.min(word.conf, ALONE_CONFIDENCE) }))
  return [...merged, ...alone]
}
