/**
 * Reads tables of dBASE III and FoxPro, in which ContaPlus and other programs keep their books: a header with the
 * fields, then records of fixed length. Source: dBASE file header structure (dBASE III PLUS).
 */
import { isBusinessDate } from '../../../domain/dates.ts'
import { UnreadableSpreadsheet } from '../../../platform/spreadsheets/cells.ts'
import type { Cell, FileRow } from '../../../platform/spreadsheets/cells.ts'

/** dBASE III without and with memo, FoxPro, Visual FoxPro. */
const VERSIONS: readonly number[] = [0x03, 0x83, 0x30, 0x31, 0xf5]
const HEADER_BYTES = 32
const FIELD_BYTES = 32
const END_OF_FIELDS = 0x0d
const DELETED = 0x2a
const MAX_FIELDS = 200
const MAX_ROWS = 200_000
const ROWS_AT_ONCE = 1_000

interface DbfField {
  name: string
  type: string
  at: number
  length: number
}

interface DbfHead {
  fields: DbfField[]
  recordLength: number
  headerLength: number
  records: number
}

function headOf(bytes: Buffer): DbfHead | null {
  if (bytes.length < HEADER_BYTES + FIELD_BYTES || !VERSIONS.includes(bytes[0] ?? 0)) return null
  const [month, day] = [bytes[2] ?? 0, bytes[3] ?? 0]
  const headerLength = bytes.readUInt16LE(8)
  const recordLength = bytes.readUInt16LE(10)
  if (month > 12 || day > 31 || headerLength > bytes.length || recordLength < 2) return null
  const fields: DbfField[] = []
  let at = 1
  for (let place = HEADER_BYTES; place + FIELD_BYTES <= headerLength; place += FIELD_BYTES) {
    if (bytes[place] === END_OF_FIELDS) break
    const name = bytes.toString('latin1', place, place + 11).replace(/\0.*$/s, '')
    const length = bytes[place + 16] ?? 0
    if (!/^[A-Za-z]\w*$/.test(name) || fields.length >= MAX_FIELDS) return null
    fields.push({ name, type: String.fromCodePoint(bytes[place + 11] ?? 0), at, length })
    at += length
  }
  if (fields.length === 0 || at > recordLength) return null
  return { fields, recordLength, headerLength, records: bytes.readUInt32LE(4) }
}

export const isDbf = (bytes: Buffer): boolean => headOf(bytes) !== null

function cellOf(text: string, type: string): Cell {
  const bare = text.trim()
  if (bare === '') return null
  if (type === 'N' || type === 'F') {
    const value = Number(bare)
    return Number.isFinite(value) ? value : bare
  }
  if (type === 'D') {
    const day = `${bare.slice(0, 4)}-${bare.slice(4, 6)}-${bare.slice(6, 8)}`
    return isBusinessDate(day) ? day : bare
  }
  if (type === 'L') return /^[TtYy]$/.test(bare)
  return bare
}

/** Returns the rows of a table: the names of its fields first, then its records without deleted ones. */
export function openDbf(bytes: Buffer): () => AsyncIterable<FileRow[]> {
  const head = headOf(bytes)
  if (!head) throw new UnreadableSpreadsheet('unknown')
  const { fields, recordLength, headerLength, records } = head
  if (records > MAX_ROWS) throw new UnreadableSpreadsheet('too_many_rows')
  const decoder = new TextDecoder('windows-1252')
  return async function* () {
    let rows: FileRow[] = [{ row: 1, cells: fields.map(({ name }) => name) }]
    for (let index = 0; index < records; index++) {
      const start = headerLength + index * recordLength
      if (start + recordLength > bytes.length) break
      if (bytes[start] === DELETED) continue
      rows.push({
        row: index + 2,
        cells: fields.map(({ at, length, type }) =>
          cellOf(decoder.decode(bytes.subarray(start + at, start + at + length)), type),
        ),
      })
      if (rows.length < ROWS_AT_ONCE) continue
      yield rows
      rows = []
    }
    if (rows.length > 0) yield rows
  }
}
