/** Reads a CSV or Excel file as rows of cells, in a child process. Cells are data: formulas are never evaluated. */
import { validationFailed } from '../../domain/errors/app-error.ts'
import { parse, ParserFailure } from '../../platform/processes/parsers.ts'
import type { FilePieces, ParserFault } from '../../platform/processes/parsers.ts'
import { UnreadableSpreadsheet } from '../../platform/spreadsheets/cells.ts'
import type { FileRow, SpreadsheetFault } from '../../platform/spreadsheets/cells.ts'
import { STORED_TABLE, MAX_ROWS, openSpreadsheet } from '../../platform/spreadsheets/open.ts'
import type { Spreadsheet } from '../../platform/spreadsheets/open.ts'

export interface FileHead extends Pick<Spreadsheet, 'format' | 'encoding' | 'delimiter'> {
  sheets: string[]
}

interface ReadFile extends FileHead {
  rows: FileRow[]
}

/** Job of the parser's process. */
export interface TableJob {
  bytes: Uint8Array
  sheet: string | undefined
}

/** Receives the next rows of a file; resolves when it can take more. */
type TakeRows = (rows: FileRow[]) => Promise<void>

const MAX_FILE_BYTES = 20 * 1024 * 1024
const TIMEOUT_MS = 60_000

function refuse(
  code: string,
  message: string,
  fix: string,
  params: Record<string, string | number> = {},
): never {
  throw validationFailed([
    {
      code,
      field: 'content',
      severity: 'error',
      message,
      fix,
      ...(Object.keys(params).length > 0 ? { params } : {}),
    },
  ])
}

const UNREADABLE: Record<
  SpreadsheetFault,
  readonly [code: string, message: string, fix: string, params?: Record<string, number>]
> = {
  unknown: [
    'import_file_unknown',
    'That is neither CSV nor an Excel file (.xlsx).',
    'Save it as .xlsx or .csv and choose it again.',
  ],
  too_large: [
    'import_file_too_large',
    'The file is too large once it is unpacked.',
    'Leave only the sheet with the data, or split it.',
  ],
  too_many_rows: [
    'import_too_many_rows',
    `A file holds at most ${MAX_ROWS} rows.`,
    'Split it into several files.',
    { most: MAX_ROWS },
  ],
  old_excel: [
    'import_old_excel',
    'That is the old Excel format (.xls).',
    'Open it in a spreadsheet and save it as .xlsx.',
  ],
  protected: [
    'import_file_protected',
    'The file is protected with a password.',
    'Open it with its password, save it without one, and choose it again.',
  ],
}

/** Reads a file and passes its rows on. Throws `validation_failed` for a file that is not a table, or is too large. */
export async function readTable(job: TableJob, take: TakeRows): Promise<FileHead> {
  const bytes = Buffer.from(job.bytes.buffer, job.bytes.byteOffset, job.bytes.byteLength)
  let count = 0
  let head: FileHead
  try {
    const { sheets, ...file } = await openSpreadsheet(bytes, STORED_TABLE)
    // A text table has no sheets to choose from.
    const names = sheets.flatMap(({ name }) => name ?? [])
    const chosen =
      job.sheet === undefined || names.length === 0
        ? sheets[0]
        : sheets.find(({ name }) => name === job.sheet)
    if (!chosen)
      return refuse(
        'import_sheet_unknown',
        'There is no such sheet.',
        'Choose one of the sheets of the file.',
        { sheet: job.sheet ?? '' },
      )
    for await (const rows of chosen.rows()) {
      count += rows.length
      await take(rows)
    }
    head = { ...file, sheets: names }
  } catch (error) {
    if (error instanceof UnreadableSpreadsheet) return refuse(...UNREADABLE[error.why])
    throw error
  }
  if (count < 2)
    refuse(
      'import_file_empty',
      'The file needs a row of titles and at least one of data.',
      'Download the template to see how it is laid out.',
    )
  return head
}

const FAULTS: Record<ParserFault, readonly [code: string, message: string, fix: string]> = {
  too_large: [
    'import_file_too_large',
    'The file needs more memory than a table may take.',
    'Leave only the sheet with the data, or split it.',
  ],
  too_slow: [
    'import_file_too_slow',
    'The file takes longer to read than a table may take.',
    'Leave only the sheet with the data, or split it.',
  ],
  broken: [
    'import_file_unknown',
    'That is neither CSV nor an Excel file (.xlsx).',
    'Save it as .xlsx or .csv and choose it again.',
  ],
}

/** Reads a file in a child process with limits of memory and time. Throws `validation_failed`. */
export async function readTableInChildProcess(file: FilePieces, sheet?: string): Promise<ReadFile> {
  if (file.length > MAX_FILE_BYTES)
    refuse('import_file_too_large', 'The file is larger than 20 MiB.', 'Split it into several files.')
  const rows: FileRow[] = []
  try {
    const head = await parse<Omit<TableJob, 'bytes'>, FileHead>(
      'table',
      { sheet },
      {
        from: import.meta.url,
        timeoutMs: TIMEOUT_MS,
        bytes: file,
        onPart: (part: FileRow[]) => {
          for (const row of part) rows.push(row)
        },
      },
    )
    return { ...head, rows }
  } catch (error) {
    if (error instanceof ParserFailure) return refuse(...FAULTS[error.why])
    throw error
  }
}
