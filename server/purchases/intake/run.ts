/** Runs the reading of a file in a process of its own, with limits of time and memory. */
import { AppError } from '../../domain/errors/app-error.ts'
import { parse, ParserFailure, piecesOf } from '../../platform/processes/parsers.ts'
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

/** Reads a file in its own process. Throws `file_unreadable` with `details.why`. */
export async function readInChildProcess(
  file: { bytes: Uint8Array; mediaType: string },
  context: ReaderContext,
  { timeoutMs = TIMEOUT_MS, workerUrl }: ReadLimits = {},
): Promise<ReadResult> {
  const job: Omit<ReadJob, 'bytes'> = { mediaType: file.mediaType, context }
  try {
    const reply = await parse<typeof job, ReadReply>('read', job, {
      from: import.meta.url,
      file: workerUrl,
      timeoutMs,
      bytes: piecesOf(file.bytes),
    })
    if ('unreadable' in reply) throw unreadable(reply.unreadable)
    return reply.found
  } catch (error) {
    if (error instanceof ParserFailure) throw unreadable(error.why)
    throw error
  }
}
