/** Reads a file in processes of their own, with limits of time and memory. */
import { AppError } from '../../domain/errors/app-error.ts'
import { endIdleParsers, parse, ParserFailure, piecesOf } from '../../platform/processes/parsers.ts'
import type { Page } from './pages/page.ts'
import type { ReaderContext } from './reading/read-pages.ts'
import type { ReadResult, ReadJob, ReadReply, Unreadable } from './read-result.ts'

interface ReadLimits {
  timeoutMs?: number
  workerUrl?: URL
}

const TIMEOUT_MS = 20_000

function unreadable(why: Unreadable): AppError {
  return new AppError('file_unreadable', { field: 'content', details: { why } })
}

type Job = Omit<ReadJob, 'bytes'>

/** Reasons that may come from what earlier files have left in the process. */
const OF_USED_PROCESS: readonly Unreadable[] = ['too_large', 'broken']

/** Reads a file; what a used process cannot read gets a new one, with all its memory. */
async function readOnce(
  bytes: Uint8Array,
  job: Job,
  limits: ReadLimits,
  attempt = 1,
): Promise<Extract<ReadReply, { found: ReadResult }>> {
  const { timeoutMs = TIMEOUT_MS, workerUrl } = limits
  let why: Unreadable
  try {
    const reply = await parse<Job, ReadReply>('read', job, {
      from: import.meta.url,
      file: workerUrl,
      timeoutMs,
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
  return readOnce(bytes, job, limits, attempt + 1)
}

/** Returns the pages that the OCR sees; none where it cannot see the file, which is said as pages without text. */
async function seenPages(bytes: Uint8Array, mediaType: string, unread: readonly number[]): Promise<Page[]> {
  const { seePages } = await import('./ocr/see-pages.ts')
  try {
    return await seePages(bytes, mediaType === 'application/pdf' ? { pages: unread } : {})
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
  { bytes, mediaType }: { bytes: Uint8Array; mediaType: string },
  context: ReaderContext,
  limits: ReadLimits = {},
): Promise<ReadResult> {
  const { found, unread } = await readOnce(bytes, { mediaType, context }, limits)
  if (unread.length === 0) return found
  const seen = await seenPages(bytes, mediaType, unread)
  if (seen.length === 0) return found
  return (await readOnce(bytes, { mediaType, context, seen }, limits)).found
}
