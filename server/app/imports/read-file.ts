/** Reads a CSV or Excel file as rows of cells, one row at a time. Cells are data: formulas are never evaluated. */
import Papa from 'papaparse'
import { validationFailed } from '../../domain/errors/app-error.ts'
import { parse, ParserFailure } from '../../platform/processes/parsers.ts'
import type { FilePieces, ParserFault } from '../../platform/processes/parsers.ts'

/** A parsed cell; a spreadsheet date is YYYY-MM-DD. */
export type Cell = string | number | boolean | null

export interface FileRow {
  /** Row of the file, from 1. */
  row: number
  cells: Cell[]
}

export interface FileHead {
  format: 'csv' | 'xlsx'
  encoding: string | null
  delimiter: string | null
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
/** Most data rows; bookkeeping needs no more. */
const MAX_ROWS = 200_000
const MAX_COLUMNS = 200
const MAX_CELL = 4000
/** Largest unpacked size of an Excel file, enough for a sheet of 200,000 rows with a dozen columns. */
const MAX_UNPACKED_BYTES = 160 * 1024 * 1024
const MAX_ENTRIES = 2000
const MAX_SHARED_CHARS = 24_000_000
/**
 * Largest table, each cell counted with its memory overhead, enough for 200,000 rows with a dozen columns of ordinary
 * text.
 */
const MAX_TABLE_CHARS = 64_000_000
const CELL_CHARS = 8
const ROWS_AT_ONCE = 1_000
const CHARS_AT_ONCE = 256_000
const DELIMITERS = [';', ',', '\t', '|']
const TEXT_HEAD = 64
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

function strictly(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function unknownFile(): never {
  return refuse(
    'import_file_unknown',
    'That is neither CSV nor an Excel file (.xlsx).',
    'Save it as .xlsx or .csv and choose it again.',
  )
}

/** Decodes bytes: UTF-8 if valid, UTF-16 with a byte order mark, else the Windows code page of Western Europe. */
function decode(bytes: Uint8Array): { text: string; encoding: string } {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : null
  if (wide) {
    const text = strictly(bytes, wide)
    if (text === null) unknownFile()
    return { text: text.replace(/^\ufeff/, ''), encoding: wide }
  }
  if (bytes.includes(0)) unknownFile()
  const utf8 = strictly(bytes, 'utf-8')
  if (utf8 !== null) return { text: utf8.replace(/^\ufeff/, ''), encoding: 'utf-8' }
  return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' }
}

const isBlank = (cell: Cell): boolean => cell === null || (typeof cell === 'string' && cell.trim() === '')

function tooLarge(): never {
  return refuse(
    'import_file_too_large',
    'The file is too large once it is unpacked.',
    'Leave only the sheet with the data, or split it.',
  )
}

/** Passes non-empty rows on in batches with their position in the file, and counts their memory. */
class Rows {
  count = 0
  private stretch: FileRow[] = []
  private stretchChars = 0
  private chars = 0
  private readonly take: TakeRows

  constructor(take: TakeRows) {
    this.take = take
  }

  /** Returns true when the batch is full. */
  get isFull(): boolean {
    return this.stretch.length >= ROWS_AT_ONCE || this.stretchChars >= CHARS_AT_ONCE
  }

  add(row: number, cells: readonly Cell[]): void {
    if (cells.every(isBlank)) return
    if (++this.count > MAX_ROWS + 1)
      refuse(
        'import_too_many_rows',
        `A file holds at most ${MAX_ROWS} rows.`,
        'Split it into several files.',
        {
          most: MAX_ROWS,
        },
      )
    const short = cells
      .slice(0, MAX_COLUMNS)
      .map((cell) => (typeof cell === 'string' ? cell.slice(0, MAX_CELL) : cell))
    let chars = 0
    for (const cell of short) chars += CELL_CHARS + (typeof cell === 'string' ? cell.length : 0)
    this.chars += chars
    if (this.chars > MAX_TABLE_CHARS) tooLarge()
    this.stretchChars += chars
    this.stretch.push({ row, cells: short })
  }

  async pass(): Promise<void> {
    const rows = this.stretch
    this.stretch = []
    this.stretchChars = 0
    if (rows.length > 0) await this.take(rows)
  }
}

/** Returns the delimiter that gives the most rows of equal width above one, among the first rows. */
function guessDelimiter(text: string): { delimiter: string; newline: Papa.ParseConfig['newline'] } {
  let [best, bestScore] = [';', -1]
  let newline = '\n'
  for (const delimiter of DELIMITERS) {
    const { data, meta } = Papa.parse<string[]>(text.slice(0, 100_000), { delimiter, preview: 40 })
    newline = meta.linebreak
    const widths = new Map<number, number>()
    for (const { length } of data) if (length > 1) widths.set(length, (widths.get(length) ?? 0) + 1)
    for (const [width, rows] of widths) {
      const score = rows * 100 + Math.min(width, 99)
      if (score > bestScore) [best, bestScore] = [delimiter, score]
    }
  }
  return { delimiter: best, newline: newline as Papa.ParseConfig['newline'] }
}

async function readCsv(bytes: Uint8Array, rows: Rows): Promise<FileHead> {
  const { text, encoding } = decode(bytes)
  const { delimiter, newline } = guessDelimiter(text)
  let row = 0
  for (let at = 0; at < text.length;) {
    let next = text.length
    // Parsed row by row; the reader stops when a batch is full and resumes after its last row.
    Papa.parse<string[]>(at === 0 ? text : text.slice(at), {
      delimiter,
      newline,
      // The fast mode would split the whole text first.
      fastMode: false,
      skipEmptyLines: false,
      step: ({ data, meta }, parser) => {
        rows.add(++row, data)
        if (!rows.isFull) return
        next = at + meta.cursor
        parser.abort()
      },
    })
    await rows.pass()
    at = next
  }
  return { format: 'csv', encoding, delimiter, sheets: [] }
}

async function readXlsx(bytes: Buffer, wanted: string | undefined, rows: Rows): Promise<FileHead> {
  const { openXlsx, UnreadableSheet } = await import('./read-xlsx.ts')
  try {
    const sheet = await openXlsx(bytes, wanted, {
      columns: MAX_COLUMNS,
      unpackedBytes: MAX_UNPACKED_BYTES,
      entries: MAX_ENTRIES,
      sharedChars: MAX_SHARED_CHARS,
    })
    for await (const { row, cells } of sheet.rows) {
      rows.add(row, cells)
      if (rows.isFull) await rows.pass()
    }
    return { format: 'xlsx', encoding: null, delimiter: null, sheets: sheet.sheets }
  } catch (error) {
    if (!(error instanceof UnreadableSheet)) throw error
    if (error.why === 'too_large') tooLarge()
    if (error.why === 'broken') unknownFile()
    return refuse(
      'import_sheet_unknown',
      'There is no such sheet.',
      'Choose one of the sheets of the file.',
      { sheet: wanted ?? '' },
    )
  }
}

/** Reads a file and passes its rows on. Throws `validation_failed` for a file that is not a table, or is too large. */
export async function readTable(job: TableJob, take: TakeRows): Promise<FileHead> {
  const bytes = Buffer.from(job.bytes.buffer, job.bytes.byteOffset, job.bytes.byteLength)
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  // The signature of the old Excel format; other binary files are recognized by their first bytes too.
  if (!isZip && bytes.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0])))
    refuse(
      'import_old_excel',
      'That is the old Excel format (.xls).',
      'Open it in a spreadsheet and save it as .xlsx.',
    )
  if (/^\s*(<\?xml|<html|<!doctype|%PDF)/i.test(bytes.subarray(0, TEXT_HEAD).toString('latin1')))
    unknownFile()
  const rows = new Rows(take)
  const head = isZip ? await readXlsx(bytes, job.sheet, rows) : await readCsv(bytes, rows)
  await rows.pass()
  if (rows.count < 2)
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
