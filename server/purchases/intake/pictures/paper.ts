/** Finds the sheet of paper in a photograph. Pure. */
import { otsuLevel, shrunkTo } from './grey.ts'
import type { Grey } from './grey.ts'
import type { Point, Quad } from './homography.ts'

const SIDE_PX = 480
/** The sheet fills at least this part of the quadrilateral of its corners, else something else was found. */
const FILLED = 0.8
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

/** Returns the corners of the sheet in pixels of the picture; null if there is none or it is the whole picture. */
export function paperIn(grey: Grey): Quad | null {
  const small = shrunkTo(grey, SIDE_PX)
  const { width, height } = small
  const { members } = largestBrightPart(small, otsuLevel(small))
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
  const quad = corners.map(({ point }) => point) as Quad
  const area = areaOf(quad)
  const share = area / (width * height)
  if (share < LEAST_OF_PICTURE || share > MOST_OF_PICTURE) return null
  if (filledSize(members, width) < area * FILLED) return null
  const scale = grey.width / width
  return quad.map(([x, y]) => [x * scale, y * scale]) as Quad
}
