/** SQL of who looks after a company, and of the notes on it. */
import { sql } from 'kysely'
import type { Db } from '../../db/query.ts'
import { inCompanies } from '../summaries/index.ts'

export interface CareRow {
  companyId: number
  assignee: { id: string; name: string } | null
  note: { text: string; by: string; at: number; count: number } | null
}

/** Returns the rows of some companies; one that nobody has touched has none. */
export async function careRows(db: Db, companyIds: readonly number[]): Promise<Map<number, CareRow>> {
  const rows = await db.selectFrom('company_care').selectAll().where(inCompanies(companyIds)).execute()
  return new Map(
    rows.map((row) => [
      row.company_id,
      {
        companyId: row.company_id,
        assignee:
          row.assignee_id === null
            ? null
            : { id: row.assignee_id, name: row.assignee_name ?? row.assignee_id },
        note:
          row.note_at === null
            ? null
            : { text: row.note_text ?? '', by: row.note_by ?? '', at: row.note_at, count: row.notes },
      },
    ]),
  )
}

/** Returns to whom a company is assigned. */
export async function assigneeOf(db: Db, companyId: number): Promise<{ id: string; name: string } | null> {
  return (await careRows(db, [companyId])).get(companyId)?.assignee ?? null
}

/** Assigns a company; null: to nobody. */
export async function writeAssignee(
  db: Db,
  companyId: number,
  assignee: { id: string; name: string } | null,
  at: number,
): Promise<void> {
  const values = {
    assignee_id: assignee?.id ?? null,
    assignee_name: assignee?.name ?? null,
    assigned_at: assignee ? at : null,
  }
  await db
    .insertInto('company_care')
    .values({ company_id: companyId, ...values })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet(values))
    .execute()
}

interface NewNote {
  companyId: number
  publicId: string
  text: string
  author: { id: string; name: string }
  at: number
}

/** Adds a note, which is the newest one from then on. */
export async function insertNote(db: Db, { companyId, publicId, text, author, at }: NewNote): Promise<void> {
  await db
    .insertInto('company_notes')
    .values({
      company_id: companyId,
      public_id: publicId,
      text,
      author_id: author.id,
      author_name: author.name,
      created_at: at,
    })
    .execute()
  const newest = { note_text: text, note_by: author.name, note_at: at }
  await db
    .insertInto('company_care')
    .values({ company_id: companyId, ...newest, notes: 1 })
    .onConflict((conflict) =>
      conflict.column('company_id').doUpdateSet({ ...newest, notes: sql<number>`company_care.notes + 1` }),
    )
    .execute()
}

/** Returns notes of a company before a row, newest first. */
export function notesBefore(db: Db, companyId: number, before: number | null, limit: number) {
  let query = db.selectFrom('company_notes').selectAll().where('company_id', '=', companyId)
  if (before !== null) query = query.where('id', '<', before)
  return query.orderBy('id', 'desc').limit(limit).execute()
}
