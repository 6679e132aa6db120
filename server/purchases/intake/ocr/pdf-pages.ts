/** Draws the pages of a PDF that have no usable text. Runs only in the OCR process. */
import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium'
import { wasmOf } from '../codes.ts'
import { measurePdf } from '../measure-pdf.ts'
import type { Grey } from '../pictures/grey.ts'
import { MAX_DRAWN_PIXELS } from '../pictures/prepare.ts'
import { UnreadableFile } from '../read-result.ts'

/** Pages of one PDF that are read. */
const MAX_PDF_PAGES = 12
const POINTS_PER_INCH = 72
const DPI = 300
/** A page with fewer letters is a picture with a stamp or a page number. */
const FEWEST_LETTERS = 20
/** Share of characters without a meaning from which on the text cannot be trusted. */
const MOST_UNMAPPED = 0.05
/** Text render mode of the layer that other OCR programs write below or above a scan. */
const INVISIBLE = 3

/** What the package keeps private and does not offer otherwise. */
interface ObjectHandle {
  type: string
  objectIdx: number
  module: { _FPDFTextObj_GetTextRenderMode?: (object: number) => number }
}

/** Returns true if all text of the page is an invisible layer: it is another program's OCR, not exact text. */
function hasOnlyInvisibleText(page: PDFiumPage): boolean {
  let texts = 0
  for (const each of page.objects()) {
    const { type, objectIdx, module } = each as unknown as ObjectHandle
    if (type !== 'text') continue
    texts += 1
    if (module._FPDFTextObj_GetTextRenderMode?.(objectIdx) !== INVISIBLE) return false
  }
  return texts > 0
}

/** Returns true if the text of a page cannot replace seeing it. */
function mustBeSeen(page: PDFiumPage): boolean {
  const text = page.getText()
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  if (letters < FEWEST_LETTERS) return true
  // Replacement, private use and control characters.
  const unmapped = text.match(/[\ufffd\p{Co}\p{Cn}]|[^\P{Cc}\s]/gu)?.length ?? 0
  return unmapped > (letters + unmapped) * MOST_UNMAPPED || hasOnlyInvisibleText(page)
}

async function drawn(page: PDFiumPage): Promise<Grey> {
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const area = originalWidth * originalHeight
  if (!(area > 0)) throw new UnreadableFile('broken')
  const scale = Math.min(DPI / POINTS_PER_INCH, Math.sqrt(MAX_DRAWN_PIXELS / area))
  const { data, width, height } = await page.render({ scale, render: 'bitmap', colorSpace: 'Gray' })
  return { width, height, data: new Uint8Array(data) }
}

interface DrawnPage {
  index: number
  grey: Grey
}

/**
 * Draws pages of a PDF at 300 dpi, at most nine million pixels each: the given ones, or those whose text cannot be
 * used. `begin` receives their number. Throws `UnreadableFile`.
 */
export async function* drawPdfPages(
  bytes: Uint8Array,
  wanted: readonly number[] | undefined,
  begin: (pages: number) => void,
): AsyncGenerator<DrawnPage> {
  measurePdf(bytes)
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  const library = await PDFiumLibrary.init({
    wasmBinary: await wasmOf('pdfium.wasm', '@hyzyla/pdfium/pdfium.wasm'),
  })
  let document: PDFiumDocument
  try {
    document = await library.loadDocument(bytes)
  } catch (error) {
    throw new UnreadableFile(/password|security/i.test(String(error)) ? 'encrypted' : 'broken')
  }
  try {
    const count = Math.min(document.getPageCount(), MAX_PDF_PAGES)
    const indexes = Array.from({ length: count }, (_, index) => index).filter((index) =>
      wanted ? wanted.includes(index) : mustBeSeen(document.getPage(index)),
    )
    begin(indexes.length)
    for (const index of indexes) yield { index, grey: await drawn(document.getPage(index)) }
  } finally {
    document.destroy()
    library.destroy()
  }
}
