/** Rows in bulk from and to a file, on connections of their own. */
import { AppError } from '../../domain/errors/app-error.ts'
import { pageRows, quoted } from '../bulk.ts'
import type { BulkColumn, BulkReader, BulkRow, BulkTable, BulkValue, BulkWriter } from '../bulk.ts'
import type { Connection } from './connection.ts'

type Stored = bigint | number | string | Buffer | null

/** Throws for a number that the other engine's driver could not return exactly. */
function exact(value: Stored, table: string, column: string): BulkValue {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  if (!Number.isSafeInteger(number))
    throw new AppError('transfer_refused', {
      details: { reason: 'number_too_large', table, column, value: String(value) },
    })
  return number
}

/** Reads a file that nobody writes meanwhile. Its connection reads one table at a time. */
export class FileBulkReader implements BulkReader {
  readonly engine = 'sqlite'
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  async *pages(table: BulkTable, condition: string): AsyncGenerator<BulkRow[]> {
    const { name, columns, key } = table
    const most = pageRows(table)
    const rows = this.connection.handle
      .prepare(
        `select ${columns.map((column) => quoted(column.name)).join(', ')} from ${quoted(name)}
         where ${condition} order by ${key.map(quoted).join(', ')}`,
      )
      .safeIntegers()
      .raw()
      .iterate() as IterableIterator<Stored[]>
    let page: BulkRow[] = []
    for (const row of rows) {
      page.push(row.map((value, at) => exact(value, name, columns[at]?.name ?? '')))
      if (page.length < most) continue
      yield page
      page = []
    }
    if (page.length > 0) yield page
  }

  async select<Row extends object>(text: string, values: readonly BulkValue[] = []): Promise<Row[]> {
    return this.connection.handle.prepare(text).all(...values) as Row[]
  }
}

/** Writes a file within a transaction that the caller has begun on its connection. */
export class FileBulkWriter extends FileBulkReader implements BulkWriter {
  async insert({ name, columns }: BulkTable, rows: readonly BulkRow[]): Promise<void> {
    const statement = this.connection.handle.prepare(
      `insert into ${quoted(name)} (${columns.map((column) => quoted(column.name)).join(', ')})
       values (${columns.map(() => '?').join(', ')})`,
    )
    for (const row of rows) statement.run(...row)
  }

  async update(
    table: string,
    id: string,
    columns: readonly BulkColumn[],
    rows: readonly BulkRow[],
  ): Promise<void> {
    const statement = this.connection.handle.prepare(
      `update ${quoted(table)} set ${columns.map(({ name }) => `${quoted(name)} = ?`).join(', ')}
       where ${quoted(id)} = ?`,
    )
    for (const [key = null, ...values] of rows) statement.run(...values, key)
  }

  async execute(text: string, values: readonly BulkValue[] = []): Promise<number> {
    return this.connection.handle.prepare(text).run(...values).changes
  }
}
