/** Finds the sheet of paper in a photograph. Pure. */
import { otsuLevel, shrunkTo } from './grey.ts'
import type { Grey } from './grey.ts'
import type { Point, Quad } from './homography.ts'
import { sheetByEdges } from './sheet-edges.ts'

const SIDE_PX = 480
/** The sheet fills at least this part of the quadrilateral of its corners, else something else was found. */
const FILLED = 0.8
const CLEARLY_FILLED = 0.92
/** A smaller sheet is not what was photographed; a larger one is the whole picture. */
const LEAST_OF_PICTURE = 0.15
const MOST_OF_PICTURE = 0.96

/** Returns the pixels of the largest connected bright part: its members as 1. */
function largestBrightPart(
  { width, height, data }: Grey,
  level: number,
): { members: Uint8Array; size: number } {
  const part = new Int32Array(width * height)
  const stack: number[] = []
  let parts = 0
  let largest = 0
  let size = 0
  for (let start = 0; start < data.length; start++) {
    if (part[start] !== 0 || data[start]! <= level) continue
    parts += 1
    let count = 0
    part[start] = parts
    stack.push(start)
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      count += 1
      const x = at % width
      const visit = (next: number): void => {
        if (part[next] === 0 && data[next]! > level) {
          part[next] = parts
          stack.push(next)
        }
      }
      if (x > 0) visit(at - 1)
      if (x < width - 1) visit(at + 1)
      if (at >= width) visit(at - width)
      if (at < data.length - width) visit(at + width)
    }
    if (count > size) {
      size = count
      largest = parts
    }
  }
  return { members: Uint8Array.from(part, (one) => (one === largest && largest !== 0 ? 1 : 0)), size }
}

/** Fills the ink within each row: the sheet is what lies between its first and last bright pixel. */
function filledSize(members: Uint8Array, width: number): number {
  let size = 0
  for (let row = 0; row < members.length; row += width) {
    const line = members.subarray(row, row + width)
    const first = line.indexOf(1)
    if (first !== -1) size += line.lastIndexOf(1) - first + 1
  }
  return size
}

function areaOf(quad: Quad): number {
  let double = 0
  quad.forEach(([x, y], at) => {
    const [u, v] = quad[(at + 1) % 4]!
    double += x * v - u * y
  })
  return Math.abs(double) / 2
}

/** A corner this near to one of the picture, in parts of its size, is no corner of a sheet that was photographed. */
const AT_CORNER = 0.015
/** Distance from a line within which a point of the edge belongs to it, in pixels of the small copy. */
const ON_LINE = 2.5
/** Points that are sampled of each edge. */
const SAMPLES = 40

/** Line a x + b y = c, with a and b of length 1. */
type Line = [a: number, b: number, c: number]

function lineThrough([x, y]: Point, [u, v]: Point): Line {
  const length = Math.hypot(u - x, v - y) || 1
  const [a, b] = [(v - y) / length, (x - u) / length]
  return [a, b, a * x + b * y]
}

/** Returns the line on which most points lie; null if that is less than half of them. */
function edgeLine(points: readonly Point[]): Line | null {
  let best: Line | null = null
  let most = 0
  for (let first = 0; first < points.length; first++)
    for (let second = first + 4; second < points.length; second++) {
      const line = lineThrough(points[first]!, points[second]!)
      const [a, b, c] = line
      let count = 0
      for (const [x, y] of points) if (Math.abs(a * x + b * y - c) < ON_LINE) count += 1
      if (count > most) {
        most = count
        best = line
      }
    }
  return most * 2 >= points.length ? best : null
}

function crossing([a, b, c]: Line, [d, e, f]: Line): Point | null {
  const determinant = a * e - b * d
  return Math.abs(determinant) < 0.1 ? null : [(c * e - b * f) / determinant, (a * f - c * d) / determinant]
}

/**
 * Returns the corners where the edges cross. A dark block in a corner of the sheet hides that corner, but not the rest
 * of its two edges.
 */
function crossedCorners(
  members: Uint8Array,
  width: number,
  height: number,
  quad: Quad,
): { quad: Quad; isWhole: boolean } {
  const isMember = (x: number, y: number): boolean => members[y * width + x] === 1
  /** Samples the first member from outside, between two corners. */
  const edge = (from: Point, to: Point, alongX: boolean, forward: boolean): Point[] => {
    const points: Point[] = []
    const [start, end] = alongX ? [from[0], to[0]] : [from[1], to[1]]
    const depth = alongX ? height : width
    for (let sample = 1; sample < SAMPLES; sample++) {
      const along = Math.min(
        (alongX ? width : height) - 1,
        Math.floor(start + ((end - start) * sample) / SAMPLES),
      )
      for (let step = 0; step < depth; step++) {
        const across = forward ? step : depth - 1 - step
        if (!(alongX ? isMember(along, across) : isMember(across, along))) continue
        points.push(alongX ? [along + 0.5, across + 0.5] : [across + 0.5, along + 0.5])
        break
      }
    }
    return points
  }
  const [topLeft, topRight, bottomRight, bottomLeft] = quad
  const top = edgeLine(edge(topLeft, topRight, true, true))
  const right = edgeLine(edge(topRight, bottomRight, false, false))
  const bottom = edgeLine(edge(bottomLeft, bottomRight, true, false))
  const left = edgeLine(edge(topLeft, bottomLeft, false, true))
  const sides = [
    [left, top],
    [top, right],
    [right, bottom],
    [bottom, left],
  ]
  const crossed = quad.map((corner, at) => {
    const [one, other] = sides[at]!
    const point = one && other && crossing(one, other)
    const isInside = point && point[0] > -2 && point[1] > -2 && point[0] < width + 2 && point[1] < height + 2
    return isInside ? point : corner
  }) as Quad
  return { quad: crossed, isWhole: [top, right, bottom, left].every((line) => line !== null) }
}

function cornersAtPictures(quad: Quad, width: number, height: number): number {
  const corners: Quad = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ]
  return quad.filter(
    ([x, y], at) =>
      Math.abs(x - corners[at]![0]) < width * AT_CORNER && Math.abs(y - corners[at]![1]) < height * AT_CORNER,
  ).length
}

/** Opposite edges of a sheet that is seen askew differ by less than this; the edge of a shadow makes others. */
const MOST_TAPER = 1.5

function isSheet(quad: Quad): boolean {
  const [top, right, bottom, left] = quad.map(([x, y], at) => {
    const [u, v] = quad[(at + 1) % 4]!
    return Math.hypot(u - x, v - y)
  }) as [number, number, number, number]
  const taper = (a: number, b: number): number => Math.max(a, b) / Math.max(1, Math.min(a, b))
  return taper(top, bottom) <= MOST_TAPER && taper(left, right) <= MOST_TAPER
}

interface Sheet {
  quad: Quad
  area: number
  /** True when it fills its four corners and has four straight edges. */
  isClear: boolean
}

/** Returns what is brighter than a level; null if that is no sheet, or the whole picture. */
function sheetAbove(small: Grey, level: number): Sheet | null {
  const { width, height } = small
  const { members } = largestBrightPart(small, level)
  const corners: { point: Point; value: number }[] = Array.from({ length: 4 }, () => ({
    point: [0, 0],
    value: -Infinity,
  }))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (members[y * width + x] === 0) continue
      // Top left, top right, bottom right, bottom left.
      const values = [-x - y, x - y, x + y, y - x]
      values.forEach((value, at) => {
        const corner = corners[at]!
        if (value > corner.value) corners[at] = { point: [x + 0.5, y + 0.5], value }
      })
    }
  const extremes = corners.map(({ point }) => point) as Quad
  // The sheet of a scan fills the picture, and a dark block on it is no table.
  if (cornersAtPictures(extremes, width, height) >= 2) return null
  const { quad, isWhole } = crossedCorners(members, width, height, extremes)
  const area = areaOf(quad)
  const share = area / (width * height)
  if (share < LEAST_OF_PICTURE || share > MOST_OF_PICTURE || !isSheet(quad)) return null
  const filled = filledSize(members, width) / area
  return filled < FILLED ? null : { quad, area, isClear: isWhole && filled >= CLEARLY_FILLED }
}

/** True if no corner is at the edge of the picture, where the table would be taken for paper. */
const liesWithin = (quad: Quad, width: number, height: number): boolean =>
  quad.every(
    ([x, y]) => Math.min(x, width - x) > width * AT_CORNER && Math.min(y, height - y) > height * AT_CORNER,
  )

/** A sheet is larger by this much than the part of it that no shadow covers. */
const PARTED = 1.15

/** Returns the corners of the sheet in pixels of the picture; null if there is none or it is the whole picture. */
export function paperIn(grey: Grey): Quad | null {
  const small = shrunkTo(grey, SIDE_PX)
  const level = otsuLevel(small)
  const bright = sheetAbove(small, level)
  // Where a shadow parts the sheet, its dark half still differs from the table.
  const lower = otsuLevel({ ...small, data: small.data.filter((pixel) => pixel <= level) })
  const whole = sheetAbove(small, lower)
  const isParted =
    bright === null ||
    (whole?.isClear === true &&
      whole.area > bright.area * PARTED &&
      liesWithin(whole.quad, small.width, small.height))
  const sheet = isParted ? whole : bright
  const scale = grey.width / small.width
  return sheetByEdges(grey, sheet && (sheet.quad.map(([x, y]) => [x * scale, y * scale]) as Quad))
}
