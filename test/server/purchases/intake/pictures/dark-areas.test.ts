/** Bright letters on a coloured strip become dark ones; paper in a shadow, and large black letters, stay as they are. */
import { beforeAll, describe, expect, test } from 'vitest'
import { withDarkAreasTurned } from '../../../../../server/purchases/intake/pictures/dark-areas.ts'
import { withDarkStrip } from '../../../../../server/purchases/intake/pictures/dark-strip.ts'
import type { Grey } from '../../../../../server/purchases/intake/pictures/grey.ts'
import type { Quad } from '../../../../../server/purchases/intake/pictures/homography.ts'
import { paperIn } from '../../../../../server/purchases/intake/pictures/paper.ts'
import { inShadow, INVOICE_LINES, onTable, pageOf } from '../../../../support/files/page-pictures.ts'

const A4: [number, number] = [595, 842]
/** Width of the strip in parts of the sheet. */
const STRIP = 0.3

let page: Grey
let strip: Grey
beforeAll(async () => {
  page = await pageOf(INVOICE_LINES, 150, { size: A4, fontSize: 10 })
  // The left part of the sheet is printed white on a dark ground.
  strip = {
    ...page,
    data: page.data.map((level, at) => (at % page.width < page.width * STRIP ? 245 - level * 0.8 : level)),
  }
})

/** Mean level of a part of the sheet, given by its left and right edge in parts of the width. */
function meanOf({ width, data }: Grey, from: number, to: number): number {
  const within = data.filter((_, at) => at % width >= width * from && at % width < width * to)
  return within.reduce((sum, level) => sum + level, 0) / within.length
}

/** Share of pixels in which two pictures differ clearly. */
const differing = (a: Grey, b: Grey): number =>
  a.data.reduce((sum, pixel, at) => sum + (Math.abs(pixel - b.data[at]!) > 60 ? 1 : 0), 0) / a.data.length

describe('bright letters on a dark strip', () => {
  test('become dark letters on paper', () => {
    expect(meanOf(strip, 0, STRIP)).toBeLessThan(80)
    const turned = withDarkAreasTurned(strip)
    expect(meanOf(turned, 0, STRIP)).toBeGreaterThan(230)
    expect(differing(turned, page)).toBeLessThan(0.004)
  })

  test('also in the light of a lamp at one side', () => {
    const turned = withDarkAreasTurned(inShadow(strip, 0.75, 1))
    expect(meanOf(turned, 0, STRIP)).toBeGreaterThan(215)
  })

  test('are told from paper in a shadow, and from a sheet without a strip', () => {
    expect(withDarkAreasTurned(page)).toBe(page)
    const shaded: Grey = {
      ...page,
      data: page.data.map((level, at) => (at % page.width < page.width * STRIP ? level * 0.35 : level)),
    }
    expect(withDarkAreasTurned(shaded)).toBe(shaded)
  })

  test('are told from large black letters', async () => {
    const large = await pageOf(['FACTURA MM', 'HHHHHHHH'], 150, { size: A4, fontSize: 60 })
    expect(withDarkAreasTurned(large)).toBe(large)
  })

  test('are told from a dark block without letters', () => {
    const block: Grey = {
      ...page,
      data: page.data.map((level, at) => (at % page.width > page.width * 0.8 ? 40 : level)),
    }
    expect(withDarkAreasTurned(block)).toBe(block)
  })
})

describe('a strip as dark as the table', () => {
  const SEEN: Quad = [
    [150, 100],
    [1150, 100],
    [1150, 1515],
    [150, 1515],
  ]
  const left = (quad: Quad | null): number => quad?.[0]?.[0] ?? NaN

  test('is part of the sheet', () => {
    const photo = onTable(strip, SEEN, 1300, 1600)
    const found = paperIn(photo)
    expect(left(found)).toBeGreaterThan(400)
    expect(Math.abs(left(withDarkStrip(photo, found!)) - 150)).toBeLessThan(25)
  })

  test('is part of the sheet at its head too, where a ticket of that shape has only the table', () => {
    const head: Grey = {
      ...page,
      data: page.data.map((level, at) => (at < page.data.length * 0.14 ? 245 - level * 0.8 : level)),
    }
    const photo = onTable(head, SEEN, 1300, 1600)
    const found = paperIn(photo)!
    expect(found[0][1]).toBeGreaterThan(250)
    const grown = withDarkStrip(photo, found)
    expect(Math.abs(grown[0][1] - 100)).toBeLessThan(25)
    expect(grown[2]).toEqual(found[2])
    const ticket: Quad = [
      [150, 250],
      [1150, 250],
      [1150, 1450],
      [150, 1450],
    ]
    const short = onTable(page, ticket, 1300, 1600)
    const whole = paperIn(short)!
    expect(withDarkStrip(short, whole)).toBe(whole)
  })

  test('is not the table beside a ticket', () => {
    const ticket: Quad = [
      [450, 100],
      [1150, 100],
      [1150, 1515],
      [450, 1515],
    ]
    const photo = onTable(page, ticket, 1300, 1600)
    const found = paperIn(photo)!
    expect(withDarkStrip(photo, found)).toBe(found)
    // Another sheet beside it is no strip either.
    const two: Grey = {
      ...photo,
      data: photo.data.map((level, at) => (at % 1300 < 400 && at % 1300 > 300 ? 230 : level)),
    }
    expect(withDarkStrip(two, found)).toBe(found)
  })
})
