/** Preparation of photographed pages: the sheet is found, its lines are level, its light is even. */
import { beforeAll, describe, expect, test } from 'vitest'
import { otsuLevel } from '../../../../../server/purchases/intake/pictures/grey.ts'
import type { Grey } from '../../../../../server/purchases/intake/pictures/grey.ts'
import { rotation, mapped, warped } from '../../../../../server/purchases/intake/pictures/homography.ts'
import type { Quad } from '../../../../../server/purchases/intake/pictures/homography.ts'
import { withClearInk, withEvenLight } from '../../../../../server/purchases/intake/pictures/light.ts'
import { paperIn } from '../../../../../server/purchases/intake/pictures/paper.ts'
import { MAX_DRAWN_PIXELS, prepared } from '../../../../../server/purchases/intake/pictures/prepare.ts'
import { skewOf } from '../../../../../server/purchases/intake/pictures/skew.ts'
import { inShadow, INVOICE_LINES, onTable, pageOf } from '../../../../support/files/page-pictures.ts'

/** Corners of a sheet that lies on a table, seen from below. */
const SEEN: Quad = [
  [160, 120],
  [1080, 90],
  [1190, 800],
  [80, 830],
]

let page: Grey
beforeAll(async () => {
  page = await pageOf(INVOICE_LINES)
})

const leaned = (grey: Grey, degrees: number): Grey =>
  warped(grey, rotation(-degrees, [grey.width / 2, grey.height / 2]), grey.width, grey.height)

describe('the sheet', () => {
  test('is found by its corners, whatever its light', () => {
    const photo = onTable(page, SEEN, 1280, 900)
    for (const picture of [photo, inShadow(photo, 1, 0.55)]) {
      const corners = paperIn(picture)
      corners?.forEach(([x, y], at) => {
        expect(Math.hypot(x - SEEN[at]![0], y - SEEN[at]![1])).toBeLessThan(8)
      })
      expect(corners).not.toBeNull()
    }
  })

  test('is found whole when a shadow covers half of it', () => {
    const photo = onTable(page, SEEN, 1280, 900)
    const shaded = (isDark: (x: number, y: number) => boolean): Grey => ({
      ...photo,
      data: photo.data.map((level, at) =>
        isDark(at % 1280, Math.floor(at / 1280)) ? Math.round(level * 0.55) : level,
      ),
    })
    for (const picture of [shaded((x) => x < 620), shaded((x, y) => x + y > 1_000)]) {
      const corners = paperIn(picture)
      expect(corners).not.toBeNull()
      corners?.forEach(([x, y], at) => {
        expect(Math.hypot(x - SEEN[at]![0], y - SEEN[at]![1])).toBeLessThan(12)
      })
    }
  })

  test('is the whole picture in a scan, and nothing in a picture without one', () => {
    expect(paperIn(page)).toBeNull()
    const noise = page.data.map((_, at) => ((at * 2_654_435_761) >>> 8) & 0xff)
    expect(paperIn({ ...page, data: noise })).toBeNull()
    expect(paperIn({ width: 300, height: 200, data: new Uint8Array(60_000) })).toBeNull()
  })

  test('is not a bright shape with other corners', () => {
    const cross = { width: 400, height: 400, data: new Uint8Array(160_000).fill(30) }
    for (let y = 0; y < 400; y++)
      for (let x = 0; x < 400; x++)
        if (Math.abs(x - y) < 30 || Math.abs(x + y - 400) < 30) cross.data[y * 400 + x] = 230
    expect(paperIn(cross)).toBeNull()
  })
})

test.each([-4.2, -1, -0.3, 0, 0.5, 3, 5])('a lean of %f degrees is measured to a fifth', (degrees) => {
  expect(skewOf(leaned(page, degrees))).toBeCloseTo(degrees, 0.7)
})

test('pages without lines do not lean', () => {
  expect(skewOf({ width: 400, height: 300, data: new Uint8Array(120_000).fill(255) })).toBe(0)
  expect(skewOf({ width: 400, height: 300, data: new Uint8Array(120_000) })).toBe(0)
})

test('shadows go, ink stays, and an even page is left as it is', () => {
  const even = withEvenLight(inShadow(page, 1, 0.4))
  let worstPaper = 255
  let brightestInk = 0
  page.data.forEach((level, at) => {
    if (level > 250) worstPaper = Math.min(worstPaper, even.data[at]!)
    else if (level < 5) brightestInk = Math.max(brightestInk, even.data[at]!)
  })
  expect(worstPaper).toBeGreaterThan(225)
  expect(brightestInk).toBeLessThan(40)
  expect(withEvenLight(page)).toBe(page)
})

test('pale ink on a grainy sheet with rests of a shadow is darker again, other pages stay as they are', () => {
  const { width } = page
  let seed = 1
  const faded = page.data.map((level, at) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    const x = at % width
    const light = x > width / 2 ? 0.87 : 1
    return Math.round((246 - (255 - level) * 0.3) * light + ((seed >> 16) % 13) - 6)
  })
  const pale = { ...page, data: faded }
  const dark = (grey: Grey): number => {
    const level = otsuLevel(grey)
    return grey.data.reduce((sum, each) => sum + (each <= level ? 1 : 0), 0)
  }
  const inked = dark(page)
  expect(dark(pale)).toBeGreaterThan(inked * 3)
  const clear = withClearInk(pale)
  expect(dark(clear)).toBeGreaterThan(inked * 0.5)
  expect(dark(clear)).toBeLessThan(inked * 1.5)
  expect(withClearInk(page)).toBe(page)
})

describe('a prepared page', () => {
  test('maps back to the place in the photo that it came from', () => {
    const { grey, toSource } = prepared(onTable(page, SEEN, 1280, 900))
    const [x, y] = mapped(toSource, [0, 0])
    expect(Math.hypot(x - SEEN[0][0], y - SEEN[0][1])).toBeLessThan(25)
    const [u, v] = mapped(toSource, [grey.width, grey.height])
    expect(Math.hypot(u - SEEN[2][0], v - SEEN[2][1])).toBeLessThan(25)
    expect(skewOf(grey)).toBeCloseTo(0, 0.5)
  })

  test('has no more pixels than the engine gets', () => {
    const { grey, toSource } = prepared({ width: 5_000, height: 4_000, data: new Uint8Array(2e7).fill(255) })
    expect(grey.width * grey.height).toBeLessThanOrEqual(MAX_DRAWN_PIXELS)
    const [x, y] = mapped(toSource, [grey.width, grey.height])
    expect([Math.round(x), Math.round(y)]).toEqual([5_000, 4_000])
  })
})
