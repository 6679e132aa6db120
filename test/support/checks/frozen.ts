/** Finds by trial what the schema's triggers reject: each column of each table is changed, each row deleted. */
import { migrate } from '../../../server/db/embedded/migrate.ts'
import { openScratch } from '../../../server/db/embedded/open.ts'
import type { Connection } from '../../../server/db/embedded/connection.ts'
import { migrations } from '../../../server/db/migrations/list.ts'

interface Refused {
  /** Columns whose change is rejected as immutable. */
  columns: string[]
  /** Mutable columns. */
  alive: string[]
  /** True if a row cannot be deleted. */
  kept: boolean
}

interface Column {
  name: string
  type: string
}

/** Values of a row in its final state: issued, sealed, sent. All other values are 1, `{}` or a byte. */
const SETTLED: Record<string, Record<string, string>> = {
  invoices: { state: "'issued'" },
  series: { next_number: '2', start_number: '1' },
  journal_entries: { open: 'null' },
  mails: { state: "'sent'", emptied_at: 'null' },
  approvals: { status: "'approved'" },
  received_invoices: { state: "'void'" },
}

/** Returns the writable columns. Virtual tables and generated columns have none to protect. */
const columnsOf = ({ handle }: Connection, table: string): Column[] =>
  handle.pragma(`table_info(${table})`) as Column[]

const valueOf = ({ type }: Column): string =>
  type === 'INTEGER' ? '1' : type === 'BLOB' ? "x'01'" : type === 'REAL' ? '1.0' : "'{}'"

const otherThan = ({ name, type }: Column): string => {
  if (type === 'INTEGER') return `coalesce(${name}, 0) + 1000`
  if (type === 'BLOB') return "x'0203'"
  return type === 'REAL' ? '2.0' : `'{"x":1}'`
}

function isRefused({ handle }: Connection, statement: string): boolean {
  handle.exec('begin')
  try {
    handle.exec(statement)
    return false
  } catch (error) {
    return (error as Error).message.match(/^(frozen|sealed):/) !== null
  } finally {
    if (handle.inTransaction) handle.exec('rollback')
  }
}

/** Returns the tables with any rejection, in the current schema or after some changes of it. */
export function refusedBySchema(...changes: readonly string[]): Record<string, Refused> {
  const connection = openScratch()
  try {
    migrate(connection, migrations)
    const { handle } = connection
    for (const change of changes) handle.exec(change)
    handle.pragma('foreign_keys = 0')
    handle.pragma('ignore_check_constraints = 1')
    const named = (type: string) =>
      connection.all(
        `select name, sql from sqlite_master where type = '${type}' and name not like 'sqlite%' order by name`,
        [],
      ) as {
        name: string
        sql: string
      }[]
    const triggers = named('trigger')
    const tables = named('table').map(({ name }) => name)
    // The rows are inserted before the triggers exist: triggers on inserts would require complete books.
    for (const { name } of triggers) handle.exec(`drop trigger ${name}`)
    for (const table of tables) {
      const columns = columnsOf(connection, table)
      const values = columns.map((column) => SETTLED[table]?.[column.name] ?? valueOf(column))
      handle.exec(
        `insert or replace into ${table} (${columns.map(({ name }) => name).join(', ')}) values (${values.join(', ')})`,
      )
    }
    // Its row is there only while a company is deleted, which nothing refuses then.
    handle.exec('delete from company_ends')
    for (const { sql } of triggers) handle.exec(sql)
    const found = tables.map((table): [string, Refused] => {
      const columns = columnsOf(connection, table)
      const refused = columns.filter((column) =>
        isRefused(connection, `update ${table} set ${column.name} = ${otherThan(column)}`),
      )
      return [
        table,
        {
          columns: refused.map(({ name }) => name),
          alive: columns.filter((column) => !refused.includes(column)).map(({ name }) => name),
          kept: isRefused(connection, `delete from ${table}`),
        },
      ]
    })
    return Object.fromEntries(found.filter(([, { columns, kept }]) => columns.length > 0 || kept))
  } finally {
    connection.close()
  }
}
