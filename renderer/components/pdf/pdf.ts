/**
 * PDF files on the page: read and painted by pdf.js on threads of their own, which start with the first file. Scripts,
 * forms and links of a file stay dead: what is shown here may come from anybody.
 */
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import painterUrl from 'pdfjs-dist/legacy/build/pdf.renderer.min.mjs?url'
import readerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'

/** A part of a page that stands for a field of the form: points from the top left, page from 0. */
export interface PdfArea {
  page: number
  x: number
  y: number
  width: number
  height: number
  field: string
}

/** In points, as the page stands after its own rotation. */
interface PdfSize {
  width: number
  height: number
}

/** Why a file cannot be shown: it is no PDF that can be read, or it asks for a password. */
export class PdfFault extends Error {
  readonly reason: 'broken' | 'locked'

  constructor(reason: PdfFault['reason']) {
    super(`The PDF is ${reason}.`)
    this.name = 'PdfFault'
    this.reason = reason
  }
}

export interface PdfFile {
  readonly pageCount: number
  /** Of the first page; the others may differ. */
  readonly size: PdfSize
  page: (index: number) => Promise<PDFPageProxy>
  /** Text that can be selected, laid over the page as it stands at this scale. */
  textOf: (page: PDFPageProxy, scale: number) => Promise<HTMLElement>
  /** Runs one job after the other: pages are painted in the order they were asked for. */
  inTurn: <T>(job: () => Promise<T>) => Promise<T>
  close: () => void
}

/** One file on the page while the next is opened. */
const PAINTERS = 2
/** About 4096 × 4096: what every browser can hold in one canvas. */
const MAX_PIXELS = 16_777_216

async function start() {
  // The build for older browsers: the page is also served to those that people have.
  const lib = await import('pdfjs-dist/legacy/build/pdf.mjs')
  lib.GlobalWorkerOptions.workerSrc = readerUrl
  lib.GlobalWorkerOptions.rendererPorts = Array.from(
    { length: PAINTERS },
    () => new Worker(painterUrl, { type: 'module' }),
  )
  const verbosity = lib.VerbosityLevel.ERRORS
  return { lib, verbosity, reader: new lib.PDFWorker({ verbosity }) }
}
let started: ReturnType<typeof start> | undefined

/** Loads pdf.js, once; a failure of the line may be tried again. */
function pdfjs(): ReturnType<typeof start> {
  started ??= start().catch((error: unknown) => {
    started = undefined
    throw error
  })
  return started
}

const sizeOf = (page: PDFPageProxy): PdfSize => {
  const { width, height } = page.getViewport({ scale: 1 })
  return { width, height }
}

/** Opens a file. Throws `PdfFault`; the bytes stay the caller's. */
export async function openPdf(bytes: Uint8Array): Promise<PdfFile> {
  const { lib, verbosity, reader } = await pdfjs()
  const files = new URL(`/assets/pdfjs-${lib.version}/`, location.href).href
  const task = lib.getDocument({
    // What is handed to the other thread is gone from this one.
    data: bytes.slice(),
    worker: reader,
    verbosity,
    useWasm: false,
    useWorkerFetch: true,
    enableXfa: false,
    cMapUrl: `${files}cmaps/`,
    standardFontDataUrl: `${files}standard_fonts/`,
    wasmUrl: `${files}wasm/`,
  })
  let opened: PDFDocumentProxy
  let first: PDFPageProxy
  try {
    opened = await task.promise
    first = await opened.getPage(1)
  } catch (error) {
    void task.destroy()
    if (error instanceof lib.PasswordException) throw new PdfFault('locked')
    throw new PdfFault('broken')
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    pageCount: opened.numPages,
    size: sizeOf(first),
    page: (index) => opened.getPage(index + 1),
    async textOf(page, scale) {
      const container = document.createElement('div')
      container.className = 'pdf-text'
      const content = await page.getTextContent({ includeMarkedContent: true })
      if (content.lang) container.lang = content.lang
      const viewport = page.getViewport({ scale })
      await new lib.TextLayer({ textContentSource: content, container, viewport }).render()
      return container
    },
    inTurn(job) {
      const done = last.then(job)
      last = done.catch(() => undefined)
      return done
    },
    close: () => void task.destroy(),
  }
}

/** Pixels to a point that a canvas can hold. */
export function fittingScale({ width, height }: PdfSize, scale: number): number {
  return Math.min(scale, Math.sqrt(MAX_PIXELS / (width * height)))
}

/** Paints a page on a new canvas. `scale` is pixels to a point; an aborted signal throws its reason. */
export async function paintPage(
  page: PDFPageProxy,
  scale: number,
  { signal, intent = 'display' }: { signal?: AbortSignal; intent?: 'display' | 'print' } = {},
): Promise<HTMLCanvasElement> {
  signal?.throwIfAborted()
  const viewport = page.getViewport({ scale: fittingScale(sizeOf(page), scale) })
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(viewport.width)
  canvas.height = Math.round(viewport.height)
  const task = page.render({ canvas, viewport, intent })
  const stop = (): void => task.cancel()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    await task.promise
  } finally {
    signal?.removeEventListener('abort', stop)
  }
  signal?.throwIfAborted()
  return canvas
}

interface DrawnPage {
  canvas: HTMLCanvasElement
  text: HTMLElement
  size: PdfSize
}

/** Draws a page `width` pixels of the page wide, at `ratio` pixels of the screen to each. */
export async function drawPage(
  file: PdfFile,
  index: number,
  { width, ratio, signal }: { width: number; ratio: number; signal: AbortSignal },
): Promise<DrawnPage> {
  return file.inTurn(async () => {
    signal.throwIfAborted()
    const page = await file.page(index)
    const size = sizeOf(page)
    const scale = width / size.width
    const canvas = await paintPage(page, scale * ratio, { signal })
    const text = await file.textOf(page, scale)
    signal.throwIfAborted()
    return { canvas, text, size }
  })
}

/** Where an area lies on its page, in percent of it. */
export function areaPosition(
  area: PdfArea,
  size: PdfSize,
): Record<'left' | 'top' | 'width' | 'height', string> {
  const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(3)}%`
  return {
    left: percent(area.x, size.width),
    top: percent(area.y, size.height),
    width: percent(area.width, size.width),
    height: percent(area.height, size.height),
  }
}

/** The areas of a page, those inside another after it: what is drawn last is what a click meets. */
export function areasOn(areas: readonly PdfArea[], page: number): PdfArea[] {
  return areas.filter((area) => area.page === page).sort((a, b) => b.width * b.height - a.width * a.height)
}
