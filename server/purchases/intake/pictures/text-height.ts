/** Measures how high the letters of a page are. Pure. */
import { otsuLevel } from './grey.ts'
import type { Grey } from './grey.ts'

/** Parts of the ink that are no letters: specks, pictures, rules. */
const LEAST_PX = 7
const MOST_PX = 160
const LEAST_ASPECT = 0.12
const MOST_ASPECT = 2.2
/** A page with fewer letters has no typical height. */
const FEWEST = 40
/** Of all parts, capitals and digits are the higher ones; above them are headings and letters that touch. */
const SHARE = 0.7

/** Returns the typical height of capitals and digits in pixels; null for a page with few letters. */
export function textHeightOf(grey: Grey): number | null {
  const { width, height, data } = grey
  const level = otsuLevel(grey)
  const seen = new Uint8Array(data.length)
  const stack: number[] = []
  const heights: number[] = []
  for (let start = 0; start < data.length; start++) {
    if (seen[start] !== 0 || data[start]! > level) continue
    seen[start] = 1
    stack.push(start)
    let [left, right, top, bottom] = [width, 0, height, 0]
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const x = at % width
      const y = (at - x) / width
      if (x < left) left = x
      if (x > right) right = x
      if (y < top) top = y
      if (y > bottom) bottom = y
      for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++)
        for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
          const next = v * width + u
          if (seen[next] !== 0 || data[next]! > level) continue
          seen[next] = 1
          stack.push(next)
        }
    }
    const high = bottom - top + 1
    const aspect = (right - left + 1) / high
    if (high >= LEAST_PX && high <= MOST_PX && aspect >= LEAST_ASPECT && aspect <= MOST_ASPECT)
      heights.push(high)
  }
  if (heights.length < FEWEST) return null
  return heights.toSorted((a, b) => a - b)[Math.floor(heights.length * SHARE)] ?? null
}
