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

const isSamePlace = (a: Word, b: Word): boolean => shared(a.box, b.box) >= SAME_PLACE

/** Confidence of a word that only one of two readings has: below what counts as read. */
const ALONE_CONFIDENCE = 60

const IS_WRITING = /[\p{L}\p{N}]/u
/** Signs that stand alone between words, such as that of an amount. */
const IS_SIGN = /^[-\u2212\u2010-\u2014€$£%&+/:·•]$/
/** In heights of the typical word: what is taller and uncertain is a stroke through several rows. */
const TALL = 3
const TALL_CONFIDENCE = 55

/** Letters that the engine sees in the dots which lead from a label to its amount. */
const IS_LEADER = /^[^\p{L}\p{N}]*(?:[aceorsu][^\p{L}\p{N}]*)+$/iu
const LEADER_CONFIDENCE = 60
/** In heights of the typical word: dots and dashes are lower. */
const FLAT = 0.5
const FLAT_LETTERS = 4

/** Returns the words without what the engine sees in lines, dots and stains. */
function writingOf(words: readonly Word[]): Word[] {
  const heights = words.map(({ box }) => box[3] - box[1]).toSorted((a, b) => a - b)
  const typical = heights[Math.floor(heights.length / 2)] ?? 0
  return words.filter(({ t, box, conf }) => {
    if (IS_SIGN.test(t)) return true
    const height = box[3] - box[1]
    if (!IS_WRITING.test(t) || (height > typical * TALL && conf < TALL_CONFIDENCE)) return false
    if (conf < LEADER_CONFIDENCE && IS_LEADER.test(t)) return false
    return /\d/.test(t) || t.length < FLAT_LETTERS || height > typical * FLAT
  })
}

/** Words of two readings that cover each other. */
interface Cluster {
  first: Word[]
  second: Word[]
}

/** Returns the words of both readings by their place: one word in one may be several in the other. */
function clustersOf(first: readonly Word[], second: readonly Word[]): Cluster[] {
  const ofSecond = new Map<Word, Cluster>()
  const clusters = new Set<Cluster>()
  for (const word of first) {
    let cluster: Cluster = { first: [word], second: [] }
    for (const other of second) {
      if (!isSamePlace(word, other)) continue
      const known = ofSecond.get(other)
      if (known === undefined) {
        cluster.second.push(other)
        ofSecond.set(other, cluster)
      } else if (known !== cluster) {
        known.first.push(...cluster.first)
        known.second.push(...cluster.second)
        for (const each of cluster.second) ofSecond.set(each, known)
        clusters.delete(cluster)
        cluster = known
      }
    }
    clusters.add(cluster)
  }
  return [
    ...clusters,
    ...second.filter((word) => !ofSecond.has(word)).map((word) => ({ first: [], second: [word] })),
  ]
}

const IS_AMOUNT = /^[-\u2212(]?(?:\d{1,3}(?:\.\d{3})+|\d{1,6}),\d{2}[)€-]?$/
/** A figure with two decimals is rarely a misreading of something else. */
const AMOUNT_BONUS = 10

/** Returns how much of the words is to be trusted: their confidence by their length. */
function qualityOf(words: readonly Word[]): number {
  const letters = words.reduce((sum, { t }) => sum + t.length, 0)
  const weighted = words.reduce(
    (sum, { t, conf }) => sum + t.length * (conf + (IS_AMOUNT.test(t) ? AMOUNT_BONUS : 0)),
    0,
  )
  return weighted / Math.max(letters, 1)
}

const inOrder = (words: readonly Word[]): Word[] => words.toSorted((a, b) => a.box[0] - b.box[0])
const textOf = (words: readonly Word[]): string =>
  inOrder(words)
    .map(({ t }) => t)
    .join('')

const alone = (word: Word): Word => ({ ...word, conf: Math.min(word.conf, ALONE_CONFIDENCE) })

/** Returns the words of the better reading of a place, each with the other's text as `alt`. */
function mergedCluster({ first, second }: Cluster): Word[] {
  if (second.length === 0) return first.map(alone)
  if (first.length === 0) return second.map(alone)
  if (textOf(first) === textOf(second)) return first.length <= second.length ? first : second
  const isFirstBetter = qualityOf(first) >= qualityOf(second)
  const others = isFirstBetter ? second : first
  return (isFirstBetter ? first : second).map((word) => {
    const matches = others.filter((each) => isSamePlace(word, each))
    const text = textOf(matches.length > 0 ? matches : others)
    return text === word.t ? word : { ...word, alt: text }
  })
}

/**
 * Returns the words of a page: of exact text as they are; of two readings the more certain one of each place, with the
 * other's text as `alt` where it differs, and the words that only one has.
 */
export function mergeReadings(page: Page): readonly Word[] {
  const [first = [], second] = page.readings
  if (page.source === 'text') return first
  // A single reading of a picture agrees with nothing.
  if (second === undefined) return writingOf(first).map(alone)
  return clustersOf(writingOf(first), writingOf(second)).flatMap(mergedCluster)
}
