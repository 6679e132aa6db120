/** Writes the rows of a company for its adviser, as lines of JSON. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { FileBulkReader } from '../../../db/embedded/bulk.ts'
import { openDatabase } from '../../../db/embedded/open.ts'
import type { EmbeddedStore } from '../../../db/embedded/port.ts'
import type { BulkRow, BulkValue } from '../../../db/bulk.ts'
import { belongsTo, shapeOfBuild, tableNamed } from '../../company-rows/index.ts'
import { referencesLeft, sharedTables } from './shared-tables.ts'

/** Contents that are sent once: of attached files. */
export const FILE_BYTES = 'file_bytes'

/** The line before the rows of a table. */
interface TableLine {
  table: string
  columns: string[]
  rows: number
  /** Length of the lines of its rows. */
  bytes: number
}

/** A value of a row; bytes are in base64. */
type WrittenValue = number | string | null | { b: string }

const written = (value: BulkValue): WrittenValue =>
  Buffer.isBuffer(value) ? { b: value.toString('base64') } : value

interface WrittenBooks {
  rows: Buffer[]
  /** Highest row id of an attached file. */
  filesUpto: number
}

/**
 * Returns the rows of a company in one state of the books. Contents of files up to the row id `filesAfter` are left
 * out: the adviser has them.
 */
export async function writeBooks(
  store: EmbeddedStore,
  companyId: number,
  filesAfter: number,
): Promise<WrittenBooks> {
  const shape = shapeOfBuild()
  const shared = sharedTables(shape)
  const names = new Set(shared.map(({ name }) => name))
  const masterKey = store.copyOfKey()
  const connection = openDatabase({ folder: store.folder, masterKey, role: 'reader', cacheKib: 8 * 1024 })
  masterKey.fill(0)
  try {
    connection.handle.exec('begin')
    const reader = new FileBulkReader(connection)
    const lines: Buffer[] = []
    const writeTable = (table: string, columns: string[], rows: readonly Buffer[]): void => {
      const bytes = rows.reduce((sum, { length }) => sum + length, 0)
      const line: TableLine = { table, columns, rows: rows.length, bytes }
      lines.push(Buffer.from(`${JSON.stringify(line)}\n`), ...rows)
    }
    const lineOf = (row: BulkRow): Buffer => Buffer.from(`${JSON.stringify(row.map(written))}\n`)
    const actors = await reader.select<{ id: number; kind: string; public_id: string; name: string }>(
      `select id, kind, public_id, name from actors where id in
       (select actor_id from audit_events where ${belongsTo(shape, tableNamed(shape, 'audit_events'), companyId, 'sqlite')})`,
    )
    writeTable(
      'actors',
      ['id', 'kind', 'public_id', 'name'],
      actors.map((row) => lineOf([row.id, row.kind, row.public_id, row.name])),
    )
    for (const table of shared) {
      const left = referencesLeft(table, names)
      const more = table.name === FILE_BYTES ? ` and file_id > ${filesAfter}` : ''
      const rows: Buffer[] = []
      for await (const page of reader.pages(
        table,
        `${belongsTo(shape, table, companyId, 'sqlite')}${more}`,
      )) {
        for (const row of page) {
          for (const at of left) row[at] = null
          rows.push(lineOf(row))
        }
      }
      if (rows.length > 0)
        writeTable(
          table.name,
          table.columns.map(({ name }) => name),
          rows,
        )
      // Requests of the window are answered in between.
      await nextTurn()
    }
    const [files] = await reader.select<{ last: number | null }>(
      `select max(id) as last from files where ${belongsTo(shape, tableNamed(shape, 'files'), companyId, 'sqlite')}`,
    )
    return { rows: lines, filesUpto: files?.last ?? 0 }
  } finally {
    connection.close()
  }
}
