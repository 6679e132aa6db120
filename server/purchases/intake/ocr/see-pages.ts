/** Sees the words of scans and photographs: runs the OCR in a process of its own, with limits of time and memory. */
import { AppError } from '../../../domain/errors/app-error.ts'
import { parse, ParserFailure, piecesOf } from '../../../platform/processes/parsers.ts'
import type { Unreadable } from '../read-result.ts'
import type { OcrLanguage } from './languages.ts'
import type { OcrJob, OcrPart, OcrProgress, OcrReply } from './messages.ts'
import type { SeenPage } from './read-page.ts'

interface SeeOptions {
  /** Languages of the document, the most likely first; Spanish by default. Each costs time. */
  languages?: readonly OcrLanguage[]
  /** Pages of a PDF, from 0; by default those without usable text. */
  pages?: readonly number[]
  /** Ends the work at once; the call then throws the signal's reason. */
  signal?: AbortSignal
  /** Called before each step, about once a second. */
  onProgress?: (progress: OcrProgress) => void
}

interface SeeLimits {
  documentMs?: number
  readingMs?: number
  workerUrl?: URL
}

/** The process has a low priority, so that on a busy computer the two seconds of a reading may become many. */
const READING_MS = 30_000
const DOCUMENT_MS = 240_000
const MAX_BYTES = 25 * 1024 * 1024

function unreadable(why: Unreadable): AppError {
  return new AppError('file_unreadable', { field: 'content', details: { why } })
}

/**
 * Returns the pages of a JPEG, PNG, WebP, HEIC or TIFF, or those pages of a PDF that have no usable text, each with two
 * readings of its words. Boxes are in pixels of the straightened page (`toSource` maps them back).
 *
 * Takes about three seconds a page in a child process; one document is read at a time, up to sixteen wait. Throws
 * `file_unreadable` with `details.why` (`broken`, `encrypted`, `too_large`, `too_slow`), `too_busy`, or the reason of
 * `signal`.
 */
export async function seePages(
  bytes: Uint8Array,
  { languages = ['spa'], pages, signal, onProgress }: SeeOptions = {},
  { documentMs = DOCUMENT_MS, readingMs = READING_MS, workerUrl }: SeeLimits = {},
): Promise<SeenPage[]> {
  if (bytes.length > MAX_BYTES) throw unreadable('too_large')
  const job: Omit<OcrJob, 'bytes'> = { languages, pages }
  const seen: SeenPage[] = []
  try {
    const reply = await parse<typeof job, OcrReply>('ocr', job, {
      from: import.meta.url,
      file: workerUrl,
      timeoutMs: documentMs,
      stepTimeoutMs: readingMs,
      signal,
      bytes: piecesOf(bytes),
      onPart: (part: OcrPart) => {
        if ('seen' in part) seen.push(part.seen)
        else onProgress?.(part.progress)
      },
    })
    if ('missing' in reply) throw new Error(`A file of the OCR is missing: ${reply.missing}`)
    if ('unreadable' in reply) throw unreadable(reply.unreadable)
    return seen
  } catch (error) {
    if (error instanceof ParserFailure) throw unreadable(error.why)
    throw error
  }
}
