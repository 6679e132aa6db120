/** Sheets in photographs whose brightness does not part them from the table. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Grey } from '../../../../../server/purchases/intake/pictures/grey.ts'
import type { Quad } from '../../../../../server/purchases/intake/pictures/homography.ts'
import { paperIn } from '../../../../../server/purchases/intake/pictures/paper.ts'
import { sheetByEdges } from '../../../../../server/purchases/intake/pictures/sheet-edges.ts'
import { INVOICE_LINES, onTable, pageOf } from '../../../../support/files/page-pictures.ts'

/** A sheet turned by some 8 degrees. */
const SEEN: Quad = [
  [200, 60],
  [1130, 190],
  [1060, 850],
  [110, 720],
]

let page: Grey
beforeAll(async () => {
  page = await pageOf(INVOICE_LINES)
})

/** Returns the picture in a light that changes from place to place, in parts of the full light. */
const lit = (picture: Grey, lightAt: (x: number, y: number) => number): Grey => ({
  ...picture,
  data: picture.data.map((level, at) =>
    Math.round(level * lightAt(at % picture.width, Math.floor(at / picture.width))),
  ),
})

/** Goes from 1 to `dark` within 60 pixels on either side of a place: the edge of a shadow is soft. */
const shadow = (from: number, dark: number): number =>
  1 - (1 - dark) * Math.min(1, Math.max(0, (from + 60) / 120))

function expectCorners(corners: Quad | null, expected: Quad, within: number): void {
  expect(corners).not.toBeNull()
  corners?.forEach(([x, y], at) => {
    expect(Math.hypot(x - expected[at]![0], y - expected[at]![1])).toBeLessThan(within)
  })
}

describe('the sheet', () => {
  test('is found by its edges when the lit table is brighter than its part in a shadow', () => {
    const photo = onTable(page, SEEN, 1280, 900, 150)
    const twoLights = lit(photo, (x, y) => shadow(700 - x, 0.5) * shadow(y - 500, 0.6))
    expectCorners(paperIn(twoLights), SEEN, 12)
    expectCorners(sheetByEdges(twoLights, null), SEEN, 12)
  })

  test('is found whole when only its bright part was found', () => {
    const photo = lit(onTable(page, SEEN, 1280, 900), (x) => shadow(x - 640, 0.4))
    const part: Quad = [SEEN[0], [640, 121], [640, 793], SEEN[3]]
    expectCorners(sheetByEdges(photo, part), SEEN, 12)
  })

  test('stays as it was found if each of its sides is an edge', () => {
    const photo = onTable(page, SEEN, 1280, 900)
    expect(sheetByEdges(photo, SEEN)).toBe(SEEN)
  })

  test('is not a frame that is printed on it, nor a soft shadow', () => {
    const framed = { ...page, data: Uint8Array.from(page.data) }
    const { width, height } = framed
    for (let y = 60; y < height - 60; y++)
      for (let x = 60; x < width - 60; x++)
        if (Math.min(x - 60, width - 61 - x, y - 60, height - 61 - y) < 5) framed.data[y * width + x] = 0
    expect(sheetByEdges(framed, null)).toBeNull()
    const shaded = lit(
      page,
      (x, y) =>
        shadow(200 - x, 0.5) *
        shadow(x - width + 200, 0.5) *
        shadow(200 - y, 0.5) *
        shadow(y - height + 200, 0.5),
    )
    expect(sheetByEdges(shaded, null)).toBeNull()
  })
})
