/** Recognizes and reads files of earlier programs in a child process with limits of memory and time. */
import { parse, ParserFailure } from '../../../platform/processes/parsers.ts'
import type { FilePieces, ParserFault } from '../../../platform/processes/parsers.ts'
import { unreadableFile } from './unreadable.ts'
import type { FileRow } from '../../../platform/spreadsheets/cells.ts'
import type {
  ArchivedDocument,
  HistoryBatch,
  HistoryJob,
  HistorySummary,
  RecognizedFile,
  RowsJob,
  RowsSummary,
} from './types.ts'

/** Largest file: an archive of documents is read by its directory only. */
export const MAX_HISTORY_BYTES = 32 * 1024 * 1024
const RECOGNIZE_MS = 60_000
/** Longest time without a portion, the storing of portions apart; and of the whole reading, with it. */
const STEP_MS = 60_000
const READ_MS = 30 * 60_000

const WHY: Record<ParserFault, Parameters<typeof unreadableFile>[0]> = {
  too_large: 'too_large',
  too_slow: 'too_slow',
  broken: 'unknown',
}

async function inChildProcess<Reply>(
  file: FilePieces,
  job: object,
  options: { timeoutMs: number; stepTimeoutMs?: number; onPart?: (part: never) => void | Promise<void> },
): Promise<Reply> {
  if (file.length > MAX_HISTORY_BYTES) throw unreadableFile('too_large')
  try {
    return await parse<object, Reply>('history', job, { from: import.meta.url, bytes: file, ...options })
  } catch (error) {
    if (error instanceof ParserFailure) throw unreadableFile(WHY[error.why])
    throw error
  }
}

/** Says what a file is, and each of its tables. Throws `validation_failed` for a file that cannot be read. */
export function recognizeFileInChildProcess(
  file: FilePieces,
  fileName: string,
  remembered: Record<string, string> = {},
): Promise<RecognizedFile> {
  return inChildProcess(file, { ask: 'recognize', fileName, remembered }, { timeoutMs: RECOGNIZE_MS })
}

/**
 * Reads a table. `take` receives its documents in portions, in the order of the file; the child process waits until it
 * resolves. Throws `validation_failed` for a file that cannot be read, or what `take` throws.
 */
export function readHistoryInChildProcess(
  file: FilePieces,
  job: HistoryJob,
  take: (batch: HistoryBatch) => void | Promise<void>,
): Promise<HistorySummary> {
  return inChildProcess(
    file,
    { ask: 'read', job },
    { timeoutMs: READ_MS, stepTimeoutMs: STEP_MS, onPart: take },
  )
}

/** Reads the rows of a table below its titles; `take` as above. Throws `validation_failed`, or what `take` throws. */
export function readRowsInChildProcess(
  file: FilePieces,
  job: RowsJob,
  take: (rows: FileRow[]) => void | Promise<void>,
): Promise<RowsSummary> {
  return inChildProcess(
    file,
    { ask: 'rows', job },
    { timeoutMs: READ_MS, stepTimeoutMs: STEP_MS, onPart: take },
  )
}

/** Reads documents of an archive by their names; `take` as above. Throws `validation_failed`, or what `take` throws. */
export function readDocumentsInChildProcess(
  file: FilePieces,
  names: readonly string[],
  take: (document: ArchivedDocument) => void | Promise<void>,
): Promise<RowsSummary> {
  return inChildProcess(
    file,
    { ask: 'documents', names },
    { timeoutMs: READ_MS, stepTimeoutMs: STEP_MS, onPart: take },
  )
}
