/** The functions of PDFium that its package does not wrap: characters with their boxes. */
import type * as PdfiumModule from '@hyzyla/pdfium'
import { wasmOf } from '../codes.ts'
import { UnreadableFile } from '../read-result.ts'

/** Pointers and handles are numbers of the WebAssembly memory. */
export interface Pdfium {
  readonly HEAPU8: Uint8Array
  readonly wasmExports: { malloc(bytes: number): number; free(pointer: number): void }
  _FPDFText_LoadPage(page: number): number
  _FPDFText_ClosePage(textPage: number): void
  _FPDFText_CountChars(textPage: number): number
  _FPDFText_GetUnicode(textPage: number, index: number): number
  _FPDFText_HasUnicodeMapError(textPage: number, index: number): number
  _FPDFText_GetLooseCharBox(textPage: number, index: number, rectangle: number): number
  _FPDFText_GetCharBox(
    textPage: number,
    index: number,
    left: number,
    right: number,
    bottom: number,
    top: number,
  ): number
  _FPDFText_GetCharAngle(textPage: number, index: number): number
  _FPDFText_IsGenerated(textPage: number, index: number): number
  _FPDFText_GetFontSize(textPage: number, index: number): number
  _FPDFText_GetTextObject(textPage: number, index: number): number
  _FPDFTextObj_GetTextRenderMode(textObject: number): number
  _FPDF_PageToDevice(
    page: number,
    startX: number,
    startY: number,
    sizeX: number,
    sizeY: number,
    rotate: number,
    pageX: number,
    pageY: number,
    deviceX: number,
    deviceY: number,
  ): number
}

type PdfiumPackage = typeof PdfiumModule
type PdfiumLibrary = Awaited<ReturnType<PdfiumPackage['PDFiumLibrary']['init']>>
type PdfiumDocument = Awaited<ReturnType<PdfiumLibrary['loadDocument']>>
export type PdfiumPage = ReturnType<PdfiumDocument['getPage']>

/** Returns the functions and the handle of a page; the package keeps them in private fields. */
export function handleOf(page: PdfiumPage): { pdfium: Pdfium; handle: number } {
  const { module, pageIdx } = page as unknown as { module: Pdfium; pageIdx: number }
  return { pdfium: module, handle: pageIdx }
}

/** Opens a PDF, passes it to `use` and closes it. Throws `UnreadableFile`. */
export async function withPdf<T>(
  bytes: Uint8Array,
  use: (document: PdfiumDocument) => Promise<T>,
): Promise<T> {
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
  const result = await use(document)
  document.destroy()
  library.destroy()
  return result
}
