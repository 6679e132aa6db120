/**
 * Books that were moved out of a file: a mark in the file says where they went. The file stays readable; it is not
 * written any more, because the moved books go on there.
 */
import { AppError } from '../../domain/errors/app-error.ts'
import type { Db } from '../query.ts'

/** Setting with the companies that were moved. */
const MOVED = 'moved'
/** Setting of books that were copied here by a move that has not ended. */
export const ARRIVING = 'arriving'

interface MovedMark {
  /** Where the company went, as people call the place. */
  to: string
  /** UTC, ISO 8601. */
  at: string
  /** Canonical digest of what was moved. */
  sha256: string
}

/** Marks by the public identifier of the company. */
export type MovedMarks = Readonly<Record<string, MovedMark>>

async function setting(db: Db, name: string): Promise<unknown> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row ? (JSON.parse(row.value) as unknown) : null
}

export async function readMoved(db: Db): Promise<MovedMarks> {
  return ((await setting(db, MOVED)) as MovedMarks | null) ?? {}
}

/** Adds the mark of a company, within the caller's transaction. */
export async function markMoved(db: Db, publicId: string, mark: MovedMark): Promise<void> {
  const value = JSON.stringify({ ...(await readMoved(db)), [publicId]: mark })
  await db
    .insertInto('settings')
    .values({ name: MOVED, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Returns what is being moved to this folder, with its canonical digest; null if nothing is. */
export async function readArriving(db: Db): Promise<{ company: string; sha256: string } | null> {
  return (await setting(db, ARRIVING)) as { company: string; sha256: string } | null
}

/** What a file may not write: all of it, or companies by row id. */
interface MovedBooks {
  all: AppError | null
  companies: ReadonlyMap<number, AppError>
}

/** Returns what was moved out of a file. */
export async function movedBooks(db: Db): Promise<MovedBooks> {
  const marks = await readMoved(db)
  const companies = new Map<number, AppError>()
  if (Object.keys(marks).length === 0) return { all: null, companies }
  const rows = await db.selectFrom('companies').select(['id', 'public_id']).orderBy('id').execute()
  for (const { id, public_id: publicId } of rows) {
    const mark = marks[publicId]
    if (mark) companies.set(id, new AppError('company_moved', { details: { to: mark.to, at: mark.at } }))
  }
  const [last] = Object.values(marks).toSorted((a, b) => (a.at < b.at ? 1 : -1))
  const isAll = rows.length > 0 && rows.every(({ id }) => companies.has(id))
  return {
    all: isAll ? new AppError('books_moved', { details: { to: last?.to, at: last?.at } }) : null,
    companies,
  }
}
