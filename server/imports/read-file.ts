/** The bytes of a CSV or Excel file as rows of cells. Cells are data: a formula is never evaluated, a bomb never unpacked. */
import Papa from 'papaparse'
import { validationFailed } from '../core/errors.ts'

/** A cell as it was read; a date of a spreadsheet is YYYY-MM-DD. */
export type Cell = string | number | boolean | null

export interface FileRow {
  /** Row of the file, from 1. */
  row: number
  cells: Cell[]
}

export interface ReadFile {
  format: 'csv' | 'xlsx'
  encoding: string | null
  delimiter: string | null
  sheets: string[]
  rows: FileRow[]
}

const MAX_FILE_BYTES = 20 * 1024 * 1024
/** Of data; more is another job than bookkeeping. */
export const MAX_ROWS = 200_000
const MAX_COLUMNS = 200
const MAX_CELL = 4000
/** What an Excel file may hold unpacked; a sheet of 200,000 rows with a dozen columns fits. */
const MAX_UNPACKED_BYTES = 160 * 1024 * 1024
const MAX_ENTRIES = 2000
const DELIMITERS = [';', ',', '\t', '|']
const TEXT_HEAD = 64

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

/** UTF-8 when the bytes are, UTF-16 when they say so, else the Windows code page of Western Europe. */
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

/** Rows with anything in them, each with its place in the file. */
function filled(rows: readonly (readonly Cell[])[]): FileRow[] {
  const found: FileRow[] = []
  for (const [index, cells] of rows.entries()) {
    if (cells.every(isBlank)) continue
    found.push({
      row: index + 1,
      cells: cells
        .slice(0, MAX_COLUMNS)
        .map((cell) => (typeof cell === 'string' ? cell.slice(0, MAX_CELL) : cell)),
    })
  }
  if (found.length > MAX_ROWS + 1)
    refuse('import_too_many_rows', `A file holds at most ${MAX_ROWS} rows.`, 'Split it into several files.', {
      most: MAX_ROWS,
    })
  return found
}

/** The delimiter that gives the most rows of one width above one, of the first ones. */
function guessDelimiter(text: string): string {
  let [best, bestScore] = [';', -1]
  for (const delimiter of DELIMITERS) {
    const { data } = Papa.parse<string[]>(text.slice(0, 100_000), { delimiter, preview: 40 })
    const widths = new Map<number, number>()
    for (const { length } of data) if (length > 1) widths.set(length, (widths.get(length) ?? 0) + 1)
    for (const [width, rows] of widths) {
      const score = rows * 100 + Math.min(width, 99)
      if (score > bestScore) [best, bestScore] = [delimiter, score]
    }
  }
  return best
}

function readCsv(bytes: Uint8Array): ReadFile {
  const { text, encoding } = decode(bytes)
  const delimiter = guessDelimiter(text)
  const { data } = Papa.parse<string[]>(text, {
    delimiter,
    skipEmptyLines: false,
    // One more than is taken tells that there are too many.
    preview: MAX_ROWS * 2,
  })
  return { format: 'csv', encoding, delimiter, sheets: [], rows: filled(data) }
}

/** What the archive says it holds, without unpacking it. */
async function assertSmallEnough(bytes: Uint8Array): Promise<void> {
  const { unzipSync } = await import('fflate')
  let unpacked = 0
  let entries = 0
  try {
    unzipSync(bytes, {
      filter: ({ originalSize }) => {
        unpacked += originalSize
        entries += 1
        return false
      },
    })
  } catch {
    unknownFile()
  }
  if (unpacked > MAX_UNPACKED_BYTES || entries > MAX_ENTRIES)
    refuse(
      'import_file_too_large',
      'The file is too large once it is unpacked.',
      'Leave only the sheet with the data, or split it.',
    )
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString().slice(0, 10)
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return String(value)
}

async function readXlsx(bytes: Buffer, wanted: string | undefined): Promise<ReadFile> {
  await assertSmallEnough(bytes)
  const { default: readXlsxFile } = await import('read-excel-file/node')
  let sheets: { sheet: string; data: readonly (readonly unknown[])[] }[]
  try {
    sheets = await readXlsxFile(bytes)
  } catch {
    unknownFile()
  }
  const chosen = wanted === undefined ? sheets[0] : sheets.find(({ sheet }) => sheet === wanted)
  if (!chosen)
    refuse('import_sheet_unknown', 'There is no such sheet.', 'Choose one of the sheets of the file.', {
      sheet: wanted ?? '',
    })
  return {
    format: 'xlsx',
    encoding: null,
    delimiter: null,
    sheets: sheets.map(({ sheet }) => sheet),
    rows: filled(chosen.data.map((row) => row.map(cellOf))),
  }
}

/** Reads a file. Throws `validation_failed` for what is no table, or too large a one. */
export async function readTable(bytes: Buffer, sheet?: string): Promise<ReadFile> {
  if (bytes.length > MAX_FILE_BYTES)
    refuse('import_file_too_large', 'The file is larger than 20 MiB.', 'Split it into several files.')
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  // The old Excel format and anything else that is no text says so in its first bytes.
  if (!isZip && bytes.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0])))
    refuse(
      'import_old_excel',
      'That is the old Excel format (.xls).',
      'Open it in a spreadsheet and save it as .xlsx.',
    )
  if (/^\s*(<\?xml|<html|<!doctype|%PDF)/i.test(bytes.subarray(0, TEXT_HEAD).toString('latin1')))
    unknownFile()
  const file = isZip ? await readXlsx(bytes, sheet) : readCsv(bytes)
  if (file.rows.length < 2)
    refuse(
      'import_file_empty',
      'The file needs a row of titles and at least one of data.',
      'Download the template to see how it is laid out.',
    )
  return file
}
