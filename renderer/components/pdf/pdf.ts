/**
 * PDF files on the page: parsed and rendered by pdf.js in worker threads, which start with the first file. Scripts,
 * forms and links of a file are disabled: its content may come from anyone.
 */
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import painterUrl from 'pdfjs-dist/legacy/build/pdf.renderer.min.mjs?url'
import readerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'

/** Area of a page that belongs to a field of the form: points from the top left, page from 0. */
export interface PdfArea {
  page: number
  x: number
  y: number
  width: number
  height: number
  field: string
}

/** Place to highlight: edges as shares of the page as it is shown, from its top left corner; page from 0. */
export interface PdfMark {
  page: number
  left: number
  top: number
  right: number
  bottom: number
}

/** In points, after the page's own rotation. */
interface PdfSize {
  width: number
  height: number
}

/** Error of a file that cannot be shown: it is not a readable PDF, or it requires a password. */
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
  /** Size of the first page; the others may differ. */
  readonly size: PdfSize
  page: (index: number) => Promise<PDFPageProxy>
  /** Renders a selectable text layer, positioned over the page at this scale. */
  textOf: (page: PDFPageProxy, scale: number) => Promise<HTMLElement>
  /** Runs one job after the other: pages are rendered in the order of the requests. */
  inTurn: <T>(job: () => Promise<T>) => Promise<T>
  close: () => void
}

/** One for the file on the page, one for the next. */
const PAINTERS = 2
/** About 4096 × 4096: the largest canvas that every browser supports. */
const MAX_PIXELS = 16_777_216

async function start() {
  // The build for older browsers, which users may have.
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

/** Loads pdf.js once; a failed download may be retried. */
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

/** Opens a file. Throws `PdfFault`; the caller keeps its bytes. */
export async function openPdf(bytes: Uint8Array): Promise<PdfFile> {
  const { lib, verbosity, reader } = await pdfjs()
  const files = new URL(`/assets/pdfjs-${lib.version}/`, location.href).href
  const task = lib.getDocument({
    // The bytes are transferred to the worker, so this thread needs a copy.
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

/** Returns the pixels per point that fit into a canvas. */
export function fittingScale({ width, height }: PdfSize, scale: number): number {
  return Math.min(scale, Math.sqrt(MAX_PIXELS / (width * height)))
}

/** Renders a page on a new canvas. `scale` is pixels per point; an aborted signal throws its reason. */
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

/** Renders a page `width` CSS pixels wide, with `ratio` device pixels per CSS pixel. */
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

/** Returns the position of an area on its page, in percent. */
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

/** Returns the areas of a page, nested ones last: the element drawn last receives the click. */
export function areasOn(areas: readonly PdfArea[], page: number): PdfArea[] {
  return areas.filter((area) => area.page === page).sort((a, b) => b.width * b.height - a.width * a.height)
}
