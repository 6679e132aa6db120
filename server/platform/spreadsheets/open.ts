/**
 * Opens CSV and Excel files as sheets of rows, with limits of their size. Runs in the child processes that parse
 * foreign files.
 */
import { isBlank, UnreadableSpreadsheet } from './cells.ts'
import type { FileRow } from './cells.ts'

interface Sheet {
  /** Null in a text table, which has one sheet without a name. */
  name: string | null
  /** Rows with content, in portions. May be read more than once. Throws `UnreadableSpreadsheet`. */
  rows: () => AsyncIterable<FileRow[]>
}

export interface Spreadsheet {
  format: 'csv' | 'xlsx'
  encoding: string | null
  delimiter: string | null
  sheets: readonly Sheet[]
}

/** Most data rows; bookkeeping needs no more. */
export const MAX_ROWS = 200_000
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
const TEXT_HEAD = 64
/** First bytes of a compound file: the old Excel format, and any encrypted Office document. */
const COMPOUND_FILE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])
/** Stream of an encrypted Office document ([MS-OFFCRYPTO] 2.3.4.4), as its directory names it. */
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le')

interface TableLimits {
  /** Rows with content, the header included. */
  rows: number
  /** Characters of all cells together; none if the rows are not kept. */
  tableChars?: number
}

/** Limits of a table that is stored in memory. */
export const STORED_TABLE: TableLimits = { rows: MAX_ROWS + 1, tableChars: MAX_TABLE_CHARS }

/** Drops blank rows, shortens the others, and counts them. */
async function* withinLimits(
  portions: AsyncIterable<FileRow[]> | Iterable<FileRow[]>,
  { rows: most, tableChars = Infinity }: TableLimits,
): AsyncGenerator<FileRow[], void, undefined> {
  let count = 0
  let allChars = 0
  let ready: FileRow[] = []
  let chars = 0
  for await (const portion of portions) {
    for (const { row, cells } of portion) {
      if (cells.every(isBlank)) continue
      if (++count > most) throw new UnreadableSpreadsheet('too_many_rows')
      const short = cells
        .slice(0, MAX_COLUMNS)
        .map((cell) => (typeof cell === 'string' ? cell.slice(0, MAX_CELL) : cell))
      let rowChars = 0
      for (const cell of short) rowChars += CELL_CHARS + (typeof cell === 'string' ? cell.length : 0)
      allChars += rowChars
      if (allChars > tableChars) throw new UnreadableSpreadsheet('too_large')
      chars += rowChars
      ready.push({ row, cells: short })
      if (ready.length < ROWS_AT_ONCE && chars < CHARS_AT_ONCE) continue
      yield ready
      ready = []
      chars = 0
    }
  }
  if (ready.length > 0) yield ready
}

async function openWorkbook(bytes: Buffer, limits: TableLimits): Promise<Spreadsheet> {
  const { openXlsx, UnreadableSheet } = await import('./read-xlsx.ts')
  const reported = (error: unknown): unknown =>
    error instanceof UnreadableSheet
      ? new UnreadableSpreadsheet(error.why === 'broken' ? 'unknown' : error.why)
      : error
  try {
    const sheets = await openXlsx(bytes, {
      columns: MAX_COLUMNS,
      unpackedBytes: MAX_UNPACKED_BYTES,
      entries: MAX_ENTRIES,
      sharedChars: MAX_SHARED_CHARS,
    })
    const single = async function* (rows: AsyncIterable<FileRow>) {
      try {
        for await (const row of rows) yield [row]
      } catch (error) {
        throw reported(error)
      }
    }
    return {
      format: 'xlsx',
      encoding: null,
      delimiter: null,
      sheets: sheets.map(({ name, rows }) => ({ name, rows: () => withinLimits(single(rows()), limits) })),
    }
  } catch (error) {
    throw reported(error)
  }
}

/** Returns true for an archive, which an Excel file is too. */
export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b

/** Returns why a file in the container of old Office documents cannot be read, or null for another file. */
export function compoundFault(bytes: Buffer): 'old_excel' | 'protected' | null {
  if (!bytes.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE)) return null
  return bytes.includes(ENCRYPTED_PACKAGE) ? 'protected' : 'old_excel'
}

/** Opens a CSV or Excel file. Throws `UnreadableSpreadsheet` for a file that is not a table, or is too large. */
export async function openSpreadsheet(bytes: Buffer, limits: TableLimits): Promise<Spreadsheet> {
  const compound = compoundFault(bytes)
  if (compound) throw new UnreadableSpreadsheet(compound)
  if (/^\s*(<\?xml|<html|<!doctype|%PDF)/i.test(bytes.subarray(0, TEXT_HEAD).toString('latin1')))
    throw new UnreadableSpreadsheet('unknown')
  if (isZip(bytes)) return openWorkbook(bytes, limits)
  const { openCsv, csvRows } = await import('./read-csv.ts')
  const file = openCsv(bytes)
  return {
    format: 'csv',
    encoding: file.encoding,
    delimiter: file.delimiter,
    sheets: [{ name: null, rows: () => withinLimits(csvRows(file), limits) }],
  }
}
