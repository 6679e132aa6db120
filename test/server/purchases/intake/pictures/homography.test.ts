/** Plane transformations: corners go to corners, and back. */
import { describe, expect, test } from 'vitest'
import {
  andThen,
  homographyOf,
  IDENTITY,
  mapped,
  rotation,
  scaling,
  warped,
} from '../../../../../server/purchases/intake/pictures/homography.ts'
import type { Point, Quad } from '../../../../../server/purchases/intake/pictures/homography.ts'

const SQUARE: Quad = [
  [0, 0],
  [100, 0],
  [100, 100],
  [0, 100],
]
const LEANING: Quad = [
  [12, 8],
  [95, 20],
  [90, 110],
  [5, 80],
]
const rounded = ([x, y]: Point): Point => [Math.round(x * 1e6) / 1e6, Math.round(y * 1e6) / 1e6]

describe('a homography', () => {
  test('maps corners to corners, and its inverse maps them back', () => {
    const there = homographyOf(SQUARE, LEANING)
    const back = homographyOf(LEANING, SQUARE)
    if (there === null || back === null) throw new Error('no homography')
    expect(SQUARE.map((point) => rounded(mapped(there, point)))).toEqual(LEANING)
    expect(rounded(mapped(andThen(there, back), [37, 61]))).toEqual([37, 61])
  })

  test('does not exist for three corners on one line', () => {
    const flat: Quad = [
      [0, 0],
      [50, 0],
      [100, 0],
      [0, 100],
    ]
    expect(homographyOf(flat, SQUARE)).toBeNull()
  })

  test('a rotation is clockwise, and steps apply in their order', () => {
    expect(rounded(mapped(rotation(90, [10, 10]), [20, 10]))).toEqual([10, 20])
    expect(mapped(andThen(scaling(2), rotation(0, [0, 0])), [3, 4])).toEqual([6, 8])
  })

  test('a warped picture takes its pixels from where it is told, white outside', () => {
    const picture = { width: 2, height: 2, data: Uint8Array.of(10, 20, 30, 40) }
    expect(warped(picture, IDENTITY, 2, 2)).toEqual(picture)
    expect([...warped(picture, [1, 0, 1, 0, 1, 0, 0, 0, 1], 2, 2).data]).toEqual([20, 255, 40, 255])
  })
})
