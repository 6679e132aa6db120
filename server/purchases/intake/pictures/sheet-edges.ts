/**
 * Finds the sheet of paper in a photograph by its edges, where its brightness does not part it from the table: under
 * shadows or several lights, or on a bright table. The edge of a sheet is sharp, that of a shadow is not. Pure.
 */
import { shrunkTo } from './grey.ts'
import type { Grey } from './grey.ts'
import type { Point, Quad } from './homography.ts'

const SIDE_PX = 720
/** Brightness counts by its ratio, so that an edge in a shadow is as clear as one in the light. */
const BLACK = 8
/** Step of the logarithm of brightness that is an edge, and one that is a clear edge. */
const EDGE = 0.2
const CLEAR = 0.4
/** How far the sides may lean, and by which steps they are searched. */
const MOST_DEGREES = 22
const STEP_DEGREES = 0.5
/** Pixels of the small copy: the width of a line, as paper is bent, and the distance of two that are not the same. */
const BAND = 3
const OFF_LINE = 5
const APART = 10
/** Lines that are tried for each side. */
const LINES = 10
/** Points that are sampled of each side. */
const SAMPLES = 48
/** Pixels beside a side at which the table is darker than the sheet, by this step. */
const BESIDE = 9
const DARKER = 0.12
/** Share of a side that must lie on an edge, and of all sides together. */
const LEAST_SIDE = 0.5
const LEAST_OF_ALL = 0.72
/** A smaller sheet is not what was photographed; a larger one is the whole picture. */
const LEAST_OF_PICTURE = 0.2
const MOST_OF_PICTURE = 0.96
/** Opposite edges of a sheet that is seen askew differ by less than this. */
const MOST_TAPER = 1.5
/** A corner may lie so far outside of the picture, in parts of its longer side. */
const OUTSIDE = 0.03

/** Sides of a sheet; each is brighter inside. */
type Side = 'top' | 'right' | 'bottom' | 'left'

interface Edges {
  width: number
  height: number
  /** Logarithms of the brightness. */
  levels: Float32Array
  /** How clearly the picture becomes brighter at each pixel towards the inside, from 0 to 1. */
  steps: Readonly<Record<Side, Float32Array>>
}

/** Place of a side where it crosses the middle of the picture, and how it moves from there for each pixel along. */
interface Line {
  place: number
  slope: number
}

function edgesOf({ width, height, data }: Grey): Edges {
  const levels = Float32Array.from(data, (level) => Math.log(level + BLACK))
  const empty = (): Float32Array => new Float32Array(width * height)
  const steps = { top: empty(), right: empty(), bottom: empty(), left: empty() }
  const clarity = (step: number): number => (step < EDGE ? 0 : Math.min(1, step / CLEAR))
  /** Difference of two pixels to two before, as a mean of three lines beside each other. */
  const difference = (at: number, along: number, beside: number): number => {
    let sum = 0
    for (const line of [at - beside, at, at + beside])
      sum +=
        levels[line + along]! + levels[line + 2 * along]! - levels[line - along]! - levels[line - 2 * along]!
    return sum / 6
  }
  for (let y = 2; y < height - 2; y++)
    for (let x = 2; x < width - 2; x++) {
      const at = y * width + x
      const across = difference(at, 1, width)
      const down = difference(at, width, 1)
      steps.left[at] = clarity(across)
      steps.right[at] = clarity(-across)
      steps.top[at] = clarity(down)
      steps.bottom[at] = clarity(-down)
    }
  return { width, height, levels, steps }
}

const isUpright = (side: Side): boolean => side === 'left' || side === 'right'

/** Returns the lines with the longest edges of a side. */
function linesOf({ width, height, steps }: Edges, side: Side): Line[] {
  const [length, breadth] = isUpright(side) ? [height, width] : [width, height]
  const places: number[] = []
  const alongs: number[] = []
  const weights: number[] = []
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const weight = steps[side][at]!
      if (weight === 0) continue
      places.push(isUpright(side) ? x : y)
      alongs.push((isUpright(side) ? y : x) - length / 2)
      weights.push(weight)
    }
  const reach = Math.ceil((length / 2) * Math.tan((MOST_DEGREES * Math.PI) / 180))
  const bins = Math.ceil((breadth + 2 * reach) / BAND) + 1
  const found: (Line & { weight: number })[] = []
  for (let turn = -MOST_DEGREES; turn <= MOST_DEGREES; turn += STEP_DEGREES) {
    const slope = Math.tan((turn * Math.PI) / 180)
    const sums = new Float32Array(bins)
    for (let at = 0; at < places.length; at++)
      sums[Math.floor((places[at]! - alongs[at]! * slope + reach) / BAND)]! += weights[at]!
    for (let bin = 0; bin < bins; bin++) {
      const weight = sums[bin]! + (sums[bin + 1] ?? 0)
      if (weight > length * 0.15) found.push({ place: (bin + 1) * BAND - reach, slope, weight })
    }
  }
  found.sort((a, b) => b.weight - a.weight)
  const lines: Line[] = []
  const placeAt = ({ place, slope }: Line, part: number): number => place + slope * length * part
  for (const line of found) {
    const isSame = (other: Line): boolean =>
      Math.abs(placeAt(line, -0.3) - placeAt(other, -0.3)) < APART &&
      Math.abs(placeAt(line, 0.3) - placeAt(other, 0.3)) < APART
    if (!lines.some(isSame)) lines.push(line)
    if (lines.length === LINES) break
  }
  return lines
}

/** Where an upright line and a level one cross. */
function crossing(upright: Line, level: Line, { width, height }: Edges): Point {
  // x = place + slope (y - height / 2), y = place + slope (x - width / 2).
  const x =
    (upright.place + upright.slope * (level.place - level.slope * (width / 2) - height / 2)) /
    (1 - upright.slope * level.slope)
  return [x, level.place + level.slope * (x - width / 2)]
}

const SIDES: readonly Side[] = ['top', 'right', 'bottom', 'left']

/** Share of the line between two corners that lies on an edge, and how much brighter it is inside than outside. */
function sideOf(edges: Edges, side: Side, from: Point, to: Point): { share: number; brighter: number } {
  const { width, height, levels, steps } = edges
  const [right, down] = isUpright(side) ? [side === 'left' ? 1 : -1, 0] : [0, side === 'top' ? 1 : -1]
  const levelAt = (x: number, y: number): number =>
    levels[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))]!
  const inside: number[] = []
  let sum = 0
  for (let sample = 0; sample < SAMPLES; sample++) {
    const part = (sample + 0.5) / SAMPLES
    const x = Math.floor(from[0] + (to[0] - from[0]) * part)
    const y = Math.floor(from[1] + (to[1] - from[1]) * part)
    let clearest = 0
    for (let off = -OFF_LINE; off <= OFF_LINE; off++) {
      const [u, v] = [x + off * right, y + off * down]
      if (u >= 0 && v >= 0 && u < width && v < height)
        clearest = Math.max(clearest, steps[side][v * width + u]!)
    }
    sum += clearest
    inside.push(
      levelAt(x + BESIDE * right, y + BESIDE * down) - levelAt(x - BESIDE * right, y - BESIDE * down),
    )
  }
  inside.sort((a, b) => a - b)
  return { share: sum / SAMPLES, brighter: inside[SAMPLES >> 1]! }
}

const lengthOf = ([x, y]: Point, [u, v]: Point): number => Math.hypot(u - x, v - y)

function areaOf(quad: Quad): number {
  let double = 0
  quad.forEach(([x, y], at) => {
    const [u, v] = quad[(at + 1) % 4]!
    double += x * v - u * y
  })
  return double / 2
}

function isPossible(quad: Quad, { width, height }: Edges): boolean {
  const out = Math.max(width, height) * OUTSIDE
  if (!quad.every(([x, y]) => x > -out && y > -out && x < width + out && y < height + out)) return false
  const share = areaOf(quad) / (width * height)
  if (share < LEAST_OF_PICTURE || share > MOST_OF_PICTURE) return false
  const [top, right, bottom, left] = quad.map((corner, at) => lengthOf(corner, quad[(at + 1) % 4]!)) as [
    number,
    number,
    number,
    number,
  ]
  const taper = (a: number, b: number): number => Math.max(a, b) / Math.max(1, Math.min(a, b))
  return taper(top, bottom) <= MOST_TAPER && taper(left, right) <= MOST_TAPER
}

interface Outline {
  quad: Quad
  /** Length of its sides that lies on edges, less the length that does not. */
  length: number
  /** Share of the side of which least lies on an edge. */
  leastShare: number
  isSheet: boolean
}

/** Judges corners in pixels of the small copy. */
function outlineOf(edges: Edges, quad: Quad): Outline {
  const sides = SIDES.map((side, at) => sideOf(edges, side, quad[at]!, quad[(at + 1) % 4]!))
  const lengths = quad.map((corner, at) => lengthOf(corner, quad[(at + 1) % 4]!))
  const all = lengths.reduce((sum, each) => sum + each, 0)
  const covered = lengths.reduce((sum, each, at) => sum + each * sides[at]!.share, 0)
  const leastShare = Math.min(...sides.map(({ share }) => share))
  return {
    quad,
    length: 2 * covered - all,
    leastShare,
    // A dark strip along a side of the sheet may be as dark as the table; a frame has paper on both sides.
    isSheet:
      leastShare >= LEAST_SIDE &&
      covered >= all * LEAST_OF_ALL &&
      sides.filter(({ brighter }) => brighter > DARKER).length >= 3,
  }
}

/**
 * Returns the corners of the sheet in pixels of the picture, of all four lines the ones that lie on most edges; `found`
 * are the corners found by brightness, which are kept if each of their sides is an edge. Null if there is no sheet.
 */
export function sheetByEdges(grey: Grey, found: Quad | null): Quad | null {
  const small = shrunkTo(grey, SIDE_PX)
  const scale = grey.width / small.width
  const edges = edgesOf(small)
  const before = found && outlineOf(edges, found.map(([x, y]) => [x / scale, y / scale]) as Quad)
  if (before !== null && before.leastShare >= LEAST_SIDE) return found
  const [tops, rights, bottoms, lefts] = SIDES.map((side) => linesOf(edges, side)) as [
    Line[],
    Line[],
    Line[],
    Line[],
  ]
  let best: Outline | null = null
  for (const top of tops)
    for (const bottom of bottoms) {
      if (bottom.place - top.place < small.height * LEAST_OF_PICTURE) continue
      for (const left of lefts)
        for (const right of rights) {
          if (right.place - left.place < small.width * LEAST_OF_PICTURE) continue
          const quad: Quad = [
            crossing(left, top, edges),
            crossing(right, top, edges),
            crossing(right, bottom, edges),
            crossing(left, bottom, edges),
          ]
          if (!isPossible(quad, edges)) continue
          const outline = outlineOf(edges, quad)
          if (outline.isSheet && outline.length > (best?.length ?? 0)) best = outline
        }
    }
  if (best === null || (before !== null && best.length <= before.length)) return found
  return best.quad.map(([x, y]) => [x * scale, y * scale]) as Quad
}
