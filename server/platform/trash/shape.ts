/** How the bin keeps rows: as they were, with what they point at and what pointed at them named so that it is known again. */
import { sql } from 'kysely'
import type { Ctx } from '../../context.ts'

export type Value = string | number | null | { base64: string }
export type Values = Record<string, Value>

/** A row that another points at, by what stays its own: numbers of rows are given again. */
export interface Named {
  table: string
  by: Values
  /** For what goes with its last user and can be written again: who stands on an invoice. */
  copy?: Values
}

export interface TrashedRow {
  table: string
  values: Values
  /** What its columns point at. */
  points: Record<string, Named>
}

/** A row that stayed and pointed at what went: its column was emptied. */
export interface Link {
  table: string
  column: string
  by: Values
}

export interface Root {
  /** The row itself first, then those that went with it. */
  rows: TrashedRow[]
  links: { to: { table: string; id: number }; from: Link }[]
}

/** A column of another row that deleting changes, as it was; its version tells whether that row is still the same. */
export interface Side {
  table: string
  publicId: string
  version: number
  values: Values
}

export interface Content {
  roots: Root[]
  sides: Side[]
}

export interface DeletionRecord {
  action: string
  target: { type: string; id: string; label?: string }
  event: { type: string; data: Record<string, string | number | null> }
}

export interface ForeignKey {
  column: string
  table: string
  onDelete: string
}

interface Columns {
  /** Without those that the store works out itself. */
  all: string[]
  key: string[]
}

export const valueOf = (value: unknown): Value =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : (value as Value)
export const boundValue = (value: Value): string | number | null | Buffer =>
  typeof value === 'object' && value !== null ? Buffer.from(value.base64, 'base64') : value

export async function columnsOf(ctx: Ctx, table: string): Promise<Columns> {
  const { rows } = await sql<{ name: string; pk: number }>`
    select name, pk from pragma_table_xinfo(${table}) where hidden = 0 order by cid`.execute(ctx.db)
  return { all: rows.map(({ name }) => name), key: rows.flatMap(({ name, pk }) => (pk > 0 ? [name] : [])) }
}

/** What the columns of a table point at. */
export async function foreignKeysOf(ctx: Ctx, table: string): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`select "from" as "column", "table", on_delete as "onDelete"
    from pragma_foreign_key_list(${table})`.execute(ctx.db)
  return rows
}

/** The columns of other tables that point at a table. */
export async function pointingAt(ctx: Ctx, table: string): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select master.name as "table", keys."from" as "column", keys.on_delete as "onDelete"
    from sqlite_master as master join pragma_foreign_key_list(master.name) as keys
    where master.type = 'table' and keys."table" = ${table}`.execute(ctx.db)
  return rows
}

/** What finds a row again. An index of what is there serves `=` and not `is`. */
export function where(by: Values) {
  const terms = Object.entries(by).map(([column, value]) =>
    value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${boundValue(value)}`,
  )
  return sql.join(terms, sql` and `)
}

/** Rows of a table, as the bin keeps values. */
export async function rowsWhere(ctx: Ctx, table: string, by: Values): Promise<Values[]> {
  const { all } = await columnsOf(ctx, table)
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(all.map((name) => sql.ref(name)))} from ${sql.table(table)} where ${where(by)}`.execute(
    ctx.db,
  )
  return rows.map((row) => Object.fromEntries(all.map((name) => [name, valueOf(row[name])])))
}
