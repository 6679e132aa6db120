/** Looks at a file of an earlier program, and reads its documents. Runs in a child process. */
import type { HistoryAsset, HistoryDocument } from '../../../domain/history.ts'
import { UnreadableSpreadsheet } from '../../../platform/spreadsheets/cells.ts'
import type { FileRow } from '../../../platform/spreadsheets/cells.ts'
import { textOf } from '../../../platform/spreadsheets/values.ts'
import { goodsRowSkip, readGood } from './books/goods.ts'
import { groupIssued, issuedIdentity, readIssued } from './books/issued.ts'
import { groupReceived, readReceived } from './books/received.ts'
import type { SkipReason } from './codes.ts'
import { openArchive, openDocuments, openTables } from './container.ts'
import type { EntryFault, OpenTable } from './container.ts'
import { listedIdentity, readListed } from './lists/document.ts'
import { groupList } from './lists/grouping.ts'
import { listKinds, NotationGuess } from './lists/mapping.ts'
import { planDocuments, readDocuments } from './plan.ts'
import type { Grouping, Part, Plan } from './plan.ts'
import { presetMapping, presetOf } from './presets/find.ts'
import { RowCells } from './read-row.ts'
import type { Notation, TableReading } from './read-row.ts'
import { BOOK_KINDS, HEAD_ROWS, recognizeTable } from './recognize.ts'
import { Report } from './report.ts'
import { foldedRow, foldedTitle, isRepeatedHeader, isSumRow } from './titles.ts'
import { unreadableFile, unreadable } from './unreadable.ts'
import { MAX_FILE_BYTES } from '../../../domain/media-types.ts'
import type {
  ArchivedDocument,
  HistoryBatch,
  HistoryJob,
  HistorySummary,
  Recognition,
  RecognizedFile,
  RowsJob,
  RowsSummary,
  TableRef,
} from './types.ts'

const MAX_NAMES = 5_000
const TEXT_HEAD = 512

/** What the child process is asked. */
export type FilesJob = { bytes: Uint8Array } & (
  | { ask: 'recognize'; fileName: string; remembered: Record<string, string> }
  | { ask: 'read'; job: HistoryJob }
  | { ask: 'rows'; job: RowsJob }
  | { ask: 'documents'; names: string[] }
)

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

async function headOf(table: OpenTable): Promise<FileRow[]> {
  const head: FileRow[] = []
  for await (const rows of table.rows()) {
    head.push(...rows.slice(0, HEAD_ROWS - head.length))
    if (head.length >= HEAD_ROWS) break
  }
  return head
}

/** Files made for the tax agency: pages in an envelope, or records of 500 characters. */
function returnFileOf(bytes: Buffer): { model: string; year: string } | null {
  const text = bytes.subarray(0, TEXT_HEAD).toString('latin1')
  const pages = /^<T(\d{3})0(\d{4})(\d{2}|[1-4]T|0A)0000>/.exec(text)
  if (pages) return { model: pages[1] ?? '', year: pages[2] ?? '' }
  const records = /^1(347|349|190|180|184|345)(\d{4})[0-9A-Z]{9}/.exec(text)
  return records && /^[^\r\n]{250,500}/.test(text)
    ? { model: records[1] ?? '', year: records[2] ?? '' }
    : null
}

const whole = (content: Recognition['content'], reason: Recognition['reason']): Recognition => ({
  entry: null,
  sheet: null,
  content,
  program: null,
  preset: null,
  layout: null,
  layoutSource: null,
  sure: 'certain',
  reason,
  headerRow: null,
  columns: [],
  mapping: {},
  dateOrder: 'dmy',
  decimalSign: ',',
})

/** Says what a file is, and each of its tables. Throws `validation_failed` for a file that cannot be read. */
export async function recognizeFile(
  given: Uint8Array,
  fileName: string,
  remembered: Record<string, string> = {},
): Promise<RecognizedFile> {
  const bytes = bufferOf(given)
  const file: RecognizedFile = {
    format: 'text',
    encoding: null,
    delimiter: null,
    tables: [],
    documents: { count: 0, names: [] },
    faults: [],
  }
  if (bytes.subarray(0, 5).toString('latin1') === '%PDF-')
    return { ...file, format: 'pdf', tables: [whole('pdf', { code: 'recognized_pdf', params: {} })] }
  const filed = returnFileOf(bytes)
  if (filed)
    return { ...file, tables: [whole('return_file', { code: 'recognized_return_file', params: filed })] }
  try {
    const archive = openArchive(bytes)
    if (archive) {
      const { documents } = archive
      file.documents = {
        count: documents.length,
        names: documents.slice(0, MAX_NAMES).map(({ name }) => name),
      }
      if (documents.length > 0)
        file.tables.push(
          whole('documents', { code: 'recognized_archive', params: { documents: documents.length } }),
        )
    }
    const fail = ({ entry, why }: EntryFault): void => {
      file.faults.push(unreadable(why, entry))
    }
    for await (const table of openTables(bytes, archive, fail)) {
      file.format = archive ? 'zip' : table.format === 'dbf' ? 'fixed' : table.format
      file.encoding ??= table.encoding
      file.delimiter ??= table.delimiter
      const { entry, sheet } = table
      try {
        file.tables.push(recognizeTable({ entry, sheet }, fileName, await headOf(table), remembered))
      } catch (error) {
        if (!(error instanceof UnreadableSpreadsheet) || entry === null) throw error
        fail({ entry, why: error.why })
      }
    }
    if (archive) file.format = 'zip'
    return file
  } catch (error) {
    if (error instanceof UnreadableSpreadsheet) throw unreadableFile(error.why)
    throw error
  }
}

async function findTable(bytes: Buffer, job: TableRef): Promise<OpenTable | null> {
  for await (const table of openTables(bytes, openArchive(bytes), () => {}))
    if (table.entry === job.entry && (job.sheet === null || table.sheet === job.sheet)) return table
  return null
}

/** Rows below the titles. */
async function* below(table: OpenTable, headerRow: number): AsyncGenerator<FileRow[], void, undefined> {
  for await (const rows of table.rows()) {
    const data = (rows[0]?.row ?? 0) > headerRow ? rows : rows.filter(({ row }) => row > headerRow)
    if (data.length > 0) yield data
  }
}

interface Collected {
  documents: HistoryDocument[]
  assets: HistoryAsset[]
}

/** Null after an error. */
type Read = HistoryDocument | HistoryAsset | 'skipped' | null

/** How the rows of a content become documents; what its first pass learns stays inside. */
interface ContentReader {
  /** The first pass. Returns the number of rows. */
  plan: (portions: AsyncIterable<FileRow[]>, seen: (row: FileRow) => void) => Promise<number>
  /** The second pass. */
  read: (
    portions: AsyncIterable<FileRow[]>,
    reading: TableReading,
    take: {
      document: (found: Read) => void
      skip: (row: FileRow, reason: SkipReason) => void
      portion: (rowsRead: number) => Promise<void>
    },
  ) => Promise<void>
}

function contentReader<Info>(
  /** Made for each pass, since it may know the row before. */
  group: () => Grouping<Info>,
  read: (parts: Part<Info>[], reading: TableReading) => Read,
  learn: (row: FileRow) => void = () => {},
): ContentReader {
  let plan: Plan<Info> | null = null
  return {
    plan: async (portions, seen) => {
      plan = await planDocuments(portions, group(), (row) => {
        seen(row)
        learn(row)
      })
      return plan.rows
    },
    read: async (portions, reading, { document, ...take }) => {
      if (plan === null) throw new Error('The first pass comes first.')
      await readDocuments(portions, group(), plan, {
        ...take,
        document: (parts) => document(read(parts, reading)),
      })
    },
  }
}

function readerOf(
  job: HistoryJob,
  columns: Readonly<Record<string, number>>,
  titles: readonly string[],
): ContentReader {
  switch (job.content) {
    case 'books_issued': {
      const grouping = groupIssued(columns, job)
      return contentReader(
        () => grouping,
        (parts, reading) => readIssued(parts, job, reading, grouping.isProven),
      )
    }
    case 'books_received': {
      let hasExpenses = false
      return contentReader(
        () => groupReceived(columns),
        (parts, reading) => readReceived(parts, job, reading, hasExpenses),
        ({ cells }) => {
          const has = (field: string) => textOf(cells[columns[field] ?? -1] ?? null) !== ''
          hasExpenses ||= has('expense') || has('concept')
        },
      )
    }
    case 'books_goods':
      return contentReader<null>(
        () => ({
          identify: (row) => goodsRowSkip(row, columns) ?? { key: String(row.row), info: null },
        }),
        (parts, reading) => {
          const row = parts[0]?.rows[0]
          return row ? readGood(new RowCells(row, reading), job) : null
        },
      )
    case 'issued':
    case 'received': {
      const side = job.content
      const rules = presetOf(job.preset)?.rules ?? {}
      const header = titles.map(foldedTitle)
      return contentReader(
        () => groupList(side, columns, header),
        (parts, reading) => readListed(side, parts, job, reading, rules),
      )
    }
  }
}

const identityOf = (job: HistoryJob, document: HistoryDocument): string =>
  job.content === 'books_issued' && document.side === 'issued'
    ? issuedIdentity(document)
    : listedIdentity(document)

/** Reads a table and sends its documents in portions. Throws `validation_failed` for a file that cannot be read. */
export async function readHistory(
  given: Uint8Array,
  job: HistoryJob,
  send: (batch: HistoryBatch) => Promise<void>,
): Promise<HistorySummary> {
  try {
    const table = await findTable(bufferOf(given), job)
    if (!table) throw unreadableFile('unknown')
    return await readTable(table, job, send)
  } catch (error) {
    if (error instanceof UnreadableSpreadsheet) throw unreadableFile(error.why)
    throw error
  }
}

async function readTable(
  table: OpenTable,
  job: HistoryJob,
  send: (batch: HistoryBatch) => Promise<void>,
): Promise<HistorySummary> {
  const { entry, sheet } = table
  const recognized = recognizeTable({ entry, sheet }, job.fileName, await headOf(table))
  const titles = recognized.columns.map(({ title }) => title)
  const headerRow = recognized.headerRow ?? 1
  const preset = presetOf(job.preset)
  const isBook = job.content.startsWith('books_')
  const columns = job.mapping ?? (preset && !isBook ? presetMapping(preset, titles) : recognized.mapping)
  const report = new Report({ entry, sheet }, job.answers)
  const reader = readerOf(job, columns, titles)
  const guess = new NotationGuess(
    columns,
    isBook ? BOOK_KINDS : listKinds(job.content === 'received' ? 'received' : 'issued'),
  )
  const rows = () => below(table, headerRow)
  const rowCount = await reader.plan(rows(), (row) => guess.add(row))
  const notation: Notation = {
    dateOrder: job.dateOrder ?? guess.notation.dateOrder,
    decimalSign: job.decimalSign ?? guess.notation.decimalSign,
  }
  const reading: TableReading = { columns, titles, notation, report }
  const seen = new Map<string, number>()
  const counts = { documents: 0, assets: 0, failed: 0 }
  let collected: Collected = { documents: [], assets: [] }
  await reader.read(rows(), reading, {
    skip: (row, reason) => report.skip(row.row, reason, row.cells.map(textOf).filter(Boolean).join(' ')),
    document: (found) => {
      if (found === 'skipped') return
      if (found === null) {
        counts.failed += 1
        return
      }
      if (!('side' in found)) {
        collected.assets.push(found)
        counts.assets += 1
        return
      }
      const identity = identityOf(job, found)
      const row = found.source.rows[0] ?? null
      const earlier = seen.get(identity)
      if (earlier !== undefined) {
        const column = columns.number === undefined ? null : (titles[columns.number] ?? null)
        report.fault('history_number_repeated', { row, column }, { number: found.number, row: earlier })
        counts.failed += 1
        return
      }
      seen.set(identity, row ?? 0)
      collected.documents.push(found)
      counts.documents += 1
    },
    portion: async (rowsRead) => {
      const batch: HistoryBatch = {
        ...collected,
        faults: report.faults,
        skipped: report.skipped,
        rowsRead,
        rows: rowCount,
      }
      collected = { documents: [], assets: [] }
      report.faults = []
      report.skipped = []
      await send(batch)
    },
  })
  return {
    rows: rowCount,
    ...counts,
    skipped: report.skippedCount,
    errors: report.errors,
    warnings: report.warnings,
    questions: report.questions,
    ...notation,
    mapping: columns,
  }
}

/** Sends the rows of a table below its titles, without sums and repeated titles. Throws `validation_failed`. */
async function readRows(
  given: Uint8Array,
  { headerRow, ...table }: RowsJob,
  send: (rows: FileRow[]) => Promise<void>,
): Promise<RowsSummary> {
  try {
    const found = await findTable(bufferOf(given), table)
    if (!found) throw unreadableFile('unknown')
    const header = (await headOf(found)).find(({ row }) => row === headerRow)
    const folded = header ? foldedRow(header) : []
    let [rows, skipped] = [0, 0]
    for await (const portion of below(found, headerRow)) {
      const data = portion.filter((row) => !isSumRow(row, undefined) && !isRepeatedHeader(row, folded))
      rows += portion.length
      skipped += portion.length - data.length
      await send(data)
    }
    return { rows, skipped }
  } catch (error) {
    if (error instanceof UnreadableSpreadsheet) throw unreadableFile(error.why)
    throw error
  }
}

/** Sends documents of an archive, each with its name. Throws `validation_failed`. */
async function readArchived(
  given: Uint8Array,
  names: readonly string[],
  send: (document: ArchivedDocument) => Promise<void>,
): Promise<RowsSummary> {
  try {
    const archive = openArchive(bufferOf(given))
    if (!archive) throw unreadableFile('unknown')
    let rows = 0
    for await (const { name, bytes } of openDocuments(archive, new Set(names), MAX_FILE_BYTES)) {
      rows += 1
      await send({ name, bytes: new Uint8Array(bytes) })
    }
    return { rows, skipped: names.length - rows }
  } catch (error) {
    if (error instanceof UnreadableSpreadsheet) throw unreadableFile(error.why)
    throw error
  }
}

/** Answers one job of the child process. */
export async function answerFilesJob(
  job: FilesJob,
  send: (part: unknown) => Promise<void>,
): Promise<RecognizedFile | HistorySummary | RowsSummary> {
  if (job.ask === 'recognize') return recognizeFile(job.bytes, job.fileName, job.remembered)
  if (job.ask === 'documents') return readArchived(job.bytes, job.names, send)
  return job.ask === 'rows' ? readRows(job.bytes, job.job, send) : readHistory(job.bytes, job.job, send)
}
