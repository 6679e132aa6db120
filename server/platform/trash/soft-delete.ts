/**
 * Reversible deletion for all kinds of records. The schema determines what is affected: cascading rows are stored
 * with the row, columns set to null are recorded. Everything expires after a day.
 */
import { sql } from 'kysely'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/query.ts'
import { foreignKeysOf, referencesTo } from '../../db/shape.ts'
import { rowsWhere } from './shape.ts'
import type { Content, TrashedRow, Named, Root, Side, DeletionRecord, Values } from './shape.ts'

/** Milliseconds during which a deleted record can be restored: one day. */
export const RETENTION_MS = 86_400_000

interface Deletion extends DeletionRecord {
  /** The rows to delete by table and row id, referencing rows first; the last one is the subject of the deletion. */
  rows: readonly { table: string; id: number }[]
  /** Rows that remain and are changed by the deletion: the columns with their current values. */
  sides?: readonly { table: string; id: number; columns: readonly string[] }[]
}

async function named(ctx: Ctx, table: string, id: number): Promise<Named> {
  const [row] = await rowsWhere(ctx, table, { id })
  if (!row) throw new Error(`A row points at ${table} ${id}, which is not there.`)
  if (row.public_id !== undefined) return { table, by: { public_id: row.public_id } }
  if (row.digest === undefined) return { table, by: { id } }
  const { book_id: book = null, digest } = row
  return { table, by: { book_id: book, digest }, copy: row }
}

async function trashedRow(ctx: Ctx, table: string, values: Values): Promise<TrashedRow> {
  const points: TrashedRow['points'] = {}
  for (const key of await foreignKeysOf(ctx.db, table)) {
    const id = values[key.column]
    if (typeof id === 'number') points[key.column] = await named(ctx, key.table, id)
  }
  return { table, values, points }
}

/** Stores a row with all rows that are deleted with it. */
async function gather(ctx: Ctx, table: string, values: Values, root: Root): Promise<void> {
  root.rows.push(await trashedRow(ctx, table, values))
  const { id } = values
  if (typeof id !== 'number') return
  for (const { table: other, column, onDelete } of await referencesTo(ctx.db, table)) {
    if (onDelete !== 'CASCADE' && onDelete !== 'SET NULL') continue
    for (const row of await rowsWhere(ctx, other, { [column]: id })) {
      if (onDelete === 'CASCADE') await gather(ctx, other, row, root)
      else root.links.push({ to: { table, id }, from: { table: other, column, by: identity(row, column) } })
    }
  }
}

/** Returns the values that identify a row again once `column` is null: its identifier, else all its values. */
function identity(row: Values, column: string): Values {
  if (row.public_id !== undefined) return { public_id: row.public_id }
  const { [column]: _emptied, ...rest } = row
  return rest
}

async function sideOf(ctx: Ctx, table: string, id: number, columns: readonly string[]): Promise<Side> {
  const [row] = await rowsWhere(ctx, table, { id })
  if (!row) throw new Error(`${table} ${id} is not there.`)
  return {
    table,
    publicId: String(row.public_id),
    version: Number(row.version),
    values: Object.fromEntries(columns.map((column) => [column, row[column] ?? null])),
  }
}

/** Deletes rows in the caller's transaction and stores the data needed to restore them. */
export async function softDelete(tx: Ctx, { rows, sides, ...told }: Deletion): Promise<void> {
  if (!tx.inTransaction) throw new Error('What is deleted is kept in the same transaction.')
  const content: Content = { roots: [], sides: [] }
  for (const { table, id, columns } of sides ?? []) content.sides.push(await sideOf(tx, table, id, columns))
  for (const { table, id } of rows) {
    const [values] = await rowsWhere(tx, table, { id })
    if (!values) throw new Error(`${table} ${id} is not there.`)
    const root: Root = { rows: [], links: [] }
    await gather(tx, table, values, root)
    content.roots.push(root)
    await sql`delete from ${sql.table(table)} where id = ${id}`.execute(tx.db)
  }
  const kept = {
    content: JSON.stringify(content),
    told: JSON.stringify(told),
    deleted_at: tx.now().getTime(),
  }
  await tx.db
    .insertInto('bin')
    .values({ ...kept, book_id: tx.book.id, public_id: told.target.id })
    .onConflict((conflict) => conflict.columns(['book_id', 'public_id']).doUpdateSet(kept))
    .execute()
}

/** Deletes all restorable records of the book: erased personal data must not be restored. */
export async function emptyTrash(tx: Ctx): Promise<void> {
  await tx.db.deleteFrom('bin').where('book_id', '=', tx.book.id).execute()
}

/** Deletes restorable records older than a day. */
export async function pruneTrash(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('bin')
    .where('deleted_at', '<=', now.getTime() - RETENTION_MS)
    .execute()
}
