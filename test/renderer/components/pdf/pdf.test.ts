/** Position of areas on a page, and the size of its rendering; the rendering itself is tested in Chromium. */
import { expect, test } from 'vitest'
import { areasOn, fittingScale, areaPosition } from '../../../../renderer/components/pdf/pdf.ts'

const A4 = { width: 595.28, height: 841.89 }

test('an area is positioned in points, whatever the size of the page on the screen', () => {
  const area = { page: 0, x: 59.528, y: 84.189, width: 297.64, height: 8.4189, field: 'client' }
  expect(areaPosition(area, A4)).toEqual({
    left: '10.000%',
    top: '10.000%',
    width: '50.000%',
    height: '1.000%',
  })
})

test('a page has its own areas only, and nested ones are on top', () => {
  const at = (field: string, page: number, width: number) => ({ field, page, x: 0, y: 0, width, height: 10 })
  const areas = [at('discount', 0, 50), at('lines.9', 1, 80), at('totals', 0, 200), at('withholding', 0, 60)]
  expect(areasOn(areas, 0).map(({ field }) => field)).toEqual(['totals', 'withholding', 'discount'])
  expect(areasOn(areas, 1).map(({ field }) => field)).toEqual(['lines.9'])
  expect(areasOn(areas, 2)).toEqual([])
})

test('a page is rendered at the requested resolution, but never larger than a canvas can be', () => {
  expect(fittingScale(A4, 3)).toBe(3)
  const poster = { width: 4000, height: 6000 }
  const scale = fittingScale(poster, 3)
  expect(scale).toBeLessThan(1)
  expect(poster.width * scale * poster.height * scale).toBeCloseTo(4096 * 4096, 0)
})
