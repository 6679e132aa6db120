/**
 * The tables as a transfer sees them, read from the schema that this build's migrations make: columns, keys,
 * references, and the company that a row belongs to. What PostgreSQL has in addition is not part of it.
 */
import { migrate } from '../../db/embedded/migrate.ts'
import { openScratch } from '../../db/embedded/open.ts'
import type { Connection } from '../../db/embedded/connection.ts'
import type { EngineName } from '../../db/engines.ts'
import { migrations } from '../../db/migrations/list.ts'
import type { Migration } from '../../db/migrations/list.ts'
import type { BulkColumn, BulkTable } from '../../db/bulk.ts'

interface Column extends BulkColumn {
  /** Table whose row ids the column holds, by a foreign key. */
  refersTo: string | null
  isRequired: boolean
  isJson: boolean
}

export interface Table extends BulkTable {
  columns: readonly Column[]
  /** Rows have an `id` that the engine gives. */
  hasIds: boolean
  /** An id is never given again, also that of a deleted row. */
  isCounted: boolean
}

export interface Shape {
  tables: readonly Table[]
  byName: ReadonlyMap<string, Table>
  /** Names and conditions of the triggers that run when a row is inserted. */
  insertTriggers: readonly string[]
}

/** Tables of the installation: a transfer copies of them what a company needs (`people.ts`, `settings.ts`). */
export const OF_INSTALLATION: readonly string[] = ['actors', 'settings']

/** Tables that never have a committed row. */
const EMPTY: readonly string[] = ['journal_unsealed', 'company_ends']

interface ColumnInfo {
  name: string
  type: string
  notnull: number
  pk: number
}

const STORAGE: Readonly<Record<string, BulkColumn['storage']>> = {
  INTEGER: 'integer',
  TEXT: 'text',
  BLOB: 'blob',
}

function tableOf(connection: Connection, { name, sql }: { name: string; sql: string }): Table {
  const infos = connection.all(
    'select name, type, "notnull", pk from pragma_table_xinfo(?) where hidden = 0',
    [name],
  ) as ColumnInfo[]
  const keys = connection.all('select "from" as name, "table" as target from pragma_foreign_key_list(?)', [
    name,
  ]) as { name: string; target: string }[]
  const json = new Set(Array.from(sql.matchAll(/json_valid\((\w+)\)/g), ([, column = '']) => column))
  const columns = infos.map((info): Column => {
    const storage = STORAGE[info.type]
    if (!storage) throw new Error(`${name}.${info.name} has the unknown type ${info.type}.`)
    return {
      name: info.name,
      storage,
      refersTo: keys.find((key) => key.name === info.name)?.target ?? null,
      isRequired: info.notnull === 1 || info.pk > 0,
      isJson: json.has(info.name),
    }
  })
  const key = infos
    .filter(({ pk }) => pk > 0)
    .toSorted((a, b) => a.pk - b.pk)
    .map((info) => info.name)
  const [only, ...others] = key
  const hasIds = only === 'id' && others.length === 0
  return { name, columns, key, hasIds, isCounted: /\bautoincrement\b/i.test(sql) }
}

let known: Shape | null = null

/** Returns the shape of this build's schema. */
export function shapeOfBuild(): Shape {
  return (known ??= shapeOf(migrations))
}

/** Returns the shape of the schema that a list of migrations makes. */
export function shapeOf(list: readonly Migration[]): Shape {
  const connection = openScratch()
  try {
    migrate(connection, list)
    const found = connection.all(
      "select name, sql from sqlite_master where type = 'table' and name not like 'sqlite!_%' escape '!' order by name",
      [],
    ) as { name: string; sql: string }[]
    const triggers = connection.all(
      "select name from sqlite_master where type = 'trigger' and lower(sql) glob '* insert on *' order by name",
      [],
    ) as { name: string }[]
    const tables = found.map((table) => tableOf(connection, table))
    return {
      tables,
      byName: new Map(tables.map((table) => [table.name, table])),
      insertTriggers: triggers.map(({ name }) => name),
    }
  } finally {
    connection.close()
  }
}

/** Returns a table of the shape. Throws for an unknown one. */
export function tableNamed({ byName }: Shape, name: string): Table {
  const table = byName.get(name)
  if (!table) throw new Error(`No table is called ${name}.`)
  return table
}

/** Rows of no table lead to their company: the scope names it. */
const BY_SCOPE = 'idempotency_keys'

/**
 * Returns the condition that a row of a table belongs to a company. Throws for a table that no reference leads to one.
 * On PostgreSQL every row says so itself.
 */
export function belongsTo(shape: Shape, table: Table, companyId: number, engine: EngineName): string {
  if (table.name === 'companies') return `id = ${companyId}`
  if (engine === 'pg') return `company_id = ${companyId}`
  if (table.name === BY_SCOPE)
    return `(scope in (select public_id from api_keys where book_id in (${booksOf(companyId)}))
      or substr(scope, instr(scope, ':') + 1) in (select public_id from books where company_id = ${companyId}))`
  const has = (name: string): boolean => table.columns.some((column) => column.name === name)
  if (has('company_id')) return `company_id = ${companyId}`
  if (has('book_id')) return `book_id in (${booksOf(companyId)})`
  const parent = table.columns.find(
    ({ refersTo, isRequired }) => isRequired && refersTo !== null && refersTo !== table.name,
  )
  if (!parent?.refersTo) throw new Error(`${table.name}: nothing says which company a row belongs to.`)
  const target = tableNamed(shape, parent.refersTo)
  return `${parent.name} in (select id from ${target.name} where ${belongsTo(shape, target, companyId, engine)})`
}

const booksOf = (companyId: number): string => `select id from books where company_id = ${companyId}`

/** Returns the tables whose rows belong to companies, by name. */
export function tablesOf({ tables }: Shape): Table[] {
  return tables.filter(({ name }) => !OF_INSTALLATION.includes(name) && !EMPTY.includes(name))
}
