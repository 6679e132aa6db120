/** Takes the rules of tables from a page: the engine reads figures beside and on them badly. Pure. */
import type { Grey } from './grey.ts'

/** What is darker is ink; fine rules are grey. */
const INK = 205
const PAPER = 255
/** In heights of text: a rule is longer, and thinner. Letters are neither. */
const LENGTH = 5
const THICKNESS = 0.36
const LEAST_THICKNESS = 4
/** In heights of text: a letter or a rule that crosses is no wider. */
const GAP = 1
/** Share of a rule that nothing crosses. The feet of letters in a row have their stems between them. */
const FREE = 0.85
/** Pixels by which the middle of a rule moves from one place to the next at most. */
const STEP = 1.5
const SLOPE = 0.1

/** How the bytes of a picture follow each other along a rule, and across. */
interface Direction {
  along: number
  across: number
  length: number
  breadth: number
}

interface Chain {
  start: number
  last: number
  middle: number
  /** Place, first and last pixel across, of each part. */
  parts: number[]
}

function erase(
  { parts }: Chain,
  to: Uint8Array,
  { along, across, breadth }: Direction,
  thickest: number,
): void {
  const paint = (at: number, low: number, high: number): void => {
    for (let each = Math.max(0, low - 1); each <= Math.min(breadth - 1, high + 1); each++)
      to[at * along + each * across] = PAPER
  }
  for (let part = 0; part < parts.length; part += 3) {
    const [at, low, high] = [parts[part]!, parts[part + 1]!, parts[part + 2]!]
    paint(at, low, high)
    const next = parts[part + 3] ?? at
    // A rule that crosses goes too; a letter stays.
    if (next - at <= thickest + 2)
      for (let between = at + 1; between < next; between++) paint(between, low, high)
  }
}

/** Finds thin strokes from place to place along the direction, and paints over the long ones. */
function eraseRules(from: Uint8Array, to: Uint8Array, direction: Direction, textHeight: number): void {
  const { along, across, length, breadth } = direction
  const thickest = Math.max(LEAST_THICKNESS, Math.round(textHeight * THICKNESS))
  const least = textHeight * LENGTH
  const gap = textHeight * GAP
  let open: Chain[] = []
  const close = (chain: Chain): void => {
    const extent = chain.last - chain.start + 1
    if (extent >= least && chain.parts.length / 3 >= extent * FREE) erase(chain, to, direction, thickest)
  }
  for (let at = 0; at < length; at++) {
    const start = at * along
    let low = -1
    const found: [low: number, high: number][] = []
    for (let each = 0; each <= breadth; each++) {
      const isInk = each < breadth && from[start + each * across]! < INK
      if (isInk && low < 0) low = each
      else if (!isInk && low >= 0) {
        if (each - low <= thickest) found.push([low, each - 1])
        low = -1
      }
    }
    // Both are in the order of their places across.
    let first = 0
    const next: Chain[] = []
    for (const [top, bottom] of found) {
      const middle = (top + bottom) / 2
      while (first < open.length && open[first]!.middle < middle - STEP - gap * SLOPE) first += 1
      let best: Chain | null = null
      let nearest = Infinity
      for (let each = first; each < open.length; each++) {
        const chain = open[each]!
        const distance = Math.abs(chain.middle - middle)
        if (chain.middle > middle + STEP + gap * SLOPE) break
        if (chain.last === at || distance > STEP + (at - chain.last - 1) * SLOPE || distance >= nearest)
          continue
        best = chain
        nearest = distance
      }
      if (best) {
        best.parts.push(at, top, bottom)
        best.last = at
        best.middle = middle
      } else next.push({ start: at, last: at, middle, parts: [at, top, bottom] })
    }
    const kept: Chain[] = []
    for (const chain of open)
      if (at - chain.last <= gap) kept.push(chain)
      else close(chain)
    open = [...kept, ...next].toSorted((a, b) => a.middle - b.middle)
  }
  open.forEach(close)
}

/** Returns the page without its horizontal and vertical rules; what crosses a rule stays. */
export function withoutRules(grey: Grey, textHeight: number): Grey {
  const { width, height, data } = grey
  const result = Uint8Array.from(data)
  eraseRules(data, result, { along: 1, across: width, length: width, breadth: height }, textHeight)
  eraseRules(data, result, { along: width, across: 1, length: height, breadth: width }, textHeight)
  return { width, height, data: result }
}
