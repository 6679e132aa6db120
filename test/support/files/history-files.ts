/** Reads files of earlier programs in tests, and makes spreadsheets of rows. */
import writeXlsxFile from 'write-excel-file/node'
import type { HistoryAsset, HistoryDocument } from '../../../server/domain/history.ts'
import { recognizeFile, readHistory } from '../../../server/app/moving-in/files/read.ts'
import type {
  HistoryContent,
  HistoryFault,
  HistoryJob,
  HistorySummary,
  SkippedRow,
} from '../../../server/app/moving-in/files/types.ts'

interface ReadResult {
  documents: HistoryDocument[]
  assets: HistoryAsset[]
  faults: HistoryFault[]
  skipped: SkippedRow[]
  batches: number
  summary: HistorySummary
}

/** Reads a table as it is recognized; `changes` are what a person chooses. */
export async function readFileOf(
  bytes: Uint8Array,
  changes: Partial<HistoryJob> = {},
  fileName = 'fichero.csv',
): Promise<ReadResult> {
  const { tables } = await recognizeFile(bytes, fileName)
  const table = tables.find(
    ({ content, entry }) =>
      content === (changes.content ?? content) && (changes.entry === undefined || entry === changes.entry),
  )
  if (!table) throw new Error(`There is no such table: ${tables.map(({ content }) => content).join(', ')}`)
  const result: Omit<ReadResult, 'summary'> = {
    documents: [],
    assets: [],
    faults: [],
    skipped: [],
    batches: 0,
  }
  const summary = await readHistory(
    bytes,
    {
      fileName,
      entry: table.entry,
      sheet: table.sheet,
      content: table.content as HistoryContent,
      preset: table.preset,
      answers: {},
      today: '2026-12-31',
      ownNif: 'B12345674',
      ...changes,
    },
    async ({ documents, assets, faults, skipped }) => {
      result.batches += 1
      result.documents.push(...documents)
      result.assets.push(...assets)
      result.faults.push(...faults)
      result.skipped.push(...skipped)
    },
  )
  return { ...result, summary }
}

type Value = string | number | Date | null

/** Returns an Excel file of one sheet. */
export async function excelOf(rows: readonly (readonly Value[])[], sheet = 'Hoja1'): Promise<Buffer> {
  return writeXlsxFile(
    rows.map((row) =>
      row.map((value) =>
        value === null
          ? null
          : value instanceof Date
            ? { value, type: Date, format: 'dd/mm/yyyy' }
            : typeof value === 'number'
              ? { value, type: Number }
              : { value, type: String },
      ),
    ),
    { sheet },
  ).toBuffer()
}
