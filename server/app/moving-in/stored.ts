/** What rows of files of a move hold as JSON. */
import type { Cents } from '../../domain/money.ts'
import type { HistoryInstalment, HistoryParty } from '../../domain/history.ts'
import type { Cell } from '../../platform/spreadsheets/cells.ts'
import type { DateOrder, DecimalSign } from '../../platform/spreadsheets/values.ts'
import type { TableChoice } from './file-shapes.ts'
import type { HistoryFault, HistoryQuestion, Recognition, RecognizedFile, SkippedRow } from './files/types.ts'

/** What a person decided about a file. */
export interface StoredAnswers {
  answers: Record<string, string>
  tables: TableChoice[]
}

/** A table as it was read. */
export interface StoredTable extends Recognition {
  isChosen: boolean
  isLeftOut: boolean
  isRead: boolean
  fields: string[]
  rows: number
  documents: number
  failed: number
  skipped: number
}

export interface StoredRecognition {
  format: RecognizedFile['format'] | null
  encoding: string | null
  delimiter: string | null
  tables: StoredTable[]
  archived: number
}

export interface StoredSum {
  side: 'issued' | 'received'
  month: string
  documents: number
  baseCents: Cents
  taxCents: Cents
  withheldCents: Cents
  totalCents: Cents
}

export interface StoredSummary {
  progress: { table: number; tables: number; rowsRead: number; rows: number }
  sums: StoredSum[]
  questions: HistoryQuestion[]
  faults: HistoryFault[]
  skippedRows: (SkippedRow & { entry: string | null; sheet: string | null })[]
}

/** A row of a list of contacts or items: the cells of its fields, and how they are read. */
export interface StagedRow {
  kind: 'contact' | 'item'
  mapping: Record<string, number>
  cells: Cell[]
  dateOrder: DateOrder
  decimalSign: DecimalSign
}

/** An open invoice, by number and party. */
export interface StagedOpen {
  kind: 'open'
  side: 'issued' | 'received'
  number: string
  name: string
  nif: string | null
  /** Left out by rows that were read before these were. */
  idType?: HistoryParty['idType']
  country?: string
  issueDate: string | null
  dueDate: string | null
  totalCents: Cents | null
  openCents: Cents
  /** Of an invoice that the list has in several rows, one for each due date. */
  instalments?: readonly HistoryInstalment[]
}

export interface StagedBank {
  kind: 'bank'
  name: string
  iban: string | null
  cents: Cents
}

export interface StagedAccount {
  kind: 'account'
  code: string
  name: string | null
  cents: Cents
}

export type Staged = StagedRow | StagedOpen | StagedBank | StagedAccount

const FIRST_RECOGNITION: StoredRecognition = {
  format: null,
  encoding: null,
  delimiter: null,
  tables: [],
  archived: 0,
}
const FIRST_SUMMARY: StoredSummary = {
  progress: { table: 0, tables: 0, rowsRead: 0, rows: 0 },
  sums: [],
  questions: [],
  faults: [],
  skippedRows: [],
}

export const firstSummary = (): StoredSummary => structuredClone(FIRST_SUMMARY)

/** Returns the JSON of a file; a file that was only begun has parts of it. */
export function storedOf(row: { recognition: string; answers: string; summary: string }): {
  recognition: StoredRecognition
  answers: StoredAnswers
  summary: StoredSummary
} {
  return {
    recognition: { ...FIRST_RECOGNITION, ...(JSON.parse(row.recognition) as Partial<StoredRecognition>) },
    answers: { answers: {}, tables: [], ...(JSON.parse(row.answers) as Partial<StoredAnswers>) },
    summary: { ...firstSummary(), ...(JSON.parse(row.summary) as Partial<StoredSummary>) },
  }
}
