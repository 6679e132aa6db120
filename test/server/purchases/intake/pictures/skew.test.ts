/** Lines that lean much, as those of a sheet whose edges were not found. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Grey } from '../../../../../server/purchases/intake/pictures/grey.ts'
import { mapped, rotation, warped } from '../../../../../server/purchases/intake/pictures/homography.ts'
import { deskewed, MAX_DRAWN_PIXELS } from '../../../../../server/purchases/intake/pictures/prepare.ts'
import { skewOf } from '../../../../../server/purchases/intake/pictures/skew.ts'
import { INVOICE_LINES, pageOf } from '../../../../support/files/page-pictures.ts'

let page: Grey
beforeAll(async () => {
  page = await pageOf(INVOICE_LINES)
})

describe('lines that lean much', () => {
  const leaned = (degrees: number): Grey =>
    warped(page, rotation(-degrees, [page.width / 2, page.height / 2]), page.width, page.height)

  test.each([-17, -9, 7.5, 13])('a lean of %f degrees is measured', (degrees) => {
    expect(skewOf(leaned(degrees))).toBeCloseTo(degrees, 0.7)
  })

  test('are levelled in a larger picture, which keeps the corners', () => {
    const source = leaned(12)
    const { grey, toSource } = deskewed({ grey: source, toSource: rotation(0, [0, 0]) })
    expect(skewOf(grey)).toBeCloseTo(0, 0.7)
    expect(grey.width * grey.height).toBeLessThanOrEqual(MAX_DRAWN_PIXELS)
    for (const corner of [
      [0, 0],
      [source.width, 0],
      [source.width, source.height],
      [0, source.height],
    ] as const) {
      // The corner lies in the picture: at one of its places, found by the inverse turn.
      const places = [0, grey.width].flatMap((x) => [0, grey.height].map((y) => mapped(toSource, [x, y])))
      const xs = places.map(([x]) => x)
      const ys = places.map(([, y]) => y)
      expect(corner[0]).toBeGreaterThanOrEqual(Math.min(...xs))
      expect(corner[0]).toBeLessThanOrEqual(Math.max(...xs))
      expect(corner[1]).toBeGreaterThanOrEqual(Math.min(...ys))
      expect(corner[1]).toBeLessThanOrEqual(Math.max(...ys))
    }
  })
})
