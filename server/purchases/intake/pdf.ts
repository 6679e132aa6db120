/** Reader of PDFs: the embedded invoice, the tax code on the pages, and their words. */
import { setFields, emptyProposal, UnreadableFile } from './read-result.ts'
import type { PageRange, ReadResult } from './read-result.ts'
import { codesInGrey } from './codes.ts'
import { measurePdf } from './measure-pdf.ts'
import type { OwnTax } from './own-tax.ts'
import { MAX_PAGES } from './pages/page.ts'
import type { Page } from './pages/page.ts'
import { readPdfPage } from './pages/pdf-page.ts'
import { withPdf } from './pages/pdfium.ts'
import { factsOfQr } from './qr-url.ts'
import { codedCentsOf } from './qr-url.ts'
import type { QrFacts } from './qr-url.ts'
import { compareWithPaper, takeReadings } from './proposal.ts'
import type { ReaderContext } from './reading/read-pages.ts'
import { readPages } from './reading/read-pages.ts'
import { readStructured } from './structured.ts'

const MAX_EMBEDDED_BYTES = 20 * 1024 * 1024
/** Longest side of a rendered page, in pixels: a code of 30 mm on A4 has more than 8 for each of its modules. */
const LONGEST_PX = 2600
const WANTED_SCALE = 2.5

/** Names of the embedded invoice (Factur-X, ZUGFeRD, Order-X apart), and any other XML. */
const USUAL_NAME = /^(?:factur-x|zugferd-invoice|xrechnung|ferd-invoice|facturae)\.(?:xml|xsig)$/i

interface Embedded {
  name: string
  bytes: Uint8Array
}

/** A PDF with more embedded files than this is not an invoice. */
const MAX_EMBEDDED = 20
/** Name of the tree of embedded files in a PDF; compressed object streams may hold it. */
const NAMES = [Buffer.from('/EmbeddedFile'), Buffer.from('/ObjStm'), Buffer.from('/Encrypt')]

async function embeddedFiles(bytes: Uint8Array): Promise<Embedded[]> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // The other reader takes long to start: most files cannot hold another one.
  if (!NAMES.some((name) => file.includes(name))) return []
  const { getDocumentProxy } = await import('unpdf')
  const files: Embedded[] = []
  try {
    // The reader takes ownership of the bytes, so it gets a copy.
    const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
    const attachments = (await document.getAttachments()) ?? new Map()
    for (const [id, { filename }] of [...attachments].slice(0, MAX_EMBEDDED)) {
      if (!/\.(?:xml|xsig)$/i.test(filename)) continue
      const content = await document.getAttachmentContent(id)
      if (content) files.push({ name: filename, bytes: content })
    }
    await document.cleanup()
  } catch {
    // The other reader may open a file that this one does not.
  }
  return files
}

function invoiceIn(files: readonly Embedded[], ownTax: OwnTax | undefined): ReadResult | null {
  const xml = files.filter(({ bytes }) => bytes.length <= MAX_EMBEDDED_BYTES)
  const usualFirst = xml.toSorted((a, b) => Number(USUAL_NAME.test(b.name)) - Number(USUAL_NAME.test(a.name)))
  for (const file of usualFirst) {
    try {
      const found = readStructured(file.bytes, ownTax)
      if (found && found.proposal.source !== 'none') {
        if (found.proposal.source === 'cii') {
          found.proposal.source = 'facturx'
          found.proposal.format = `Factur-X (${file.name})`
        }
        return found
      }
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
    }
  }
  return null
}

interface Seen {
  pages: Page[]
  /** Pages, from 0, whose words are not enough to read them. */
  unreadPages: number[]
  facts: QrFacts | null
  pageCount: number
}

/** Returns the words of the pages and the facts of the tax code on them. Throws `UnreadableFile`. */
export function seePdf(bytes: Uint8Array, range: PageRange | null = null): Promise<Seen> {
  return withPdf(bytes, async (document) => {
    const pages: Page[] = []
    const unreadPages: number[] = []
    let facts: QrFacts | null = null
    const first = range?.first ?? 0
    const end = Math.min(document.getPageCount(), first + MAX_PAGES, (range?.last ?? Infinity) + 1)
    for (let index = first; index < end; index++) {
      const { originalWidth, originalHeight } = document.getPage(index).getOriginalSize()
      const scale = Math.min(WANTED_SCALE, LONGEST_PX / Math.max(originalWidth, originalHeight, 1))
      const { data, width, height } = await document
        .getPage(index)
        .render({ scale, render: 'bitmap', colorSpace: 'Gray' })
      const drawing = { data, width, height }
      // Rendering closes the page.
      const { page, needsOcr } = readPdfPage(document.getPage(index), index, drawing)
      pages.push(page)
      if (needsOcr !== null) unreadPages.push(index)
      if (facts === null) for (const text of await codesInGrey(drawing)) facts ??= factsOfQr(text)
    }
    return { pages, unreadPages, facts, pageCount: document.getPageCount() }
  })
}

/** Takes the values of a tax code over: the issuer's program made it, but nobody has verified it here. */
export function takeQr(found: ReadResult, facts: QrFacts | null): void {
  if (!facts) return
  const { proposal } = found
  proposal.source = 'qr'
  setFields(proposal, 'medium', { ...facts })
}

/** Reads a PDF, with the pages that the OCR has seen instead of those without text. Throws `UnreadableFile`. */
export async function readPdf(
  bytes: Uint8Array,
  context: ReaderContext,
  { seen, range = null }: { seen: readonly Page[]; range?: PageRange | null },
): Promise<{ found: ReadResult; unread: number[]; pages: Page[] }> {
  measurePdf(bytes)
  // What is embedded is the invoice of the whole file.
  const embedded = range === null ? invoiceIn(await embeddedFiles(bytes), context.ownTax) : null
  const { pages: written, unreadPages, facts, pageCount } = await seePdf(bytes, range)
  const seenBy = new Map(seen.map((page) => [page.index, page]))
  const pages = written.map((page) => seenBy.get(page.index) ?? page)
  const unread = unreadPages.filter((index) => !seenBy.has(index))
  const readings = readPages(pages, { ...context, codedCents: codedCentsOf(facts) })
  if (embedded) {
    if (facts?.qrUrl) setFields(embedded.proposal, 'medium', { qrUrl: facts.qrUrl })
    compareWithPaper(embedded, readings)
    return { found: { ...embedded, readings, pageCount }, unread: [], pages }
  }
  const found: ReadResult = { proposal: emptyProposal('none', 'PDF'), warnings: [], readings: [], pageCount }
  takeQr(found, facts)
  takeReadings(found, readings, { pages, unread })
  return { found, unread, pages }
}
