/** Pictures of pages for tests: drawn by pdfkit, rendered by PDFium, then turned, leaned, shaded or put on a table. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { deflateSync } from 'node:zlib'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import PDFDocument from 'pdfkit'
import { newGrey } from '../../../server/purchases/intake/pictures/grey.ts'
import type { Grey } from '../../../server/purchases/intake/pictures/grey.ts'
import { homographyOf, warped } from '../../../server/purchases/intake/pictures/homography.ts'
import type { Quad } from '../../../server/purchases/intake/pictures/homography.ts'
import { PNG_SIGNATURE, pngChunk, pngHeader } from './pictures.ts'

/** An invoice with words and numbers enough to tell which way is up. */
export const INVOICE_LINES = [
  'Talleres Garrido Alonso, S.L.',
  'NIF B29441474',
  'Factura FV26003743',
  'Fecha de emisión 02/10/2026',
  'Cliente: Taller Robledo Ibérica',
  'Concepto: mantenimiento mensual',
  'Base imponible 813,53',
  'Cuota IVA 21 % 170,84',
  'TOTAL FACTURA 984,37',
  'Forma de pago: transferencia bancaria',
]
/** Words of these lines that a reader needs. */
export const INVOICE_NUMBERS = ['B29441474', 'FV26003743', '02/10/2026', '813,53', '170,84', '984,37']

interface Sheet {
  /** Points. */
  size?: [width: number, height: number]
  fontSize?: number
  /** Pictures drawn over whole pages, instead of text. */
  pictures?: readonly Buffer[]
}

/** Returns a PDF with the lines, or with one picture a page. */
export function pdfOf(
  lines: readonly string[],
  { size = [420, 300], fontSize = 13, pictures = [] }: Sheet = {},
): Promise<Buffer> {
  const document = new PDFDocument({ size, margin: 28 })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const done = new Promise<Buffer>((resolve) => document.on('end', () => resolve(Buffer.concat(chunks))))
  document.fontSize(fontSize)
  for (const line of lines) document.text(line, { lineGap: fontSize * 0.5 })
  pictures.forEach((picture, index) => {
    if (index > 0 || lines.length > 0) document.addPage({ size, margin: 0 })
    document.image(picture, 0, 0, { width: size[0], height: size[1] })
  })
  document.end()
  return done
}

/** Returns the first page of a PDF as a grey picture. */
async function renderedPdf(pdf: Uint8Array, dpi = 200): Promise<Grey> {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm'))
  const library = await PDFiumLibrary.init({ wasmBinary: new Uint8Array(wasm).buffer })
  const document = await library.loadDocument(pdf)
  const page = await document.getPage(0).render({ scale: dpi / 72, render: 'bitmap', colorSpace: 'Gray' })
  const grey = { width: page.width, height: page.height, data: new Uint8Array(page.data) }
  document.destroy()
  library.destroy()
  return grey
}

export const pageOf = async (lines: readonly string[], dpi = 200, sheet: Sheet = {}): Promise<Grey> =>
  renderedPdf(await pdfOf(lines, sheet), dpi)

/** Returns the file of a grey picture. */
export function greyPng({ width, height, data }: Grey): Buffer {
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  return Buffer.concat([
    PNG_SIGNATURE,
    pngHeader({ width, height, type: 'grey', depth: 8 }),
    pngChunk('IDAT', deflateSync(rows, { level: 1 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns the picture on a dark table, its corners at those of `quad`. */
export function onTable(sheet: Grey, quad: Quad, width: number, height: number, table = 50): Grey {
  const { width: w, height: h } = sheet
  const toSheet = homographyOf(quad, [
    [0, 0],
    [w, 0],
    [w, h],
    [0, h],
  ])
  if (toSheet === null) throw new Error('Three corners lie on one line.')
  const inside = warped({ width: w, height: h, data: new Uint8Array(w * h).fill(1) }, toSheet, width, height)
  const picture = warped(sheet, toSheet, width, height)
  // Outside of a picture everything is white.
  picture.data.forEach((_, at) => {
    if (inside.data[at] !== 1) picture.data[at] = table
  })
  return picture
}

/** Returns the picture in a light that falls from `from` at the left to `to` at the right, in parts of the full light. */
export function inShadow(grey: Grey, from: number, to: number): Grey {
  const result = newGrey(grey.width, grey.height)
  result.data.forEach((_, at) => {
    const x = (at % grey.width) / grey.width
    result.data[at] = (grey.data[at] ?? 0) * (from + (to - from) * x)
  })
  return result
}
