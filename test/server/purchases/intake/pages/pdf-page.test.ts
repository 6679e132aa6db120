/** Words of PDF pages with their places: what a person sees, upright, or a reason why there is none. */
import PDFDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { seePdf } from '../../../../../server/purchases/intake/pdf.ts'
import { readPages } from '../../../../../server/purchases/intake/reading/read-pages.ts'

type Draw = (document: PDFKit.PDFDocument) => void

async function seen(draw: Draw, options: PDFKit.PDFDocumentOptions = {}) {
  const document = new PDFDocument({ size: 'A4', margin: 0, ...options })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const done = new Promise<Buffer>((resolve) => document.on('end', () => resolve(Buffer.concat(chunks))))
  draw(document)
  document.end()
  const { pages, unreadPages } = await seePdf(new Uint8Array(await done))
  const words = (pages[0]?.readings[0] ?? []).map(({ t }) => t)
  return { pages, unreadPages, words }
}

const LINE = 'Factura de Papelería Sol, S.L. por 1.512,50 €'

test('words stand where they are drawn', async () => {
  const { pages, words, unreadPages } = await seen((document) => {
    document.fontSize(10).text(LINE, 50, 100, { lineBreak: false })
    document.text('Total', 400, 100, { lineBreak: false })
  })
  expect(words).toEqual(['Factura', 'de', 'Papelería', 'Sol,', 'S.L.', 'por', '1.512,50', '€', 'Total'])
  expect(unreadPages).toEqual([])
  const [page] = pages
  expect(page).toMatchObject({ index: 0, source: 'text', turn: 0 })
  const [x0, y0, , y1] = page?.readings[0]?.[8]?.box ?? [0, 0, 0, 0]
  expect(Math.abs(x0 - 400)).toBeLessThan(2)
  expect(y0).toBeGreaterThan(95)
  expect(y1).toBeLessThan(116)
})

test('text that cannot be seen is no text of the document', async () => {
  const { words } = await seen((document) => {
    document.fontSize(10).text(LINE, 50, 100, { lineBreak: false })
    document.fillColor('white').text('Blanco', 50, 200, { lineBreak: false })
    document.fillColor('black').text('Fuera', 50, 900, { lineBreak: false })
    document.rect(40, 290, 200, 30).fill('black')
    document.fillColor('black').text('Tapado', 50, 300, { lineBreak: false })
    document.fillColor('white').text('Cabecera', 150, 300, { lineBreak: false })
  })
  expect(words).toContain('Factura')
  expect(words).toContain('Cabecera')
  for (const hidden of ['Blanco', 'Fuera', 'Tapado']) expect(words).not.toContain(hidden)
})

test('a page of pictures says that it has no text', async () => {
  const { unreadPages, words } = await seen((document) => {
    document.rect(50, 50, 300, 300).fill('grey')
    document.addPage()
    document.fillColor('black').fontSize(10).text(LINE, 50, 100)
  })
  expect(words).toEqual([])
  expect(unreadPages).toEqual([0])
})

test('text drawn sideways is read upright', async () => {
  const { pages, words } = await seen((document) => {
    document.rotate(90, { origin: [0, 0] })
    document.fontSize(10).text(LINE, 100, -300, { lineBreak: false })
  })
  expect(words.slice(0, 3)).toEqual(['Factura', 'de', 'Papelería'])
  const [page] = pages
  expect(page?.turn).toBe(270)
  expect(page?.size.map(Math.round)).toEqual([842, 595])
  const [first, second] = page?.readings[0] ?? []
  expect((second?.box[0] ?? 0) - (first?.box[2] ?? 0)).toBeGreaterThan(0)
  expect(Math.abs((second?.box[1] ?? 0) - (first?.box[1] ?? 9))).toBeLessThan(1)
})

test('small print along an edge is a line of its own, and names the supplier', async () => {
  const { pages, words } = await seen((document) => {
    document.fontSize(10).text(LINE, 60, 100, { lineBreak: false })
    document.text('Factura nº: A-118', 60, 120, { lineBreak: false })
    document.save().rotate(-90, { origin: [18, 600] })
    document
      .fontSize(6)
      .text('Energía Sol, S.A. Inscrita en el R.M. CIF B58818501', 18, 600, { lineBreak: false })
    document.fillColor('white').text('Blanco', 18, 620, { lineBreak: false })
    document.restore()
  })
  expect(words).not.toContain('B58818501')
  const [side = []] = pages[0]?.sides ?? []
  expect(side.map(({ t }) => t)).toEqual('Energía Sol, S.A. Inscrita en el R.M. CIF B58818501'.split(' '))
  // Boxes stand on the page: one word above the other.
  const [first, second] = side.map(({ box }) => box)
  expect(first?.[0]).toBeGreaterThan(10)
  expect(first?.[2]).toBeLessThan(40)
  expect(second?.[3] ?? 999).toBeLessThan((first?.[1] ?? 0) + 1)
  const [reading] = readPages(pages, { ownNif: 'B12345674', ownName: '', today: '2026-12-31' })
  expect(reading?.fields.supplierNif.value).toBe('B58818501')
  expect(reading?.fields.supplierName.value).toBe('Energía Sol, S.A.')
})

test('a document of many pages is read up to its limit', async () => {
  const { pages } = await seen((document) => {
    for (let page = 0; page < 14; page++) {
      if (page > 0) document.addPage()
      document.fontSize(10).text(`${LINE} ${page}`, 50, 100)
    }
  })
  expect(pages).toHaveLength(12)
})
