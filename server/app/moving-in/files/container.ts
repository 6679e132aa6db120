/** Opens a file of an earlier program: a CSV or Excel file, a DBF table, or an archive of such files and documents. */
import { UnreadableSpreadsheet } from '../../../platform/spreadsheets/cells.ts'
import type { FileRow } from '../../../platform/spreadsheets/cells.ts'
import { compoundFault, isZip, MAX_ROWS, openSpreadsheet } from '../../../platform/spreadsheets/open.ts'
import { openZip, unpacked, UnreadableZip } from '../../../platform/spreadsheets/unzip.ts'
import type { PackedEntry } from '../../../platform/spreadsheets/unzip.ts'
import { isDbf, openDbf } from './dbf.ts'
import type { TableRef } from './types.ts'

/** Rows are not kept, so that only their number is limited. */
const LIMITS = { rows: MAX_ROWS + 100 }
const MAX_ENTRIES = 20_000
const MAX_ARCHIVE_BYTES = 4 * 1024 * 1024 * 1024 - 1
/** Largest table in an archive. */
const MAX_ENTRY_BYTES = 64 * 1024 * 1024
const TABLE_NAME = /\.(csv|txt|tsv|xlsx|xls|dbf)$/i
const DOCUMENT_NAME = /\.(pdf|xml|jpe?g|png)$/i
/** Files that systems add to archives. */
const HIDDEN_NAME = /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)|\/$/i

export interface OpenTable extends TableRef {
  format: 'csv' | 'xlsx' | 'dbf'
  encoding: string | null
  delimiter: string | null
  /** May be read more than once. */
  rows: () => AsyncIterable<FileRow[]>
}

/** Why an entry of an archive cannot be read. */
export interface EntryFault {
  entry: string
  why: UnreadableSpreadsheet['why']
}

interface Archive {
  tables: PackedEntry[]
  documents: PackedEntry[]
}

/** Returns the entries of an archive that is no Excel file; null for any other file. Throws `UnreadableSpreadsheet`. */
export function openArchive(bytes: Buffer): Archive | null {
  if (!isZip(bytes)) return null
  try {
    const entries = openZip(bytes, { entries: MAX_ENTRIES, bytes: MAX_ARCHIVE_BYTES })
    if (entries.has('xl/workbook.xml')) return null
    const shown = [...entries.values()].filter(({ name }) => !HIDDEN_NAME.test(name))
    return {
      tables: shown.filter(({ name }) => TABLE_NAME.test(name)),
      documents: shown.filter(({ name }) => DOCUMENT_NAME.test(name)),
    }
  } catch (error) {
    throw error instanceof UnreadableZip
      ? new UnreadableSpreadsheet(error.why === 'broken' ? 'unknown' : error.why)
      : error
  }
}

async function unpack(entry: PackedEntry): Promise<Buffer> {
  if (entry.size > MAX_ENTRY_BYTES) throw new UnreadableSpreadsheet('too_large')
  try {
    const pieces: Buffer[] = []
    for await (const piece of unpacked(entry)) pieces.push(piece)
    return Buffer.concat(pieces)
  } catch (error) {
    throw error instanceof UnreadableZip ? new UnreadableSpreadsheet('unknown') : error
  }
}

/** Yields documents of an archive by their names, one after another; larger ones than `mostBytes` are left out. */
export async function* openDocuments(
  archive: Archive,
  names: ReadonlySet<string>,
  mostBytes: number,
): AsyncGenerator<{ name: string; bytes: Buffer }, void, undefined> {
  for (const entry of archive.documents)
    if (names.has(entry.name) && entry.size <= mostBytes)
      yield { name: entry.name, bytes: await unpack(entry) }
}

async function tablesOf(bytes: Buffer, entry: string | null): Promise<OpenTable[]> {
  if (isDbf(bytes)) {
    const rows = openDbf(bytes)
    return [{ entry, sheet: null, format: 'dbf', encoding: 'windows-1252', delimiter: null, rows }]
  }
  const { sheets, ...file } = await openSpreadsheet(bytes, LIMITS)
  return sheets.map(({ name, rows }) => ({ ...file, entry, sheet: name, rows }))
}

/**
 * Yields the tables of a file one after another, so that only one entry of an archive is in memory. `onFault` receives
 * entries that cannot be read; a file that is no archive throws `UnreadableSpreadsheet` instead.
 */
export async function* openTables(
  bytes: Buffer,
  archive: Archive | null,
  onFault: (fault: EntryFault) => void,
): AsyncGenerator<OpenTable, void, undefined> {
  const compound = compoundFault(bytes)
  if (compound) throw new UnreadableSpreadsheet(compound)
  if (archive === null) {
    yield* await tablesOf(bytes, null)
    return
  }
  for (const entry of archive.tables) {
    try {
      yield* await tablesOf(await unpack(entry), entry.name)
    } catch (error) {
      if (!(error instanceof UnreadableSpreadsheet)) throw error
      onFault({ entry: entry.name, why: error.why })
    }
  }
}
