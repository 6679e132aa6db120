/**
 * Worker thread that writes the books: rows arrive in portions, the file is returned whole. It has no access to store
 * or network.
 */
import type { Cell, Row } from 'write-excel-file/node'
import { onThreadMessage, ownThread } from '../../../platform/processes/threads.ts'
import type { SheetName } from '../../../domain/formats/vat-book-columns.ts'
import { headerRows, SHEETS } from '../../../domain/formats/vat-book-columns.ts'

export type BookFormat = 'xlsx' | 'csv'

export interface BookJob {
  format: BookFormat
  exercise: number
  /** Milliseconds: the modification time of the files inside the archive. */
  writtenAt: number
}

export type BookPortion = { sheet: SheetName; rows: string[][] } | { end: true }
export type BookReply = { taken: number } | { bytes: Uint8Array } | { failed: string }

const ORDER: readonly SheetName[] = ['issued', 'received', 'goods']
const BOM = '\ufeff'

/** Writes amounts as text, because the layout requires a comma and two decimals whatever the spreadsheet's language. */
function cellOf(value: string): Cell {
  return value === '' ? null : { value, type: String }
}

type Sheets = ReadonlyMap<SheetName, string[][]>

/**
 * Sets the timestamps of the archive's parts, which the writer takes from the system clock, so that the same book at
 * the same time is the same file.
 */
async function stamped(archive: Uint8Array, writtenAt: number): Promise<Uint8Array> {
  const { unzipSync, zipSync } = await import('fflate/browser')
  return zipSync(unzipSync(archive), { mtime: writtenAt })
}

async function xlsx(sheets: Sheets, { exercise, writtenAt }: BookJob): Promise<Uint8Array> {
  const { default: writeExcelFile } = await import('write-excel-file/node')
  const files = ORDER.map((sheet) => {
    const headers: Row[] = headerRows(sheet, exercise).map((row) =>
      row.map((value): Cell => (value === '' ? null : { value, type: String, fontWeight: 'bold' })),
    )
    const rows = (sheets.get(sheet) ?? []).map((row): Row => row.map(cellOf))
    return { sheet: SHEETS[sheet].name, data: [...headers, ...rows], stickyRowsCount: headers.length }
  })
  return stamped(await writeExcelFile(files).toBuffer(), writtenAt)
}

/** Returns a line in Spanish CSV: semicolons, because the comma is the decimal separator. */
function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[";\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(';')}\r\n`
}

async function csv(sheets: Sheets, { exercise, writtenAt }: BookJob): Promise<Uint8Array> {
  const { strToU8, zipSync } = await import('fflate/browser')
  const files = Object.fromEntries(
    ORDER.map((sheet) => {
      const lines = [...headerRows(sheet, exercise), ...(sheets.get(sheet) ?? [])].map(csvLine)
      return [`${SHEETS[sheet].name}.csv`, strToU8(BOM + lines.join(''))] as const
    }),
  )
  return zipSync(files, { mtime: writtenAt })
}

const own = ownThread<BookJob>('book')
if (own) {
  const { port, given } = own
  const sheets = new Map<SheetName, string[][]>()
  const finish = async (): Promise<BookReply> => {
    try {
      return { bytes: await (given.format === 'xlsx' ? xlsx(sheets, given) : csv(sheets, given)) }
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) }
    }
  }
  onThreadMessage(port, (portion: BookPortion) => {
    if ('end' in portion) {
      void finish().then((reply) => port.postMessage(reply))
      return
    }
    const list = sheets.get(portion.sheet) ?? []
    for (const row of portion.rows) list.push(row)
    sheets.set(portion.sheet, list)
    port.postMessage({ taken: portion.rows.length } satisfies BookReply)
  })
}
