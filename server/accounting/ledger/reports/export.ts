/** Exports journal, ledger and statements as spreadsheet files. Text stays text: no cell is read as a formula. */
import { createHash } from 'node:crypto'
import type { BytesAnswer } from '../../../domain/contract/fields.ts'
import {
  csvFile,
  neutralizeFormula,
  spanishDate,
  spanishNumber,
  textCell,
} from '../../../domain/formats/csv-writer.ts'
import type { Ctx } from '../../../context.ts'
import { periodOf } from './balances.ts'
import { tableOf } from './tables.ts'
import type { TableRequest, Column, Table } from './tables.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

function csvCell(value: string | number | null, { kind }: Column): string {
  if (value === null) return ''
  if (kind === 'euros' && typeof value === 'number') return spanishNumber(value)
  if (kind === 'date' && typeof value === 'string') return spanishDate(value)
  return textCell(String(value))
}

function csvOf({ columns, rows }: Table): Buffer {
  return csvFile([
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map((column, index) => csvCell(row[index] ?? null, column))),
  ])
}

function xlsxCell(value: string | number | null, { kind }: Column) {
  if (value === null || value === '') return null
  if (kind === 'euros') return { value: Number(value), type: Number, format: '#,##0.00' }
  if (kind === 'number') return { value: Number(value), type: Number }
  if (kind === 'date') return { value: new Date(`${value}T00:00:00Z`), type: Date, format: 'dd/mm/yyyy' }
  return { value: neutralizeFormula(String(value)), type: String }
}

async function xlsxOf({ name, columns, rows }: Table): Promise<Buffer> {
  const { default: writeXlsxFile } = await import('write-excel-file/node')
  const head = columns.map(({ title }) => ({ value: title, type: String, fontWeight: 'bold' as const }))
  const body = rows.map((row) => columns.map((column, index) => xlsxCell(row[index] ?? null, column)))
  return writeXlsxFile([head, ...body], {
    sheet: name.slice(0, 31),
    columns: columns.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
  }).toBuffer()
}

/** Returns the requested file. */
export const exportLedger: (ctx: Ctx, input: TableRequest) => Promise<BytesAnswer> = async (ctx, asked) => {
  const table = await tableOf(ctx, asked)
  const bytes = asked.format === 'csv' ? csvOf(table) : await xlsxOf(table)
  const { from, to } = periodOf(asked)
  const account = asked.account === undefined ? '' : ` ${asked.account}`
  return {
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    fileName: `${table.name}${account} ${from} ${to}.${asked.format}`,
    mediaType: asked.format === 'csv' ? 'text/csv; charset=utf-8' : XLSX,
  }
}
