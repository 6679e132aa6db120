/** Reads an archive in a child process with limits of memory and time. */
import type { BulkRow } from '../../../db/bulk.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { parse, ParserFailure } from '../../../platform/processes/parsers.ts'
import type { ArchiveJob, ArchivePart, ArchiveReply, RequestedTable, CheckedArchive } from './types.ts'

/** Longest time of the whole reading, with the storing of what was read, and without a portion of it. */
const READ_MS = 4 * 60 * 60_000
const STEP_MS = 120_000

async function inChildProcess<Reply extends ArchiveReply>(
  job: ArchiveJob,
  onPart: (part: ArchivePart) => void | Promise<void>,
): Promise<Reply> {
  try {
    return await parse<ArchiveJob, Reply>('archive', job, {
      from: import.meta.url,
      timeoutMs: READ_MS,
      stepTimeoutMs: STEP_MS,
      single: true,
      onPart: onPart as (part: never) => void | Promise<void>,
    })
  } catch (error) {
    if (!(error instanceof ParserFailure)) throw error
    if (error.why === 'too_large') throw new AppError('archive_too_large', { cause: error })
    throw new AppError('archive_unreadable', { details: { why: error.why }, cause: error })
  }
}

/**
 * Compares every file of an archive with its manifest. `schema` is the newest one that is known. Throws
 * `archive_unreadable`, `archive_changed`, `archive_newer` or `archive_too_large`.
 */
export function checkArchive(
  path: string,
  schema: number,
  seen: (done: number, total: number) => void,
): Promise<CheckedArchive> {
  return inChildProcess<CheckedArchive>({ ask: 'check', path, schema }, (part) => {
    if ('checked' in part) seen(part.checked, part.of)
  })
}

/** Reads the rows of tables. `take` receives them in portions; the child process waits until it resolves. Throws as `checkArchive`. */
export async function readRows(
  path: string,
  tables: readonly RequestedTable[],
  take: (table: string, rows: BulkRow[]) => void | Promise<void>,
): Promise<number> {
  const { rows } = await inChildProcess<{ rows: number }>(
    { ask: 'rows', path, tables: [...tables] },
    (part) =>
      'table' in part
        ? take(
            part.table,
            // Bytes arrive as arrays of the platform.
            part.rows.map((row) =>
              row.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)),
            ),
          )
        : undefined,
  )
  return rows
}
