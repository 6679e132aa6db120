/** Reads a file of a return in a child process with limits of memory and time. */
import { validationFailed } from '../../../domain/errors/app-error.ts'
import { parse, ParserFailure } from '../../../platform/processes/parsers.ts'
import type { FilePieces } from '../../../platform/processes/parsers.ts'
import { MAX_FILE_BYTES, refuseSize } from './read.ts'
import type { ReadFile } from './read.ts'

const TIMEOUT_MS = 60_000

/**
 * Does what `readReturnFile` does; a file whose length is above the limit is refused before any of it is read. Also
 * throws `validation_failed` when the file exceeds the limits of memory or time.
 */
export async function readReturnFileInChildProcess(bytes: FilePieces): Promise<ReadFile> {
  if (bytes.length > MAX_FILE_BYTES) refuseSize()
  try {
    return await parse<object, ReadFile>(
      'return',
      {},
      { from: import.meta.url, timeoutMs: TIMEOUT_MS, bytes },
    )
  } catch (error) {
    if (!(error instanceof ParserFailure)) throw error
    if (error.why !== 'broken') refuseSize()
    throw validationFailed([
      {
        code: 'return_file_unknown',
        field: 'content',
        severity: 'error',
        message: 'This is not a file of a return that Sello knows.',
      },
    ])
  }
}
