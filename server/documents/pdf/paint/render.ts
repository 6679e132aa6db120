/**
 * Renders the document as a file: tagged PDF/A-3a and PDF/UA-1, with the invoice as embedded XML when there is one.
 * Pure: equal input gives equal bytes on one version of this program. User text becomes only glyphs and escaped
 * strings: no links, no actions.
 */
import PDFDocument from 'pdfkit'
import { LOCALES } from '../../../domain/languages.ts'
import { INVOICE_XML, metadataXml } from './archive.ts'
import { faces, trimSharedWords, WEIGHTS } from '../fonts.ts'
import { areasOf, documentName, layOut } from '../layout/index.ts'
import type { PaperArea } from '../layout/index.ts'
import { paintPage } from './paint.ts'
import type { InvoicePaper } from '../paper.ts'
import { marksFollowedBySpace, Tagger } from './structure.ts'
import type { TaggedDocument } from './structure.ts'
import { oneLine } from '../text.ts'

const PRODUCER = 'Sello'

/** The parts of pdfkit that this file uses and its types lack. */
interface Document extends TaggedDocument {
  _font: { layoutCache: unknown }
  _addInfo: () => void
  appendXML: (xml: string) => void
}

export interface RenderedInvoice {
  bytes: Buffer
  pages: number
  /** Positions of the editor's fields on the pages. */
  areas: PaperArea[]
}

/** Draws the invoice; `xml` is embedded as its structured form. Throws a RangeError when `createdAt` is not an instant. */
export async function drawInvoice(paper: InvoicePaper, xml: string | null = null): Promise<RenderedInvoice> {
  trimSharedWords()
  const createdAt = new Date(paper.createdAt)
  if (Number.isNaN(createdAt.getTime())) throw new RangeError('createdAt is not an instant')
  const { pages, structure } = layOut(paper)
  const doc = openDocument(paper, createdAt, xml !== null)
  const finished = collect(doc)
  const tagger = new Tagger(doc)
  const blanks = marksFollowedBySpace(pages)
  for (const page of pages) {
    doc.addPage({ size: [page.width, page.height], margin: 0 })
    paintPage(doc, page, tagger, { logo: paper.logo, blanks })
  }
  tagger.finish(structure)
  if (xml !== null)
    doc.file(Buffer.from(xml, 'utf8'), {
      name: INVOICE_XML,
      type: 'text/xml',
      description: 'Factur-X',
      // The same invoice in another form (ISO 19005-3, annex E).
      relationship: 'Alternative',
      creationDate: createdAt,
      modifiedDate: createdAt,
    } as PDFKit.Mixins.PDFAttachmentOptions)
  doc.end()
  return { bytes: await finished, pages: pages.length, areas: areasOf(pages) }
}

/** Does the same as `drawInvoice`, but returns only the bytes. */
export async function renderInvoice(paper: InvoicePaper, xml: string | null = null): Promise<Buffer> {
  return (await drawInvoice(paper, xml)).bytes
}

function openDocument(paper: InvoicePaper, createdAt: Date, hasInvoiceXml: boolean): Document {
  const title = documentName(paper)
  const author = oneLine(paper.issuer.name)
  const locale = LOCALES[paper.language]
  const doc = new PDFDocument({
    pdfVersion: '1.7',
    subset: 'PDF/A-3a',
    tagged: true,
    lang: locale,
    displayTitle: true,
    // The default, Helvetica, would not be embedded, and would be read from the package's own files.
    font: null as unknown as string,
    autoFirstPage: false,
    info: {
      Title: title,
      Author: author,
      Producer: PRODUCER,
      Creator: PRODUCER,
      CreationDate: createdAt,
      ModDate: createdAt,
    },
  }) as Document
  // pdfkit's own block copies title and author into XML unescaped, and lacks what the archive requires.
  doc._addInfo = () =>
    doc.appendXML(metadataXml({ title, author, locale, createdAt, tool: PRODUCER, hasInvoiceXml }))
  const opened = faces()
  for (const weight of WEIGHTS) {
    doc.registerFont(weight, opened[weight].font as unknown as PDFKit.Mixins.PDFFontSource)
    doc.font(weight)
    doc._font.layoutCache = opened[weight].runs
  }
  return doc
}

function collect(doc: Document): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
}
