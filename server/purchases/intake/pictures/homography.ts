/** Plane transformations of pictures: matrices of 3 by 3, row by row, that map a point of one picture to another. Pure. */
import { newGrey } from './grey.ts'
import type { Grey } from './grey.ts'

export type Matrix = [number, number, number, number, number, number, number, number, number]
export type Point = [x: number, y: number]
/** Corners: top left, top right, bottom right, bottom left. */
export type Quad = [Point, Point, Point, Point]

export const IDENTITY: Matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1]

/** Returns the transformation that applies `first`, then `second`. */
export function andThen(first: Matrix, second: Matrix): Matrix {
  const result: number[] = []
  for (let row = 0; row < 3; row++)
    for (let column = 0; column < 3; column++) {
      let sum = 0
      for (let at = 0; at < 3; at++) sum += second[row * 3 + at]! * first[at * 3 + column]!
      result.push(sum)
    }
  return result as Matrix
}

/** Returns the image of a point. */
export function mapped([a, b, c, d, e, f, g, h, i]: Matrix, [x, y]: Point): Point {
  const w = g * x + h * y + i
  return [(a * x + b * y + c) / w, (d * x + e * y + f) / w]
}

export const scaling = (x: number, y = x): Matrix => [x, 0, 0, 0, y, 0, 0, 0, 1]

/** Returns the clockwise rotation by an angle in degrees around a point. */
export function rotation(degrees: number, [x, y]: Point): Matrix {
  const cos = Math.cos((degrees * Math.PI) / 180)
  const sin = Math.sin((degrees * Math.PI) / 180)
  return [cos, -sin, x - cos * x + sin * y, sin, cos, y - sin * x - cos * y, 0, 0, 1]
}

/** Returns the transformation that maps the corners of `from` to those of `to`; null if three lie on one line. */
export function homographyOf(from: Quad, to: Quad): Matrix | null {
  // Eight equations for the eight unknown numbers, solved by elimination.
  const rows: number[][] = []
  from.forEach(([x, y], at) => {
    const [u, v] = to[at]!
    rows.push([x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v])
  })
  for (let column = 0; column < 8; column++) {
    let pivot = column
    for (let row = column + 1; row < 8; row++)
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row
    if (Math.abs(rows[pivot]![column]!) < 1e-9) return null
    ;[rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!]
    for (let row = 0; row < 8; row++) {
      if (row === column) continue
      const factor = rows[row]![column]! / rows[column]![column]!
      for (let at = column; at < 9; at++) rows[row]![at]! -= factor * rows[column]![at]!
    }
  }
  return [...rows.map((row, at) => row[8]! / row[at]!), 1] as Matrix
}

/** Returns a picture whose pixels come from where `toSource` maps them, interpolated; white outside of the source. */
export function warped(source: Grey, toSource: Matrix, width: number, height: number): Grey {
  const result = newGrey(width, height)
  const { data, width: sourceWidth, height: sourceHeight } = source
  const [a, b, c, d, e, f, g, h, i] = toSource
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      // Pixels have their centre at a half.
      const px = x + 0.5
      const py = y + 0.5
      const w = g * px + h * py + i
      const u = (a * px + b * py + c) / w - 0.5
      const v = (d * px + e * py + f) / w - 0.5
      if (!(u > -1 && v > -1 && u < sourceWidth && v < sourceHeight)) {
        result.data[at] = 255
        continue
      }
      const left = Math.floor(u)
      const top = Math.floor(v)
      const across = u - left
      const down = v - top
      const x0 = left < 0 ? 0 : left
      const x1 = left + 1 >= sourceWidth ? sourceWidth - 1 : left + 1
      const y0 = (top < 0 ? 0 : top) * sourceWidth
      const y1 = (top + 1 >= sourceHeight ? sourceHeight - 1 : top + 1) * sourceWidth
      const upper = data[y0 + x0]! * (1 - across) + data[y0 + x1]! * across
      const lower = data[y1 + x0]! * (1 - across) + data[y1 + x1]! * across
      result.data[at] = upper * (1 - down) + lower * down + 0.5
    }
  return result
}
