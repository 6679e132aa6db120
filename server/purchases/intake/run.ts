/** Reads a file in processes of their own, with limits of time and memory. */
import { AppError } from '../../domain/errors/app-error.ts'
import { parse, ParserFailure, piecesOf } from '../../platform/processes/parsers.ts'
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

async function readOnce(
  bytes: Uint8Array,
  job: Job,
  { timeoutMs = TIMEOUT_MS, workerUrl }: ReadLimits,
): Promise<Extract<ReadReply, { found: ReadResult }>> {
  try {
    const reply = await parse<Job, ReadReply>('read', job, {
      from: import.meta.url,
      file: workerUrl,
      timeoutMs,
      bytes: piecesOf(bytes),
    })
    if ('unreadable' in reply) throw unreadable(reply.unreadable)
    return reply
  } catch (error) {
    if (error instanceof ParserFailure) throw unreadable(error.why)
    throw error
  }
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
