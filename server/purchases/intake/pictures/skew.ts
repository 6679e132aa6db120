/** Measures how far the lines of a page lean. Pure. */
import { otsuLevel, shrunkTo } from './grey.ts'
import type { Grey } from './grey.ts'

const SIDE_PX = 1100
const MOST_DEGREES = 6
const COARSE_DEGREES = 0.5
const FINE_DEGREES = 0.1
/** Limit of the search for lines that lean more, as on a sheet whose edges were not found. */
const WIDE_DEGREES = 20
/** An angle must be so much better than none; one beyond the first limit, so much better than all within. */
const CLEARLY = 1.05
const WIDE_CLEARLY = 1.3
/** A page with fewer dark pixels has too few lines. */
const FEWEST = 300
/** A page with a larger dark share is a picture, not a text. */
const MOST_DARK = 0.4

/**
 * Returns the clockwise angle of the lines in degrees, to a tenth; 0 for a page without clear lines. Of all angles, the
 * sums of dark pixels along the right one change most from row to row. Angles up to 20 degrees are tried where those up
 * to 6 show none for certain.
 */
export function skewOf(grey: Grey): number {
  const small = shrunkTo(grey, SIDE_PX)
  const { width, height, data } = small
  const level = otsuLevel(small)
  const xs: number[] = []
  const ys: number[] = []
  // The rim may be the edge of the sheet.
  const rim = Math.round(Math.min(width, height) * 0.02)
  for (let y = rim; y < height - rim; y++)
    for (let x = rim; x < width - rim; x++)
      if (data[y * width + x]! <= level) {
        xs.push(x)
        ys.push(y)
      }
  if (xs.length < FEWEST || xs.length > data.length * MOST_DARK) return 0
  const reach = Math.ceil(width * Math.tan((WIDE_DEGREES * Math.PI) / 180)) + 2
  const rows = new Float64Array(height + 2 * reach)
  const scoreOf = (degrees: number): number => {
    rows.fill(0)
    const slope = Math.tan((degrees * Math.PI) / 180)
    for (let at = 0; at < xs.length; at++) rows[Math.round(ys[at]! - xs[at]! * slope) + reach]! += 1
    let score = 0
    for (let at = 1; at < rows.length; at++) score += (rows[at]! - rows[at - 1]!) ** 2
    return score
  }
  const bestOf = (from: number, to: number, step: number): number => {
    let best = 0
    let most = -1
    for (let at = 0; at <= Math.round((to - from) / step); at++) {
      const degrees = from + at * step
      const score = scoreOf(degrees)
      if (score > most) {
        most = score
        best = degrees
      }
    }
    return best
  }
  const limit = MOST_DEGREES - COARSE_DEGREES
  const coarse = bestOf(-limit, limit, COARSE_DEGREES)
  const fine = bestOf(coarse - COARSE_DEGREES, coarse + COARSE_DEGREES, FINE_DEGREES)
  const none = scoreOf(0)
  const most = scoreOf(fine)
  const found = most > none * CLEARLY ? Math.round(fine * 10) / 10 : 0
  if (most > none * WIDE_CLEARLY && Math.abs(fine) < limit) return found
  const wide = bestOf(-WIDE_DEGREES, WIDE_DEGREES, COARSE_DEGREES)
  const finest = bestOf(wide - COARSE_DEGREES, wide + COARSE_DEGREES, FINE_DEGREES)
  return scoreOf(finest) > Math.max(none, most) * WIDE_CLEARLY ? Math.round(finest * 10) / 10 : found
}
