/** Operations on grey pictures: sizes, turns, and the level between dark and bright. */
import { describe, expect, test } from 'vitest'
import {
  greyOfRgba,
  otsuLevel,
  resized,
  shrunkTo,
  turned,
  uprightOf,
} from '../../../../../server/purchases/intake/pictures/grey.ts'
import type { Grey } from '../../../../../server/purchases/intake/pictures/grey.ts'

const grey = (width: number, ...data: number[]): Grey => ({
  width,
  height: data.length / width,
  data: Uint8Array.from(data),
})
/** Two rows of three. */
const PICTURE = grey(3, 1, 2, 3, 4, 5, 6)

describe('a grey picture', () => {
  test.each([
    [0, 3, [1, 2, 3, 4, 5, 6]],
    [90, 2, [4, 1, 5, 2, 6, 3]],
    [180, 3, [6, 5, 4, 3, 2, 1]],
    [270, 2, [3, 6, 2, 5, 1, 4]],
  ] as const)('turned by %i degrees', (turn, width, data) => {
    expect(turned(PICTURE, turn)).toEqual(grey(width, ...data))
  })

  test.each([
    [1, 3, [1, 2, 3, 4, 5, 6]],
    [2, 3, [3, 2, 1, 6, 5, 4]],
    [3, 3, [6, 5, 4, 3, 2, 1]],
    [4, 3, [4, 5, 6, 1, 2, 3]],
    [5, 2, [1, 4, 2, 5, 3, 6]],
    [6, 2, [4, 1, 5, 2, 6, 3]],
    [7, 2, [6, 3, 5, 2, 4, 1]],
    [8, 2, [3, 6, 2, 5, 1, 4]],
  ] as const)('is put upright from orientation %i of EXIF', (orientation, width, data) => {
    expect(uprightOf(PICTURE, orientation)).toEqual(grey(width, ...data))
  })

  test('shrinks to means and grows smoothly', () => {
    expect(resized(grey(4, 0, 100, 200, 100), 2, 1)).toEqual(grey(2, 50, 150))
    // Pixels that are cut count by their part.
    expect(resized(grey(3, 0, 90, 255), 2, 1)).toEqual(grey(2, 30, 200))
    expect(resized(grey(2, 0, 100), 4, 1)).toEqual(grey(4, 0, 25, 75, 100))
    expect(shrunkTo({ width: 900, height: 300, data: new Uint8Array(270_000) }, 300)).toMatchObject({
      width: 300,
      height: 100,
    })
    expect(shrunkTo(PICTURE, 10)).toBe(PICTURE)
  })

  test('of colours is their luminance on white paper', () => {
    const pixels = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 255, 255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 128)
    expect([...greyOfRgba(pixels, 5, 1).data]).toEqual([255, 0, 76, 255, 127])
  })

  test('has a level between ink and paper', () => {
    const level = otsuLevel(grey(6, 20, 22, 200, 210, 205, 198))
    expect(level).toBeGreaterThanOrEqual(22)
    expect(level).toBeLessThan(198)
  })
})
