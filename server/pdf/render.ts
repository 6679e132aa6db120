/**
 * The invoice as a PDF file: marks on pages, painted. Pure: equal input gives equal bytes on one version of this program.
 * User text only ever becomes glyphs, metadata strings that are escaped, and nothing else: no links, no actions.
 */
import PDFDocument from 'pdfkit'
import { faces, trimSharedWords, WEIGHTS } from './fonts.ts'
import type { Weight } from './fonts.ts'
import { documentName, layOut, PAGE_HEIGHT, PAGE_WIDTH } from './layout.ts'
import type { Mark, QrMark, TextMark, WatermarkMark } from './layout.ts'
import type { InvoicePaper } from './paper.ts'
import { qrModules } from './qr.ts'
import { oneLine } from './text.ts'

const PRODUCER = 'Sello'
const QR_INK = '#000000'

type Metadata = Record<string, string | Date>

/** What this file needs of pdfkit beyond its types. */
interface Document extends PDFKit.PDFDocument {
  _font: { layoutCache: unknown }
  _addInfo: () => void
}

export interface RenderedInvoice {
  bytes: Buffer
  pages: number
}

/** Draws the invoice. Throws a RangeError when `createdAt` is not an instant. */
export async function renderInvoice(paper: InvoicePaper): Promise<Buffer> {
  return (await drawInvoice(paper)).bytes
}

/** As `renderInvoice`, with the number of pages. */
export async function drawInvoice(paper: InvoicePaper): Promise<RenderedInvoice> {
  trimSharedWords()
  const createdAt = new Date(paper.createdAt)
  if (Number.isNaN(createdAt.getTime())) throw new RangeError('createdAt is not an instant')
  const pages = layOut(paper)
  const doc = openDocument(paper, createdAt)
  const finished = collect(doc)
  for (const marks of pages) paintPage(doc, marks)
  doc.end()
  return { bytes: await finished, pages: pages.length }
}

function openDocument(paper: InvoicePaper, createdAt: Date): Document {
  const doc = new PDFDocument({
    pdfVersion: '1.7',
    lang: paper.language === 'es' ? 'es-ES' : 'en-GB',
    displayTitle: true,
    // The default, Helvetica, would not be embedded, and would be read from the package's own files.
    font: null as unknown as string,
    autoFirstPage: false,
    size: [PAGE_WIDTH, PAGE_HEIGHT],
    margin: 0,
    info: {
      Title: documentName(paper),
      Author: oneLine(paper.issuer.name),
      Producer: PRODUCER,
      Creator: PRODUCER,
      CreationDate: createdAt,
      ModDate: createdAt,
    },
  }) as Document
  escapeMetadata(doc)
  const opened = faces()
  for (const weight of WEIGHTS) {
    doc.registerFont(weight, opened[weight].font as unknown as PDFKit.Mixins.PDFFontSource)
    doc.font(weight)
    doc._font.layoutCache = opened[weight].runs
  }
  return doc
}

/** pdfkit copies title and author into XML as they are: a `&` in a company's name would break it. */
function escapeMetadata(doc: Document): void {
  const addInfo = doc._addInfo
  doc._addInfo = () => {
    const plain = doc.info
    const escaped: Metadata = {}
    for (const [key, value] of Object.entries(plain as Metadata)) {
      escaped[key] = typeof value === 'string' ? escapeXml(value) : value
    }
    doc.info = escaped as PDFKit.DocumentInfo
    addInfo.call(doc)
    doc.info = plain
  }
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function collect(doc: Document): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
}

function paintPage(doc: Document, marks: readonly Mark[]): void {
  doc.addPage()
  let colour = ''
  const useColour = (next: string): void => {
    if (next !== colour) doc.fillColor(next)
    colour = next
  }
  for (const mark of marks) {
    switch (mark.kind) {
      case 'text':
        useColour(mark.colour)
        paintText(doc, mark)
        break
      case 'rule':
        useColour(mark.colour)
        // A filled bar rather than a stroked line: it needs no state of its own.
        doc.rect(mark.x, mark.y - 0.2, mark.width, 0.4).fill()
        break
      case 'box':
        if (mark.fill !== null) {
          useColour(mark.fill)
          doc.roundedRect(mark.x, mark.y, mark.width, mark.height, mark.radius).fill()
        }
        if (mark.dashes !== null) {
          doc.save().lineWidth(0.8).dash(3, { space: 3 }).strokeColor(mark.dashes)
          doc.roundedRect(mark.x, mark.y, mark.width, mark.height, mark.radius).stroke().restore()
        }
        break
      case 'qr':
        useColour(QR_INK)
        paintQr(doc, mark)
        break
      case 'watermark':
        useColour(mark.colour)
        paintWatermark(doc, mark)
        break
    }
  }
}

const TEXT_OPTIONS = { lineBreak: false, baseline: 'alphabetic' } as const

function paintText(doc: Document, mark: TextMark): void {
  doc.font(mark.weight satisfies Weight, mark.size).text(mark.text, mark.x, mark.baseline, TEXT_OPTIONS)
}

function paintQr(doc: Document, mark: QrMark): void {
  const { size, runs } = qrModules(mark.url)
  const module = mark.side / size
  for (const run of runs) {
    doc.rect(mark.x + run.column * module, mark.y + run.row * module, run.length * module, module)
  }
  doc.fill()
}

/** Rising from the lower left, as wide as the sheet's diagonal allows. */
function paintWatermark(doc: Document, mark: WatermarkMark): void {
  const { font } = faces().bold
  const run = font.layout(mark.text)
  const length = run.glyphs.reduce((total, glyph) => total + glyph.advanceWidth, 0)
  const scale = 640 / length
  doc.save()
  doc.translate(PAGE_WIDTH / 2, PAGE_HEIGHT / 2 + 30)
  doc.rotate(-52)
  doc.scale(scale, -scale)
  doc.translate(-length / 2, -font.capHeight / 2)
  let x = 0
  for (const glyph of run.glyphs) {
    for (const { command, args } of glyph.path.commands) {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = args
      if (command === 'moveTo') doc.moveTo(x + a, b)
      else if (command === 'lineTo') doc.lineTo(x + a, b)
      else if (command === 'quadraticCurveTo') doc.quadraticCurveTo(x + a, b, x + c, d)
      else if (command === 'bezierCurveTo') doc.bezierCurveTo(x + a, b, x + c, d, x + e, f)
      else doc.closePath()
    }
    x += glyph.advanceWidth
  }
  doc.fill()
  doc.restore()
}
