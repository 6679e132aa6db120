/**
 * The limit of a document: its precomputed layout, written by pdfkit with the same fonts and texts, and a signature
 * of the hash. Without structure, metadata, embedded file and form field.
 */
import { createHash, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import PDFDocument from 'pdfkit'
import { faces, WEIGHTS } from '../../server/documents/pdf/fonts.ts'
import type { Layout } from '../../server/documents/pdf/layout/index.ts'
import { qrModules } from '../../server/documents/pdf/qr.ts'

/** Returns the bytes of the plain file and of the bare signature. */
export async function plainDocument(
  layout: Layout,
  key: KeyObject,
): Promise<{ bytes: Buffer; signature: Buffer }> {
  const doc = new PDFDocument({
    pdfVersion: '1.7',
    autoFirstPage: false,
    font: null as unknown as string,
  }) as PDFKit.PDFDocument & { _font: { layoutCache: unknown } }
  const opened = faces()
  for (const weight of WEIGHTS) {
    doc.registerFont(weight, opened[weight].font as unknown as PDFKit.Mixins.PDFFontSource)
    doc.font(weight)
    doc._font.layoutCache = opened[weight].runs
  }
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve) => doc.on('end', resolve))
  for (const page of layout.pages) {
    doc.addPage({ size: [page.width, page.height], margin: 0 })
    for (const mark of page.marks) {
      if (mark.kind === 'text')
        doc
          .fillColor(mark.colour)
          .font(mark.weight, mark.size)
          .text(mark.text, mark.x, mark.baseline, { lineBreak: false, baseline: 'alphabetic' })
      else if (mark.kind === 'rule') doc.fillColor(mark.colour).rect(mark.x, mark.y, mark.width, 0.4).fill()
      else if (mark.kind === 'box' && mark.fill !== null)
        doc.fillColor(mark.fill).roundedRect(mark.x, mark.y, mark.width, mark.height, mark.radius).fill()
      else if (mark.kind === 'qr') {
        const { size, runs } = qrModules(mark.text)
        const module = mark.side / size
        for (const run of runs)
          doc.rect(mark.x + run.column * module, mark.y + run.row * module, run.length * module, module)
        doc.fill('#000000')
      }
    }
  }
  doc.end()
  await ended
  const bytes = Buffer.concat(chunks)
  return { bytes, signature: sign(null, createHash('sha256').update(bytes).digest(), key) }
}
