/** SQL of series. Numbers only increase: a trigger of the table rejects everything else. */
import type { ColumnType, Selectable } from 'kysely'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Ctx } from '../../context.ts'
import { prepare, prepareCached, prepareInsert } from '../../db/query.ts'
import type { SeriesTable } from '../../db/schema.ts'
import { printedNumber, TEST_PREFIX } from './codes.ts'
import type { SeriesKind } from './codes.ts'

/** Legal reason for a separate series; `general` when the law does not require one (RD 1619/2012 art. 6.1.a). */
export type SeriesPurpose =
  SeriesTable['purpose'] extends ColumnType<infer Purpose, unknown, unknown> ? Purpose : never

export interface SeriesRow {
  id: number
  publicId: string
  code: string
  kind: SeriesKind
  startNumber: number
  nextNumber: number
  lastIssueDate: BusinessDate | null
  purpose: SeriesPurpose
  /** The code of a yearly series with `{YYYY}` for the year; else null. */
  pattern: string | null
  isDefault: boolean
  note: string | null
  archivedAt: number | null
  createdAt: number
}

/** Facts of a new series. */
export interface NewSeries {
  code: string
  kind: SeriesKind
  startNumber: number
  purpose?: SeriesPurpose
  pattern?: string | null
  isDefault?: boolean
  note?: string | null
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
    purpose: row.purpose,
    pattern: row.pattern,
    isDefault: row.is_default === 1,
    note: row.note,
    archivedAt: row.archived_at,
    createdAt: row.created_at,
  }
}

const allOfBook = prepareCached((db, p: { bookId: number }) =>
  db.selectFrom('series').selectAll().where('book_id', '=', p.bookId).orderBy('id'),
)

const byCode = prepareCached((db, p: { bookId: number; code: string }) =>
  db.selectFrom('series').selectAll().where('book_id', '=', p.bookId).where('code', '=', p.code),
)

/** Returns the series of the book, oldest first. */
export async function seriesOfBook(ctx: Ctx): Promise<SeriesRow[]> {
  return (await allOfBook.all(ctx.db, { bookId: ctx.book.id })).map(rowOf)
}

/** Returns the series of a code, or null. In a test book the `T-` may be omitted. */
export async function findSeriesByCode(ctx: Ctx, code: string): Promise<SeriesRow | null> {
  let row = await byCode.first(ctx.db, { bookId: ctx.book.id, code })
  if (!row && ctx.book.mode === 'test' && !code.startsWith(TEST_PREFIX))
    row = await byCode.first(ctx.db, { bookId: ctx.book.id, code: TEST_PREFIX + code })
  return row ? rowOf(row) : null
}

interface SeriesValues {
  bookId: number
  publicId: string
  code: string
  kind: SeriesKind
  start: number
  purpose: SeriesPurpose
  pattern: string | null
  isDefault: 0 | 1
  note: string | null
  at: number
}

const insert = prepareInsert((db, p: SeriesValues) =>
  db
    .insertInto('series')
    .values({
      book_id: p.bookId,
      public_id: p.publicId,
      code: p.code,
      kind: p.kind,
      start_number: p.start,
      next_number: p.start,
      purpose: p.purpose,
      pattern: p.pattern,
      is_default: p.isDefault,
      note: p.note,
      created_at: p.at,
    })
    .returning('id'),
)

/** Adds a row; the caller has checked that the code is free. */
export async function insertSeries(ctx: Ctx, series: NewSeries): Promise<SeriesRow> {
  const {
    code,
    kind,
    startNumber,
    purpose = 'general',
    pattern = null,
    isDefault = false,
    note = null,
  } = series
  const publicId = ctx.newId('ser')
  const createdAt = ctx.now().getTime()
  const id = await insert.run(ctx.db, {
    bookId: ctx.book.id,
    publicId,
    code,
    kind,
    start: startNumber,
    purpose,
    pattern,
    isDefault: isDefault ? 1 : 0,
    note,
    at: createdAt,
  })
  return {
    id,
    publicId,
    code,
    kind,
    startNumber,
    nextNumber: startNumber,
    lastIssueDate: null,
    purpose,
    pattern,
    isDefault,
    note,
    archivedAt: null,
    createdAt,
  }
}

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db.selectFrom('series').selectAll().where('book_id', '=', p.bookId).where('public_id', '=', p.publicId),
)

/** Returns a series of the book by its identifier. */
export async function findSeries(ctx: Ctx, publicId: string): Promise<SeriesRow | undefined> {
  const row = await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId })
  return row && rowOf(row)
}

const defaultOf = prepare((db, p: { bookId: number; kind: SeriesKind }) =>
  db
    .selectFrom('series')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('kind', '=', p.kind)
    .where('is_default', '=', 1),
)

/** Returns the series that a person chose for a kind in place of the standard one; null when none is chosen. */
export async function chosenDefault(ctx: Ctx, kind: SeriesKind): Promise<SeriesRow | null> {
  const row = await defaultOf.first(ctx.db, { bookId: ctx.book.id, kind })
  return row ? rowOf(row) : null
}

const chosenOrNamed = prepare((db, p: { bookId: number; kind: SeriesKind; code: string }) =>
  db
    .selectFrom('series')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where((where) =>
      where.or([
        where('code', '=', p.code),
        where.and([where('kind', '=', p.kind), where('is_default', '=', 1)]),
      ]),
    ),
)

/** Returns the series of a code and the one that a person chose for a kind, those that exist. */
export async function findChosenOrNamed(ctx: Ctx, kind: SeriesKind, code: string): Promise<SeriesRow[]> {
  return (await chosenOrNamed.all(ctx.db, { bookId: ctx.book.id, kind, code })).map(rowOf)
}

const clearDefault = prepare((db, p: { bookId: number; kind: SeriesKind }) =>
  db
    .updateTable('series')
    .set({ is_default: 0 })
    .where('book_id', '=', p.bookId)
    .where('kind', '=', p.kind)
    .where('is_default', '=', 1),
)

const updateRow = prepare(
  (
    db,
    p: {
      id: number
      start: number
      next: number
      isDefault: 0 | 1
      pattern: string | null
      note: string | null
      archivedAt: number | null
    },
  ) =>
    db
      .updateTable('series')
      .set({
        start_number: p.start,
        next_number: p.next,
        is_default: p.isDefault,
        pattern: p.pattern,
        note: p.note,
        archived_at: p.archivedAt,
      })
      .where('id', '=', p.id),
)

/** Clears the chosen series of a kind: the standard one applies again, or another is about to be chosen. */
export async function dropDefault(ctx: Ctx, kind: SeriesKind): Promise<void> {
  await clearDefault.run(ctx.db, { bookId: ctx.book.id, kind })
}

/** Writes the changeable fields of a series; of its numbers only the first one, and only before it is used. */
export async function writeSeries(ctx: Ctx, row: SeriesRow): Promise<void> {
  if (row.isDefault) await dropDefault(ctx, row.kind)
  await updateRow.run(ctx.db, {
    id: row.id,
    start: row.startNumber,
    next: row.nextNumber,
    isDefault: row.isDefault ? 1 : 0,
    pattern: row.pattern,
    note: row.note,
    archivedAt: row.archivedAt,
  })
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

const takeKnown = prepare((db, p: { id: number; bookId: number; next: number; lastIssueDate: string }) =>
  db
    .updateTable('series')
    .set((eb) => ({ next_number: eb('next_number', '+', 1), last_issue_date: p.lastIssueDate }))
    .where('id', '=', p.id)
    .where('book_id', '=', p.bookId)
    .where('next_number', '=', p.next),
)

/**
 * Takes the next number of a series that this transaction has read, like `takeNumber`, without waiting: it is known
 * already, and the transaction fails if another one has taken it.
 */
export async function takeKnownNumber(
  tx: Ctx,
  { id, code, nextNumber, lastIssueDate }: SeriesRow,
  issueDate: BusinessDate,
): Promise<TakenNumber> {
  if (!tx.inTransaction) throw new Error('A number is taken in the transaction of the issue.')
  const last = lastIssueDate !== null && lastIssueDate > issueDate ? lastIssueDate : issueDate
  await takeKnown.changeOne(
    tx.db,
    { id, bookId: tx.book.id, next: nextNumber, lastIssueDate: last },
    () => new Error(`Series ${id} moved while a number was taken.`),
  )
  return { sequence: nextNumber, number: printedNumber(code, nextNumber), code }
}

interface TakenNumber {
  sequence: number
  /** As printed and registered. */
  number: string
  code: string
}

/**
 * Takes the next number of a series. Only inside the transaction of the issue: a rollback undoes both, so no gap
 * remains.
 */
export async function takeNumber(tx: Ctx, seriesId: number, issueDate: BusinessDate): Promise<TakenNumber> {
  if (!tx.inTransaction) throw new Error('A number is taken in the transaction of the issue.')
  const {
    rows: [row],
  } = await take.together(tx.db, { id: seriesId, bookId: tx.book.id, issueDate })
  if (!row) throw new Error(`Series ${seriesId} is not of this book.`)
  const sequence = row.next_number - 1
  return { sequence, number: printedNumber(row.code, sequence), code: row.code }
}
