/** Turns bright letters on dark areas, such as the coloured strips of a letterhead, into dark ones on paper. Pure. */
import { newGrey, otsuLevel, resized } from './grey.ts'
import type { Grey } from './grey.ts'

/** Side of the squares in pixels by which areas are found. */
const SQUARE = 8
/** In squares: bright letters up to about twice this size do not part an area. */
const LETTER = 3
/** In squares: an area is at least so wide and high. The engine reads bright letters on a single bar by itself. */
const LEAST_SIDE = 20
const LEAST_SQUARES = LEAST_SIDE * LEAST_SIDE
/** In squares: the rim of an area by which it is not judged. */
const RIM = 2
/** Share of an area that letters cover: large black letters, taken for an area, leave half of their place bright. */
const LEAST_BRIGHT = 0.002
const MOST_BRIGHT = 0.32
/** The ground is so much darker than paper that few shadows on paper are. */
const MUCH_DARKER = 0.45
/** What is darker than its surroundings by this is ink. */
const AS_INK = 30

const PAPER = 250
const INK = 15

/** Returns the darkest, or the brightest, within `radius` of each pixel. */
function extreme(grey: Grey, radius: number, choose: (a: number, b: number) => number): Grey {
  const pass = ({ width, height, data }: Grey, along: number, length: number): Grey => {
    const result = newGrey(width, height)
    for (let at = 0; at < data.length; at++) {
      const place = along === 1 ? at % width : Math.floor(at / width)
      let value = data[at]!
      for (let step = -Math.min(radius, place); step <= Math.min(radius, length - 1 - place); step++)
        value = choose(value, data[at + step * along]!)
      result.data[at] = value
    }
    return result
  }
  return pass(pass(grey, 1, grey.width), grey.width, grey.height)
}

/** Numbers the connected dark parts of a small picture from 1; returns the number of each pixel. */
function darkParts({ width, data }: Grey, level: number): { part: Int32Array; sizes: number[] } {
  const part = new Int32Array(data.length)
  const sizes = [0]
  const stack: number[] = []
  for (let start = 0; start < data.length; start++) {
    if (part[start] !== 0 || data[start]! > level) continue
    const number = sizes.length
    let size = 0
    part[start] = number
    stack.push(start)
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      size += 1
      const x = at % width
      for (const next of [at - width, at + width, x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1]) {
        if (next < 0 || next >= data.length || part[next] !== 0 || data[next]! > level) continue
        part[next] = number
        stack.push(next)
      }
    }
    sizes.push(size)
  }
  return { part, sizes }
}

interface Levels {
  middle: number
  bright: number
}

interface Area {
  /** How many of its pixels have each level. */
  counts: Float64Array
  /** Pixels that are darker than their surroundings, as ink is. */
  inked: number
}

/** Returns the levels of ground and letters of an area; null unless it is dark with bright letters. */
function lettersOn({ counts, inked }: Area, paper: number): Levels | null {
  const all = counts.reduce((sum, count) => sum + count, 0)
  let ground = 0
  for (let below = counts[0]!; below * 2 < all && ground < 255; below += counts[ground]!) ground += 1
  if (all === 0) return null
  const middle = (ground + paper) / 2
  let [bright, sum] = [0, 0]
  for (let level = Math.ceil(middle); level < 256; level++) {
    bright += counts[level]!
    sum += counts[level]! * level
  }
  const hasLetters = bright >= all * LEAST_BRIGHT && bright <= all * MOST_BRIGHT
  // Paper in a shadow has dark letters.
  return hasLetters && inked * 2 < bright ? { middle, bright: sum / bright } : null
}

/** Returns the level of the paper: what most of its bright pixels have. */
function paperLevel({ data }: Grey, level: number): number {
  const bright = data.filter((pixel) => pixel > level).toSorted()
  return bright[bright.length >> 1] ?? 255
}

/** Returns the page with the letters of its dark areas dark, and these areas as bright as paper. */
export function withDarkAreasTurned(grey: Grey): Grey {
  const { width, height, data } = grey
  const [columns, rows] = [Math.floor(width / SQUARE), Math.floor(height / SQUARE)]
  if (columns < LEAST_SIDE || rows < LEAST_SIDE) return grey
  const small = resized(grey, columns, rows)
  const parting = otsuLevel(small)
  const paper = paperLevel(small, parting)
  const level = Math.min(parting, paper * MUCH_DARKER)
  const closed = extreme(extreme(small, LETTER, Math.min), LETTER, Math.max)
  const { part, sizes } = darkParts(closed, level)
  if (sizes.every((size, number) => number === 0 || size < LEAST_SQUARES)) return grey
  // Without what is thin, such as rules and lines of text, and without its rim, where paper and area share a square.
  const core = extreme(extreme(closed, LEAST_SIDE >> 1, Math.max), (LEAST_SIDE >> 1) - 1, Math.min)
  const squareOf = (x: number, y: number): number =>
    Math.min(rows - 1, ((y * rows) / height) | 0) * columns +
    Math.min(columns - 1, ((x * columns) / width) | 0)
  // What counts lies further within: the light falls off towards the rim.
  const inner = extreme(core, RIM, Math.max)
  const areas: Area[] = sizes.map(() => ({ counts: new Float64Array(256), inked: 0 }))
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const square = squareOf(x, y)
      if (inner.data[square]! > level) continue
      const area = areas[part[square]!]!
      area.counts[data[at]!]! += 1
      if (data[at]! < closed.data[square]! - AS_INK) area.inked += 1
    }
  const letters = sizes.map((size, number) =>
    number === 0 || size < LEAST_SQUARES ? null : lettersOn(areas[number]!, paper),
  )
  if (letters.every((each) => each === null)) return grey
  /** Areas with their surroundings, by the number of the part. */
  const near = new Int32Array(part.length)
  part.forEach((number, square) => {
    if (letters[number] == null) return
    const x = square % columns
    for (const down of [-columns, 0, columns])
      for (const across of [x > 0 ? -1 : 0, 0, x < columns - 1 ? 1 : 0]) near[square + down + across] = number
  })
  const result = Uint8Array.from(data)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const square = squareOf(x, y)
      const levels = letters[near[square]!]
      if (levels == null) continue
      const { middle, bright } = levels
      const ground = closed.data[square]!
      const isWithin = part[square] !== 0 && core.data[square]! <= level
      const share = Math.min(1, Math.max(0, (data[at]! - ground) / Math.max(1, bright - ground)))
      if (isWithin) result[at] = PAPER - share * (PAPER - INK)
      else if (data[at]! <= middle) result[at] = PAPER
    }
  return { width, height, data: result }
}
