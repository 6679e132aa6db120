/** Rows of a photographed page, whose lines bend. */
import { expect, test } from 'vitest'
import type { Page, Word } from '../../../../../server/purchases/intake/pages/page.ts'
import { rowsOf } from '../../../../../server/purchases/intake/reading/rows.ts'

const HEIGHT = 20

/** Lines of words at their left edges, bent by `fallAt`; the distance of the lines is twice the height of a word. */
function pageOfLines(lines: [t: string, x: number][][], fallAt: (x: number) => number): Page {
  const words = lines.flatMap((line, index) =>
    line.map(([t, x]): Word => {
      const top = 100 + index * HEIGHT * 2 + fallAt(x + t.length * 6)
      return { t, box: [x, top, x + t.length * 12, top + HEIGHT], conf: 95 }
    }),
  )
  return { index: 0, size: [2_000, 1_000], source: 'ocr', turn: 0, readings: [words] }
}

const textsOf = (page: Page): string[] => rowsOf([page], () => page.readings[0]!).map(({ text }) => text)

/** Falls by more than a line across the page. */
const bent = (x: number): number => (x * 50) / 2_000

test('follow the bend of the lines around them', () => {
  const lines: [string, number][][] = [
    ['Ref.', 'Descripción', 'larga', 'Precio', 'Importe'].map((t, at) => [t, 100 + at * 300]),
    ['8722', 'Tóner', 'negro', '43,91', '439,10'].map((t, at) => [t, 100 + at * 300]),
    ['7824', 'Bombilla', 'LED', '24,59', '147,54'].map((t, at) => [t, 100 + at * 300]),
    [
      ['Base', 100],
      ['imponible', 160],
      ['Cuota', 1_000],
      ['Total', 1_400],
    ],
    [
      ['586,64', 100],
      ['123,19', 1_000],
      ['709,83', 1_400],
    ],
  ]
  const texts = textsOf(pageOfLines(lines, bent))
  expect(texts).toHaveLength(5)
  expect(texts[3]).toBe('Base imponible  Cuota  Total')
  expect(texts[4]).toBe('586,64  123,19  709,83')
})

test('join parts far apart when each is the nearest of the other', () => {
  const lines: [string, number][][] = [
    [
      ['Subtotal', 100],
      ['100,00', 1_500],
    ],
    [
      ['IVA', 100],
      ['21,00', 1_500],
    ],
    [
      ['Total', 100],
      ['121,00', 1_500],
    ],
  ]
  // The amounts stand half a word higher than their labels.
  expect(textsOf(pageOfLines(lines, (x) => (x > 1_000 ? -HEIGHT / 2 : 0)))).toEqual([
    'Subtotal  100,00',
    'IVA  21,00',
    'Total  121,00',
  ])
})

test('join a part that begins with the rest of a rule', () => {
  const page = pageOfLines(
    [
      [
        ['Base', 100],
        ['100,00', 1_500],
      ],
      [
        ['Total', 100],
        ['121,00', 1_500],
      ],
    ],
    (x) => (x > 1_000 ? HEIGHT / 2 : 0),
  )
  page.readings[0]!.push({ t: '-', box: [90, 158, 100, 161], conf: 60 })
  expect(textsOf(page)[1]).toMatch(/Total  121,00$/)
})

test('stay apart where the lines are level', () => {
  const lines: [string, number][][] = [[['Uno', 100]], [['dos', 200]], [['tres', 300]]]
  expect(textsOf(pageOfLines(lines, () => 0))).toEqual(['Uno', 'dos', 'tres'])
})

test('a percent sign belongs to its figure, also in a font with wide blanks', () => {
  const [row] = rowsOf(
    [
      pageOfLines(
        [
          [
            ['IVA', 100],
            ['21,00', 200],
            ['%', 290],
            ['30,00', 500],
          ],
        ],
        () => 0,
      ),
    ],
    (page) => page.readings[0]!,
  )
  expect(row?.cells.map(({ text }) => text)).toEqual(['IVA', '21,00 %', '30,00'])
})
