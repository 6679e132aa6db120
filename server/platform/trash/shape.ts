/** The form in which the trash stores rows: their values, with references to and from other rows by identifier. */
import { columnsOf } from '../../db/shape.ts'
import { sql } from 'kysely'
import type { Ctx } from '../../context.ts'

type Value = string | number | null | { base64: string }
export type Values = Record<string, Value>

/** A referenced row, by its identifier: row numbers are reused. */
export interface Named {
  table: string
  by: Values
  /** For a row that is deleted with its last user and can be created again: the party of an invoice. */
  copy?: Values
}

export interface TrashedRow {
  table: string
  values: Values
  /** The rows referenced by its columns. */
  points: Record<string, Named>
}

/** A remaining row that referred to a deleted one: its column was set to null. */
export interface Link {
  table: string
  column: string
  by: Values
}

export interface Root {
  /** The row itself first, then those deleted with it. */
  rows: TrashedRow[]
  links: { to: { table: string; id: number }; from: Link }[]
}

/**
 * A column of another row that the deletion changes, with its earlier value; its version shows whether that row is
 * unchanged.
 */
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

const valueOf = (value: unknown): Value =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : (value as Value)
export const boundValue = (value: Value): string | number | null | Buffer =>
  typeof value === 'object' && value !== null ? Buffer.from(value.base64, 'base64') : value

/** Returns the condition that finds a row again. Partial indexes on non-null values serve `=` but not `is`. */
export function where(by: Values) {
  const terms = Object.entries(by).map(([column, value]) =>
    value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${boundValue(value)}`,
  )
  return sql.join(terms, sql` and `)
}

/** Returns rows of a table, with values as the trash stores them. */
export async function rowsWhere(ctx: Ctx, table: string, by: Values): Promise<Values[]> {
  const { all } = await columnsOf(ctx.db, table)
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(all.map((name) => sql.ref(name)))} from ${sql.table(table)} where ${where(by)}`.execute(
    ctx.db,
  )
  return rows.map((row) => Object.fromEntries(all.map((name) => [name, valueOf(row[name])])))
}
