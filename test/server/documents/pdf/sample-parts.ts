/** A logo and rows of a table for the document tests. */
import { PNG } from 'pngjs'
import type { InvoicePaper, PaperLogo } from '../../../../server/documents/pdf/paper.ts'
import type { SampleLine } from './samples.ts'

const MICRO = 1_000_000

/** Returns a logo: a disc and a bar on white, as a company's own program would write it. */
export function sampleLogo(width = 360, height = 96): PaperLogo {
  const data = Buffer.alloc(width * height * 4, 255)
  const radius = height / 2 - 4
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const inDisc = (x - height / 2) ** 2 + (y - height / 2) ** 2 < radius ** 2
      const inBar = x > height + 12 && x < width - 8 && y > height * 0.36 && y < height * 0.64
      if (inDisc || inBar)
        data.set(inDisc ? [0xb4, 0x40, 0x0c, 255] : [0x1b, 0x22, 0x26, 255], (y * width + x) * 4)
    }
  const bytes = PNG.sync.write({ width, height, data } as PNG, { inputHasAlpha: true, colorType: 2 })
  return { bytes, width, height }
}

const DESCRIPTIONS = [
  'Diseño de la página de inicio',
  'Sesión fotográfica de producto en estudio, media jornada, con retoque básico de veinte imágenes y entrega en alta resolución',
  'Horas de programación',
  'Alojamiento anual',
  'Revisión de textos y traducción al inglés y al francés de las fichas de producto',
  'Desplazamiento',
]

export function manyLines(count: number): SampleLine[] {
  return Array.from({ length: count }, (_, index) => ({
    description: `${index + 1}. ${DESCRIPTIONS[index % DESCRIPTIONS.length]}`,
    quantityMicro: ((index % 7) + 1) * MICRO + (index % 5 === 0 ? 500_000 : 0),
    unit: index % 3 === 0 ? 'h' : null,
    unitPriceMicro: (12 + (index % 40)) * MICRO + 250_000,
    discountBp: index % 11 === 0 ? 1000 : 0,
    vatRateBp: index % 4 === 3 ? 1000 : 2100,
  }))
}

/** Returns instalments of one amount, a month apart. */
export function sampleInstalments(count: number, cents: number): InvoicePaper['instalments'] {
  return Array.from({ length: count }, (_, index) => ({ dueDate: `2026-0${7 + index}-03`, cents }))
}

/** Widest characters at both ends of what a signature can begin with. */
export const IDENTIFIED = {
  qrUrl:
    'https://batuz.eus/QRTBAI/?id=TBAI-B83456781-030626-WmMWQ%2BMWmWQMW-138&s=F2026&nf=0042&i=121.00&cr=064',
  identifier: 'TBAI-B83456781-030626-WmMWQ+MWmWQMW-138',
  lines: [],
}

/** A discount, a reduced rate and a surcharge, with large figures. */
export const FOREIGN_LINES: SampleLine[] = [
  {
    description: 'Dirección de arte',
    quantityMicro: 1_234_500_000,
    unit: 'h',
    unitPriceMicro: 65 * MICRO,
    discountBp: 750,
  },
  {
    description: 'Libros de muestra',
    quantityMicro: 3 * MICRO,
    unitPriceMicro: 18_200_000,
    vatRateBp: 400,
    surchargeRateBp: 50,
  },
]
