/** The progress of books, as it is marked outside them: books that are behind a mark are an older copy of themselves. */
import { recordAudit } from '../../platform/audit/index.ts'
import { createSystemCtx } from '../../context.ts'
import type { AppEnvironment, Book } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type { SeriesKind } from '../../company/series/index.ts'
import { prepare } from '../../db/query.ts'
import type { Db } from '../../db/query.ts'
import { hexOf } from './rows.ts'

/** A series and the next number it would assign. */
interface SeriesMark {
  code: string
  kind: SeriesKind
  next: number
}

/** Progress of one book. */
export interface BookMark {
  installation: string
  /** Records ever made in the book, over all its installations. */
  records: number
  /** Hash of the last record; null before the first. */
  last: string | null
  /** The series that have assigned numbers. */
  series: SeriesMark[]
  /** The last event of the history; absent before the first event, and in marks of earlier versions. */
  audit?: { sequence: number; hash: string }
  /**
   * The computer on which the book reached this state, as returned by `computerMark`; absent where that returns
   * nothing.
   */
  computer?: string
}

/** Marks by the public identifier of the book. */
export type Marks = Record<string, BookMark>

/** A book and its mark as the store has them now. */
export interface Position {
  bookId: number
  publicId: string
  held: boolean
  mark: BookMark
}

const chainsIn = (db: Db) =>
  db
    .selectFrom('registry_chains')
    .innerJoin('books', 'books.id', 'registry_chains.book_id')
    .leftJoin('registry_records', (join) =>
      join
        .onRef('registry_records.book_id', '=', 'registry_chains.book_id')
        .onRef('registry_records.sequence', '=', 'registry_chains.records'),
    )
    // A copy of another installation's books goes back when that one does.
    .where('books.company_id', 'not in', db.selectFrom('advised_companies').select('company_id'))
    .select([
      'books.public_id',
      'registry_chains.book_id',
      'registry_chains.installation',
      'registry_chains.records',
      'registry_chains.held_for',
      'registry_records.hash',
    ])

const usedSeriesIn = (db: Db) =>
  db
    .selectFrom('series')
    .select(['series.book_id', 'series.code', 'series.kind', 'series.next_number'])
    .whereRef('series.next_number', '>', 'series.start_number')

const chains = prepare((db, _p: Record<string, never>) => chainsIn(db).orderBy('registry_chains.book_id'))

const usedSeries = prepare((db, _p: Record<string, never>) => usedSeriesIn(db).orderBy('series.id'))

const lastEvent = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('audit_events')
    .select(['sequence', 'hash'])
    .where('book_id', '=', p.bookId)
    .orderBy('sequence', 'desc')
    .limit(1),
)

const chainOfBook = prepare((db, p: { bookId: number }) =>
  chainsIn(db).where('registry_chains.book_id', '=', p.bookId),
)

const seriesOfBook = prepare((db, p: { bookId: number }) =>
  usedSeriesIn(db).where('series.book_id', '=', p.bookId).orderBy('series.id'),
)

export const recordAt = prepare((db, p: { bookId: number; sequence: number }) =>
  db
    .selectFrom('registry_records')
    .select('hash')
    .where('book_id', '=', p.bookId)
    .where('sequence', '=', p.sequence),
)

const installationOf = prepare((db, p: { bookId: number; installation: string }) =>
  db
    .selectFrom('registry_installations')
    .select('installation')
    .where('installation', '=', p.installation)
    .where('book_id', '=', p.bookId),
)

type ChainPosition = Awaited<ReturnType<typeof chains.all>>[number]
type UsedSeries = Awaited<ReturnType<typeof usedSeries.all>>[number]

function positionOf(
  row: ChainPosition,
  series: readonly UsedSeries[],
  audit: Pick<BookMark, 'audit'>,
): Position {
  return {
    bookId: row.book_id,
    publicId: row.public_id,
    held: row.held_for !== null,
    mark: {
      installation: row.installation,
      records: row.records,
      last: row.hash ? hexOf(row.hash) : null,
      series: series
        .filter((one) => one.book_id === row.book_id)
        .map((one) => ({ code: one.code, kind: one.kind, next: one.next_number })),
      ...audit,
    },
  }
}

/** Returns the position of every book of the store. */
export async function positionsOf(db: Db): Promise<Position[]> {
  const rows = await chains.all(db, {})
  const series = await usedSeries.all(db, {})
  const positions: Position[] = []
  for (const row of rows) {
    const event = await lastEvent.first(db, { bookId: row.book_id })
    const audit = event ? { audit: { sequence: event.sequence, hash: hexOf(event.hash) } } : {}
    positions.push(positionOf(row, series, audit))
  }
  return positions
}

/** Returns the position of a book, without its history. */
export async function positionOfBook(db: Db, bookId: number): Promise<Position> {
  const row = await chainOfBook.first(db, { bookId })
  if (!row) throw new Error(`Book ${bookId} has no chain.`)
  return positionOf(row, await seriesOfBook.all(db, { bookId }), {})
}

/** Returns true if the book lacks something that the mark proves was there. */
export async function isBehind(db: Db, { bookId, mark: now }: Position, mark: BookMark): Promise<boolean> {
  if (mark.installation !== now.installation)
    // If these books know that the mark's chain ended, they have passed the mark; if they never had that chain, the
    // mark is ahead of them.
    return (await installationOf.first(db, { bookId, installation: mark.installation })) === undefined
  if (mark.records === 0) return false
  // A missing record means an older copy. A different one means a copy that continued on its own, however far.
  const record = await recordAt.first(db, { bookId, sequence: mark.records })
  return record === undefined || hexOf(record.hash) !== mark.last
}

/** Returns the mark with more progress, with every number that either mark knows to be used. */
export function further(a: BookMark, b: BookMark): BookMark {
  const series = new Map<string, SeriesMark>()
  for (const one of [...a.series, ...b.series])
    if ((series.get(one.code)?.next ?? 0) < one.next) series.set(one.code, one)
  return { ...(a.records >= b.records ? a : b), series: [...series.values()] }
}

/** Holds a book as a restored copy: nothing can be issued in it until a person says how it continues. */
export async function holdBook(env: AppEnvironment, book: Book, why: string): Promise<void> {
  const ctx = createSystemCtx(env, book)
  await ctx.transaction(async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('registry_chains')
      .set({ held_for: 'restored_copy' })
      .where('book_id', '=', book.id)
      .where('held_for', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return
    await recordAudit(tx, {
      action: 'registry.held',
      target: { type: 'book', id: book.publicId, label: why },
      outcome: 'refused',
      code: 'restored_copy',
    })
    await emitEvent(tx, 'registry.changed', { held: 'restored_copy' })
  })
}
