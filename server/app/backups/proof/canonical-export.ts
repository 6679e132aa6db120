/**
 * Canonical export of a store: one text for the same content, independent of the file. Two stores with identical
 * exports, byte for byte, are the same books.
 *
 * Included: the schema number and every row of every table, tables by name, rows by their key (by all columns where
 * there is none), values with their type. Excluded, because a copy made by SQLite may differ in it while the books
 * are the same: order and size of pages, free pages, indexes, row numbers without a column, SQLite's own tables
 * (`sqlite_…`, such as the planner's statistics) and the header beyond the two numbers below. Column names are
 * included, their declarations are not: those belong to the migrations.
 */
import { createHash } from 'node:crypto'
import type { Connection } from '../../../db/embedded/connection.ts'

type Value = bigint | number | string | Uint8Array | null

/** Characters per chunk; larger chunks are no faster. */
const PIECE_CHARACTERS = 256 * 1024

interface Column {
  name: string
  /** Position in the primary key from 1 on, 0 outside of it. */
  pk: bigint
}

/** Returns a value with its type on one line: whole numbers without prefix, the others with a letter. */
function written(value: Value): string {
  if (value === null) return '-'
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return JSON.stringify(value)
  // No column has fractions today; they are distinguished from whole numbers, because 1 and 1.0 are different
  // content.
  if (typeof value === 'number') return `r${Object.is(value, -0) ? '-0' : String(value)}`
  return `x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')}`
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

function columnsOf({ handle }: Connection, table: string): Column[] {
  return handle
    .prepare('select name, pk from pragma_table_xinfo(?) order by cid')
    .safeIntegers()
    .all(table) as Column[]
}

function orderOf(columns: readonly Column[]): string {
  const key = columns.filter(({ pk }) => pk > 0n).sort((a, b) => Number(a.pk - b.pk))
  return (key.length > 0 ? key : columns).map(({ name }) => quoted(name)).join(', ')
}

/** Yields the lines of the export in chunks. Run it inside one read transaction, otherwise it may mix several moments. */
export function* canonicalExport(connection: Connection): Generator<string> {
  const { handle } = connection
  const [applicationId, version] = ['application_id', 'user_version'].map((name) =>
    String(handle.pragma(name, { simple: true })),
  )
  let piece = `sello ${applicationId} ${version}\n`
  const tables = handle
    .prepare("select name from sqlite_schema where type = 'table' and name not glob 'sqlite_*' order by name")
    .pluck()
    .all() as string[]
  for (const table of tables) {
    const columns = columnsOf(connection, table)
    const names = columns.map(({ name }) => quoted(name)).join(', ')
    piece += `table ${quoted(table)} (${names})\n`
    const rows = handle
      .prepare(`select ${names} from ${quoted(table)} order by ${orderOf(columns)}`)
      .safeIntegers()
      .raw()
      .iterate() as IterableIterator<Value[]>
    for (const row of rows) {
      piece += `${row.map(written).join(' ')}\n`
      if (piece.length < PIECE_CHARACTERS) continue
      yield piece
      piece = ''
    }
  }
  yield `${piece}end\n`
}

/** Returns the SHA-256 of the canonical export, lower-case hex. */
export function canonicalHash(connection: Connection): string {
  const hash = createHash('sha256')
  for (const piece of canonicalExport(connection)) hash.update(piece, 'utf8')
  return hash.digest('hex')
}
