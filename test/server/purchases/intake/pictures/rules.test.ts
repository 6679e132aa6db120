/** Rules of tables go, letters stay; and how high the letters are. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Grey } from '../../../../../server/purchases/intake/pictures/grey.ts'
import { withoutRules } from '../../../../../server/purchases/intake/pictures/rules.ts'
import { textHeightOf } from '../../../../../server/purchases/intake/pictures/text-height.ts'
import { INVOICE_LINES, pageOf } from '../../../../support/files/page-pictures.ts'

let page: Grey
beforeAll(async () => {
  page = await pageOf(INVOICE_LINES)
})

const copyOf = (grey: Grey): Grey => ({ ...grey, data: Uint8Array.from(grey.data) })

/** Draws a line of ink three pixels thick that falls by `fall` pixels to its end. */
function draw(
  grey: Grey,
  [x0, y0]: [number, number],
  length: number,
  fall: number,
  isVertical = false,
): void {
  for (let along = 0; along < length; along++)
    for (let thick = 0; thick < 3; thick++) {
      const across = Math.round((fall * along) / length) + thick
      const [x, y] = isVertical ? [x0 + across, y0 + along] : [x0 + along, y0 + across]
      grey.data[y * grey.width + x] = 120
    }
}

/** Pixels in which two pictures differ clearly. */
const differing = (a: Grey, b: Grey): number =>
  a.data.reduce((sum, pixel, at) => sum + (Math.abs(pixel - (b.data[at] ?? 0)) > 60 ? 1 : 0), 0)

describe('rules', () => {
  test.each([
    ['level', 0, false],
    ['bent downwards', 25, false],
    ['upright', 0, true],
    ['upright and leaning', 8, true],
  ] as const)('%s go', (_name, fall, isVertical) => {
    const ruled = copyOf(page)
    // In the free space at the right, and below the text.
    draw(ruled, isVertical ? [1_050, 60] : [100, 770], isVertical ? 700 : 900, fall, isVertical)
    expect(differing(ruled, page)).toBeGreaterThan(1_000)
    expect(differing(withoutRules(ruled, 26), page)).toBeLessThan(40)
  })

  test('crossing each other go, and leave no corners', () => {
    const ruled = copyOf(page)
    for (const y of [640, 700, 760]) draw(ruled, [750, y], 400, 0)
    for (const x of [760, 950, 1_140]) draw(ruled, [x, 620], 170, 0, true)
    expect(differing(withoutRules(ruled, 26), page)).toBeLessThan(40)
  })

  test('of a page of text without any, no letter goes', () => {
    expect(differing(withoutRules(page, 26), page)).toBe(0)
  })
})

test.each([
  [13, 200],
  [13, 300],
  [9, 300],
])('text of %d points at %d dpi is as high as its capitals', async (fontSize, dpi) => {
  const height = textHeightOf(await pageOf(INVOICE_LINES, dpi, { fontSize }))
  // Capitals of Helvetica are 0.72 of the size.
  const capitals = (fontSize * dpi * 0.72) / 72
  expect(Math.abs((height ?? 0) - capitals)).toBeLessThan(capitals * 0.15)
})

test('a page with few letters has no height of text', async () => {
  expect(textHeightOf(await pageOf(['Total 12,00']))).toBeNull()
  expect(textHeightOf({ width: 200, height: 200, data: new Uint8Array(40_000).fill(255) })).toBeNull()
})
