/** What the reader of files of earlier programs takes and returns. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { HistoryAsset, HistoryDocument, HistorySource } from '../../../domain/history.ts'
import type { DateOrder, DecimalSign } from '../../../platform/spreadsheets/values.ts'
import type { FILE_CONTENTS, QuestionCode, RecognitionReason, SkipReason } from './codes.ts'

export type FileContent = (typeof FILE_CONTENTS)[number]

/** The contents that this reader turns into documents and assets. */
export type HistoryContent = Extract<
  FileContent,
  'books_issued' | 'books_received' | 'books_goods' | 'issued' | 'received'
>

/**
 * How sure the layout of a program is: described by its vendor, read or written by a public program, or assumed from
 * the words such programs use.
 */
export type LayoutCertainty = 'published' | 'reader' | 'believed'

/** Table of a file: of an archive the entry, of a workbook the sheet. */
export interface TableRef {
  entry: string | null
  sheet: string | null
}

export interface TableColumn {
  index: number
  title: string
  samples: string[]
}

export interface Recognition extends TableRef {
  content: FileContent
  /** Program whose export has these titles; null if any could have written them. */
  program: string | null
  /** Name of the layout, to read the table by it; null if its columns are matched by their titles. */
  preset: string | null
  layout: LayoutCertainty | null
  /** Where the layout was found. */
  layoutSource: string | null
  /** `certain`: named by the layout itself. `likely`: by several titles. `guess`: by few of them. */
  sure: 'certain' | 'likely' | 'guess'
  /** The reason in words: a code, with what its text needs. */
  reason: { code: RecognitionReason; params: Record<string, string | number> }
  /** Row of the titles, from 1; null without titles. */
  headerRow: number | null
  columns: TableColumn[]
  /** Which column, from 0, each field of a list of invoices is read from. */
  mapping: Record<string, number>
  dateOrder: DateOrder
  decimalSign: DecimalSign
}

/** Result of looking at one file. */
export interface RecognizedFile {
  format: 'csv' | 'xlsx' | 'zip' | 'pdf' | 'fixed' | 'text'
  encoding: string | null
  delimiter: string | null
  tables: Recognition[]
  /** Documents of an archive. */
  documents: { count: number; names: string[] }
  /** Entries of an archive that cannot be read. */
  faults: HistoryFault[]
}

/** A fault of a file, named by row and column. */
export interface HistoryFault extends Fault {
  entry: string | null
  sheet: string | null
  /** Row of the file, from 1; null of the whole table. */
  row: number | null
  /** Title of the column; null of the whole row. */
  column: string | null
}

/** A row that is no document: a title, a subtotal, a cancelled draft. */
export interface SkippedRow {
  row: number
  reason: SkipReason
  text: string
}

/**
 * What a layout does not say and the figures need. The reader goes on with `guess`; with the person's answer the file
 * is read again.
 */
export interface HistoryQuestion {
  /** Its code, and whom it concerns: the key of the answer. */
  id: string
  code: QuestionCode
  /** Party or thing it is asked of; empty for the whole file. */
  about: string
  /** Name of the party that it is asked of, by its first document. */
  name?: string
  guess: string
  choices: readonly string[]
  /** What depends on it: numbers of returns, `records` or `documents`. */
  depends: readonly string[]
  documents: number
  /** Sum of the bases concerned. */
  baseCents: number
  first: HistorySource
}

/** How a table is read. */
export interface HistoryJob extends TableRef {
  fileName: string
  content: HistoryContent
  preset: string | null
  /** Of lists of invoices; by default as the titles say. */
  mapping?: Record<string, number> | undefined
  dateOrder?: DateOrder | undefined
  decimalSign?: DecimalSign | undefined
  /** Answers to questions, by their ids. */
  answers: Record<string, string>
  today: BusinessDate
  ownNif: string
}

/** A table of which only the rows are asked. */
export interface RowsJob extends TableRef {
  headerRow: number
}

/** A document of an archive. */
export interface ArchivedDocument {
  name: string
  bytes: Uint8Array
}

export interface RowsSummary {
  rows: number
  /** Sums and repeated titles. */
  skipped: number
}

/** A portion of the result, in the order of the file. A document is never divided between portions. */
export interface HistoryBatch {
  documents: HistoryDocument[]
  assets: HistoryAsset[]
  faults: HistoryFault[]
  skipped: SkippedRow[]
  /** Rows with content read so far, and all of them. */
  rowsRead: number
  rows: number
}

export interface HistorySummary {
  rows: number
  documents: number
  assets: number
  /** Documents with an error, which are not in the result. */
  failed: number
  skipped: number
  errors: number
  warnings: number
  questions: HistoryQuestion[]
  dateOrder: DateOrder
  decimalSign: DecimalSign
  mapping: Record<string, number>
}
