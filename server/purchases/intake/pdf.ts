/** Reader of PDFs: takes the embedded invoice, else the tax code on the pages, else their text. */
import { setFields, emptyProposal, UnreadableFile } from './read-result.ts'
import type { ReadResult } from './read-result.ts'
import { codesInPixels, wasmOf } from './codes.ts'
import { measurePdf } from './measure-pdf.ts'
import { factsOfQr } from './qr-url.ts'
import type { QrFacts } from './qr-url.ts'
import { readStructured } from './structured.ts'
import { readText } from './text.ts'

const MAX_PAGES = 6
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

async function embeddedFiles(bytes: Uint8Array): Promise<Embedded[]> {
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

function invoiceIn(files: readonly Embedded[]): ReadResult | null {
  const xml = files.filter(({ bytes }) => bytes.length <= MAX_EMBEDDED_BYTES)
  const usualFirst = xml.toSorted((a, b) => Number(USUAL_NAME.test(b.name)) - Number(USUAL_NAME.test(a.name)))
  for (const file of usualFirst) {
    try {
      const found = readStructured(file.bytes)
      if (found) {
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

interface Drawn {
  text: string
  facts: QrFacts | null
  pages: number
}

async function drawPages(bytes: Uint8Array): Promise<Drawn> {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  const library = await PDFiumLibrary.init({
    wasmBinary: await wasmOf('pdfium.wasm', '@hyzyla/pdfium/pdfium.wasm'),
  })
  let document
  try {
    document = await library.loadDocument(bytes)
  } catch (error) {
    throw new UnreadableFile(/password|security/i.test(String(error)) ? 'encrypted' : 'broken')
  }
  const pages = document.getPageCount()
  const texts: string[] = []
  let facts: QrFacts | null = null
  for (let index = 0; index < Math.min(pages, MAX_PAGES); index++) {
    const page = document.getPage(index)
    texts.push(page.getText())
    if (facts) continue
    const { originalWidth, originalHeight } = page.getOriginalSize()
    const scale = Math.min(WANTED_SCALE, LONGEST_PX / Math.max(originalWidth, originalHeight, 1))
    const { data, width, height } = await page.render({ scale, render: 'bitmap' })
    for (const text of await codesInPixels({ data, width, height })) facts ??= factsOfQr(text)
  }
  document.destroy()
  library.destroy()
  return { text: texts.join('\n'), facts, pages }
}

/** Takes the values of a tax code over: the issuer's program made it, but nobody has verified it here. */
export function takeQr(found: ReadResult, facts: QrFacts | null): void {
  if (!facts) return
  const { proposal } = found
  proposal.source = 'qr'
  setFields(proposal, 'medium', { ...facts })
}

/** Reads a PDF. Throws `UnreadableFile`. */
export async function readPdf(bytes: Uint8Array, ownNif: string): Promise<ReadResult> {
  measurePdf(bytes)
  const embedded = invoiceIn(await embeddedFiles(bytes))
  const { text, facts } = await drawPages(bytes)
  if (embedded) {
    if (facts?.qrUrl) setFields(embedded.proposal, 'medium', { qrUrl: facts.qrUrl })
    return embedded
  }
  const found: ReadResult = { proposal: emptyProposal('none', 'PDF'), warnings: [] }
  takeQr(found, facts)
  readText(found.proposal, text, ownNif)
  return found
}
