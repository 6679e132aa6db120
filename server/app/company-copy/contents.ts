/**
 * Documents outside the database: rows hold pointers there, which mean nothing in another store. Rows are read with
 * their content, and written with what the target keeps of it.
 */
import { createHash } from 'node:crypto'
import type { BulkRow, BulkValue } from '../../db/bulk.ts'
import { inRows, POINTER_AT_MOST, POINTER_START } from '../../db/outside/objects.ts'
import type { Content, ContentColumn, Objects } from '../../db/outside/objects.ts'
import { CONTENT_COLUMNS } from '../maintenance/sweep-objects.ts'
import { tableNamed } from '../company-rows/index.ts'
import type { Table } from '../company-rows/index.ts'
import { conditionOf } from './side.ts'
import type { Side } from './side.ts'

/** Where the SHA-256 of a table's content is, if it is not in the row itself: in the row that its key leads to. */
const SHA256_ELSEWHERE: Readonly<Partial<Record<ContentColumn['table'], string>>> = { file_bytes: 'files' }

const sha256Of = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** Returns the position of the column with content; null if the table has none. */
function contentAt({ name, columns }: Table): number | null {
  const content = CONTENT_COLUMNS.find(({ table }) => table === name)
  return content ? columns.findIndex((column) => column.name === content.column) : null
}

function cellOf({ columns }: Table, row: BulkRow, name: string): BulkValue {
  return row[columns.findIndex((column) => column.name === name)] ?? null
}

/** Names a row within the company, by its key. */
function rowName({ columns, key, name }: Table, row: BulkRow): string {
  const values = key.map((each) => row[columns.findIndex((column) => column.name === each)] ?? null)
  return `${name} ${JSON.stringify(values)}`
}

function looksLikePointer(cell: BulkValue): cell is Buffer {
  return (
    Buffer.isBuffer(cell) &&
    cell.length <= POINTER_AT_MOST &&
    cell.subarray(0, POINTER_START.length).toString('latin1') === POINTER_START
  )
}

async function recordedSha256({ reader }: Side, table: Table, row: BulkRow): Promise<Buffer | null> {
  const elsewhere = SHA256_ELSEWHERE[table.name as ContentColumn['table']]
  if (elsewhere === undefined) return cellOf(table, row, 'sha256') as Buffer | null
  const [found] = await reader.select<{ sha256: Buffer }>(
    `select sha256 from ${elsewhere} where id = ${Number(cellOf(table, row, table.key[0] ?? ''))}`,
  )
  return found?.sha256 ?? null
}

async function withContent(side: Side, table: Table, row: BulkRow, at: number): Promise<BulkRow> {
  const cell = row[at] ?? null
  if (!looksLikePointer(cell)) return row
  const sha256 = await recordedSha256(side, table, row)
  if (!sha256) return row
  const bytes = await side.objects.read(side.companyId, { cell, sha256 })
  return row.with(at, Buffer.from(bytes))
}

/**
 * Yields the rows of a table that belong to the company, in the order of their key and with the content of documents
 * wherever it is. Throws `stored_file_missing`, `stored_file_damaged` or `file_storage_unavailable`.
 */
export async function* rowsOf(side: Side, table: Table, more = ''): AsyncGenerator<BulkRow[]> {
  const { reader } = side
  const pages = reader.pages(table, `${conditionOf(side, table)}${more}`)
  // A file always holds the content, and cannot be asked anything else while it is read.
  const at = reader.engine === 'pg' ? contentAt(table) : null
  if (at === null) return yield* pages
  for await (const page of pages)
    yield await Promise.all(page.map((row) => withContent(side, table, row, at)))
}

/** What the rows of a company hold in place of content that the target keeps elsewhere. */
export class StoredContents {
  private readonly contents = new Map<string, Content>()

  /**
   * Stores the content of a company's documents in the target, as far as that keeps it outside the rows. It is called
   * before the transaction that writes the rows, as everywhere.
   */
  async keep(source: Side, target: Objects, companyId: number): Promise<void> {
    if (target === inRows) return
    for (const { table: name } of CONTENT_COLUMNS) {
      const table = tableNamed(source.shape, name)
      const at = contentAt(table) ?? -1
      for await (const page of rowsOf(source, table))
        await Promise.all(
          page.map(async (row) => {
            const cell = row[at]
            if (!Buffer.isBuffer(cell)) return
            const sha256 = sha256Of(cell)
            const held = await target.keep(companyId, cell, sha256)
            if (held !== cell) this.contents.set(rowName(table, row), { cell: held, sha256 })
          }),
        )
    }
  }

  /** Returns the function that replaces the content in a copy of a row by what the target's row holds. */
  replacing(table: Table): (row: BulkRow, copy: BulkRow) => BulkRow {
    const at = contentAt(table)
    if (at === null || this.contents.size === 0) return (_row, copy) => copy
    return (row, copy) => {
      const content = this.contents.get(rowName(table, row))
      return content ? copy.with(at, Buffer.from(content.cell)) : copy
    }
  }

  /** Removes what was stored for rows that were not written. What remains is named by no row. */
  async remove(target: Objects, companyId: number): Promise<void> {
    await target.remove(companyId, [...this.contents.values()], true).catch(() => {})
  }
}
