/** The series' own rows. Numbers only move forward: a trigger of the table refuses everything else. */
import type { Selectable } from 'kysely'
import type { BusinessDate } from '../core/dates.ts'
import type { Ctx } from '../ctx.ts'
import { prepare } from '../store/query.ts'
import type { SeriesTable } from '../store/schema.ts'
import { printedNumber, TEST_PREFIX } from './codes.ts'
import type { SeriesKind } from './codes.ts'

export interface SeriesRow {
  id: number
  publicId: string
  code: string
  kind: SeriesKind
  startNumber: number
  nextNumber: number
  lastIssueDate: BusinessDate | null
  createdAt: number
}

function rowOf(row: Selectable<SeriesTable>): SeriesRow {
  return {
    id: row.id,
    publicId: row.public_id,
    code: row.code,
    kind: row.kind,
    startNumber: row.start_number,
    nextNumber: row.next_number,
    lastIssueDate: row.last_issue_date,
    createdAt: row.created_at,
  }
}

const allOfBook = prepare((db, p: { bookId: number }) =>
  db.selectFrom('series').selectAll().where('book_id', '=', p.bookId).orderBy('id'),
)

const byCode = prepare((db, p: { bookId: number; code: string }) =>
  db.selectFrom('series').selectAll().where('book_id', '=', p.bookId).where('code', '=', p.code),
)

/** The series of the book, oldest first. */
export async function seriesOfBook(ctx: Ctx): Promise<SeriesRow[]> {
  return (await allOfBook.all(ctx.db, { bookId: ctx.book.id })).map(rowOf)
}

/** The series of a code, or null. In a test book the `T-` may be left out. */
export async function findSeriesByCode(ctx: Ctx, code: string): Promise<SeriesRow | null> {
  let row = await byCode.first(ctx.db, { bookId: ctx.book.id, code })
  if (!row && ctx.book.mode === 'test' && !code.startsWith(TEST_PREFIX))
    row = await byCode.first(ctx.db, { bookId: ctx.book.id, code: TEST_PREFIX + code })
  return row ? rowOf(row) : null
}

const insert = prepare(
  (db, p: { bookId: number; publicId: string; code: string; kind: SeriesKind; start: number; at: number }) =>
    db.insertInto('series').values({
      book_id: p.bookId,
      public_id: p.publicId,
      code: p.code,
      kind: p.kind,
      start_number: p.start,
      next_number: p.start,
      created_at: p.at,
    }),
)

/** Adds a row; the caller has checked that the code is free. */
export async function insertSeries(
  ctx: Ctx,
  series: { code: string; kind: SeriesKind; startNumber: number },
): Promise<SeriesRow> {
  const { code, kind, startNumber } = series
  const publicId = ctx.newId('ser')
  const createdAt = ctx.now().getTime()
  const { insertId } = await insert.run(ctx.db, {
    bookId: ctx.book.id,
    publicId,
    code,
    kind,
    start: startNumber,
    at: createdAt,
  })
  return {
    id: insertId,
    publicId,
    code,
    kind,
    startNumber,
    nextNumber: startNumber,
    lastIssueDate: null,
    createdAt,
  }
}

const take = prepare((db, p: { id: number; bookId: number; issueDate: string }) =>
  db
    .updateTable('series')
    .set((eb) => ({
      next_number: eb('next_number', '+', 1),
      last_issue_date: eb
        .case()
        .when(eb.or([eb('last_issue_date', 'is', null), eb('last_issue_date', '<', p.issueDate)]))
        .then(p.issueDate)
        .else(eb.ref('last_issue_date'))
        .end(),
    }))
    .where('id', '=', p.id)
    .where('book_id', '=', p.bookId)
    .returning(['code', 'next_number']),
)

export interface TakenNumber {
  sequence: number
  /** As printed and registered. */
  number: string
  code: string
}

/** Gives the next number of a series. Only inside the transaction of the issue: rolled back together, no gap is left. */
export async function takeNumber(tx: Ctx, seriesId: number, issueDate: BusinessDate): Promise<TakenNumber> {
  if (!tx.inTransaction) throw new Error('A number is taken in the transaction of the issue.')
  const row = await take.first(tx.db, { id: seriesId, bookId: tx.book.id, issueDate })
  if (!row) throw new Error(`Series ${seriesId} is not of this book.`)
  const sequence = row.next_number - 1
  return { sequence, number: printedNumber(row.code, sequence), code: row.code }
}
