/** Reads a document in processes of their own, with limits of time and memory. */
import { AppError } from '../../domain/errors/app-error.ts'
import { endIdleParsers, parse, ParserFailure, piecesOf } from '../../platform/processes/parsers.ts'
import type { OcrLanguage } from './ocr/languages.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Page, Word } from './pages/page.ts'
import type { ReaderContext } from './reading/read-pages.ts'
import { PAGES_TYPE } from './read-result.ts'
import type { PageRange, ReadResult, ReadJob, ReadReply, Unreadable } from './read-result.ts'

/** Version of the reader: a document whose reading has a lower one may be read better now. */
export const READER_VERSION = 1

export interface DocumentFile {
  bytes: Uint8Array
  mediaType: string
}

export interface ReadOptions {
  /** Only these pages of a PDF. */
  pages?: PageRange | null
  /** Languages of scans and photos, the most likely first. */
  languages?: readonly OcrLanguage[]
  /** Ends the work; the call then throws the signal's reason. */
  signal?: AbortSignal
  /** Called when a page that only the OCR can read has been read; `pages` as far as known. */
  onPage?: (read: number, pages: number) => void
  timeoutMs?: number
  workerUrl?: URL
}

const TIMEOUT_MS = 20_000

function unreadable(why: Unreadable): AppError {
  return new AppError('file_unreadable', { field: 'content', details: { why } })
}

type Job = Omit<ReadJob, 'bytes'>
type Answer = Extract<ReadReply, { found: ReadResult }>

/** Reasons that may come from what earlier files have left in the process. */
const OF_USED_PROCESS: readonly Unreadable[] = ['too_large', 'broken']

/** Reads a file; what a used process cannot read gets a new one, with all its memory. */
async function readOnce(bytes: Uint8Array, job: Job, options: ReadOptions, attempt = 1): Promise<Answer> {
  const { timeoutMs = TIMEOUT_MS, workerUrl, signal } = options
  let why: Unreadable
  try {
    const reply = await parse<Job, ReadReply>('read', job, {
      from: import.meta.url,
      file: workerUrl,
      timeoutMs,
      signal,
      bytes: piecesOf(bytes),
    })
    if (!('unreadable' in reply)) return reply
    why = reply.unreadable
  } catch (error) {
    if (!(error instanceof ParserFailure)) throw error
    why = error.why
  }
  if (attempt > 1 || !OF_USED_PROCESS.includes(why)) throw unreadable(why)
  endIdleParsers()
  return readOnce(bytes, job, options, attempt + 1)
}

/** Returns the pages that the OCR sees; none where it cannot see the file, which is said as pages without text. */
async function seenPages(
  { bytes, mediaType }: DocumentFile,
  unread: readonly number[],
  { languages, signal, onPage }: ReadOptions,
): Promise<Page[]> {
  const { seePages } = await import('./ocr/see-pages.ts')
  try {
    return await seePages(bytes, {
      ...(mediaType === 'application/pdf' ? { pages: unread } : {}),
      ...(languages ? { languages } : {}),
      ...(signal ? { signal } : {}),
      onProgress: ({ page, pages, step }) => {
        if (step === 'preparation') onPage?.(page - 1, pages)
      },
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'file_unreadable') return []
    throw error
  }
}

/**
 * Reads a file: what is structured, what is written, and, where pages are pictures, what the OCR sees in them, which takes
 * seconds a page. Each in a process of its own. Throws `file_unreadable` with `details.why`, or `too_busy`.
 */
export async function readFile(
  file: DocumentFile,
  context: ReaderContext,
  options: ReadOptions = {},
): Promise<ReadResult> {
  const { bytes, mediaType } = file
  const job: Job = { mediaType, context, pages: options.pages ?? null }
  const { found, unread } = await readOnce(bytes, job, options)
  if (unread.length === 0) return found
  const seen = await seenPages(file, unread, options)
  if (seen.length === 0) return found
  return withHash((await readOnce(bytes, { ...job, seen }, options)).found, seen)
}

/** Returns the text of each page of a PDF with its places, of other documents than invoices. Throws like `readFile`. */
export async function textOfPdf(bytes: Uint8Array, today: BusinessDate): Promise<Word[][]> {
  const job: Job = {
    mediaType: 'application/pdf',
    context: { ownNif: '', ownName: '', today },
    wantsPages: true,
  }
  const { pages = [] } = await readOnce(bytes, job, {})
  return pages.map(({ readings: [words = []] }) => words)
}

/** Adds the hash of the first page that is a picture. */
function withHash(found: ReadResult, seen: readonly Page[]): ReadResult {
  const hash = seen.find(({ pictureHash }) => pictureHash !== undefined)?.pictureHash
  return hash === undefined ? found : { ...found, pictureHash: hash }
}

/**
 * Reads files that are together one document, such as the photos of its pages: a structured file among them answers, else
 * the words of all pages are read as one invoice. Throws like `readFile`.
 */
export async function readFiles(
  files: readonly DocumentFile[],
  context: ReaderContext,
  options: ReadOptions = {},
): Promise<ReadResult> {
  const [first] = files
  if (first === undefined) throw new Error('A document has at least one file.')
  if (files.length === 1) return readFile(first, context, options)
  const joined: Page[][] = []
  let structured: ReadResult | null = null
  for (const file of files) {
    const job: Job = { mediaType: file.mediaType, context, wantsPages: true }
    const { found, unread, pages = [] } = await readOnce(file.bytes, job, options)
    if (STRUCTURED.includes(found.proposal.source)) structured ??= found
    const seen = unread.length > 0 ? await seenPages(file, unread, options) : []
    const seenBy = new Map(seen.map((page) => [page.index, page]))
    joined.push(pages.length > 0 ? pages.map((page) => seenBy.get(page.index) ?? page) : seen)
  }
  if (structured) return structured
  const { found } = await readOnce(new Uint8Array(), { mediaType: PAGES_TYPE, context, joined }, options)
  return withHash(found, joined.flat())
}

const STRUCTURED: readonly string[] = ['facturae', 'ubl', 'cii', 'facturx']
