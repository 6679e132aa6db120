/** Restores deleted records: the same rows with the same identifiers, and the links to them where still possible. */
import { databaseFault } from '../../db/error-kinds.ts'
import { sql } from 'kysely'
import { recordAudit } from '../audit/index.ts'
import type { restoreDeletedContract } from './contract.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../events/index.ts'
import type { EventType } from '../events/index.ts'
import { RETENTION_MS } from './soft-delete.ts'
import { columnsOf, foreignKeysOf } from '../../db/shape.ts'
import { boundValue, rowsWhere, where } from './shape.ts'
import type { Content, TrashedRow, Link, Named, Side, DeletionRecord, Values } from './shape.ts'

const taken = (table: string): AppError => new AppError('restore_taken', { details: { by: table } })

async function idOf(tx: Ctx, { table, by }: Named): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where ${where(by)} limit 1`.execute(tx.db)
  return rows[0]?.id ?? null
}

/** Inserts a row and returns its row id; null for a table without one. Row numbers in use by now are replaced. */
async function insert(tx: Ctx, table: string, values: Values): Promise<number | null> {
  const { key } = await columnsOf(tx.db, table)
  const hasOwnId = key.length === 1 && key[0] === 'id'
  const row = { ...values }
  if (hasOwnId && (await rowsWhere(tx, table, { id: row.id ?? null })).length > 0) delete row.id
  const columns = Object.keys(row)
  try {
    const { rows } = await sql<{ id: number }>`
      insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
      values (${sql.join(Object.values(row).map(boundValue))}) ${hasOwnId ? sql`returning id` : sql``}`.execute(
      tx.db,
    )
    return rows[0]?.id ?? null
  } catch (error) {
    // Its name, code or number is in use by another record.
    const fault = databaseFault(error)
    if (fault === 'taken' || fault === 'refused') throw taken(table)
    throw error
  }
}

/** Returns the row as it can be inserted now; null if its parent no longer exists. */
async function fitting(tx: Ctx, { table, values, points }: TrashedRow): Promise<Values | null> {
  const row = { ...values }
  for (const { column, onDelete } of await foreignKeysOf(tx.db, table)) {
    const point = points[column]
    if (!point) continue
    const id = (await idOf(tx, point)) ?? (point.copy ? await insert(tx, point.table, point.copy) : null)
    if (id === null && onDelete === 'CASCADE') return null
    if (id === null && onDelete !== 'SET NULL') throw taken(point.table)
    row[column] = id
  }
  return row
}

/** Restores a link that was set to null, unless it has a new value. */
async function tie(tx: Ctx, { table, column, by }: Link, id: number): Promise<void> {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${id}
    where ${where(by)} and ${sql.ref(column)} is null`.execute(tx.db)
}

/** Throws `restore_taken` if the row was changed after the deletion. */
async function putBack(tx: Ctx, { table, publicId, version, values }: Side): Promise<void> {
  const set = sql.join(
    Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${boundValue(value)}`),
  )
  const { numAffectedRows } = await sql`update ${sql.table(table)} set ${set}
    where public_id = ${publicId} and version = ${version}`.execute(tx.db)
  if (numAffectedRows !== 1n) throw taken(table)
}

/** Increments its version, so that clients that read it before the deletion detect a change. */
function goneOn(tx: Ctx, row: Values): Values {
  return {
    ...row,
    ...(typeof row.version === 'number' ? { version: row.version + 1 } : {}),
    ...(row.updated_at === undefined ? {} : { updated_at: tx.now().getTime() }),
  }
}

async function bringBack(tx: Ctx, { roots, sides }: Content): Promise<void> {
  const [main] = roots.at(-1)?.rows ?? []
  for (const { rows, links } of roots.toReversed()) {
    const ids = new Map<string, number>()
    for (const kept of rows) {
      const row = await fitting(tx, kept)
      if (!row) continue
      const id = await insert(tx, kept.table, kept === main ? goneOn(tx, row) : row)
      if (id !== null) ids.set(`${kept.table} ${String(kept.values.id)}`, id)
    }
    for (const { to, from } of links) {
      const id = ids.get(`${to.table} ${to.id}`)
      if (id !== undefined) await tie(tx, from, id)
    }
  }
  for (const side of sides) await putBack(tx, side)
}

/** Restores a deleted record. Throws `restore_gone`, and `restore_taken` if another record has replaced it. */
export const restoreDeleted: UseCase<typeof restoreDeletedContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const kept = orNotFound(
      await tx.db
        .selectFrom('bin')
        .selectAll()
        .where('book_id', '=', tx.book.id)
        .where('public_id', '=', id)
        .where('deleted_at', '>', tx.now().getTime() - RETENTION_MS)
        .executeTakeFirst(),
      'restore_gone',
    )
    await bringBack(tx, JSON.parse(kept.content) as Content)
    await tx.db.deleteFrom('bin').where('id', '=', kept.id).execute()
    const { action, target, event } = JSON.parse(kept.told) as DeletionRecord
    await recordAudit(tx, { action, target })
    await emitEvent(tx, event.type as EventType, event.data)
    return { id, type: target.type }
  })
