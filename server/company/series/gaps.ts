/**
 * Numbers used outside these books: skipped permanently and recorded, so that the proof of the numbers can
 * distinguish them from lost ones.
 */
import { recordAudit } from '../../platform/audit/index.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Ctx } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { prepare } from '../../db/query.ts'
import { addSeries } from './add.ts'
import { printedNumber } from './codes.ts'
import type { SeriesKind } from './codes.ts'
import { seriesOfBook } from './rows.ts'

/** Highest use of a series outside these books. */
export interface UsedElsewhere {
  code: string
  /** Kind of a series that these books do not have yet. */
  kind: SeriesKind
  /** The highest number known to be used. */
  last: number
  /** The date of the latest known invoice; the next one of the series may not have an earlier date. */
  lastIssueDate: BusinessDate | null
}

const move = prepare((db, p: { id: number; next: number; lastIssueDate: string | null }) =>
  db
    .updateTable('series')
    .set({ next_number: p.next, last_issue_date: p.lastIssueDate })
    .where('id', '=', p.id)
    .where('next_number', '<', p.next),
)

const note = prepare((db, p: { seriesId: number; first: number; last: number; at: number }) =>
  db
    .insertInto('series_gaps')
    .values({ series_id: p.seriesId, first: p.first, last: p.last, noted_at: p.at }),
)

function later(a: BusinessDate | null, b: BusinessDate | null): BusinessDate | null {
  if (a === null || b === null) return a ?? b
  return a > b ? a : b
}

/**
 * Moves a series beyond the numbers used elsewhere and records the skipped ones; a series that these books lack is
 * added first, so that its numbers do not start again. Returns its next number, or null when it was already beyond.
 * Runs in a transaction.
 */
export async function skipNumbers(tx: Ctx, used: UsedElsewhere): Promise<number | null> {
  const { code, kind, last } = used
  const series =
    (await seriesOfBook(tx)).find((row) => row.code === code) ??
    (await addSeries(tx, { code, kind, startNumber: 1 }))
  const first = series.nextNumber
  if (last < first) return null
  await note.run(tx.db, { seriesId: series.id, first, last, at: tx.now().getTime() })
  const lastIssueDate = later(series.lastIssueDate, used.lastIssueDate)
  await move.run(tx.db, { id: series.id, next: last + 1, lastIssueDate })
  await recordAudit(tx, {
    action: 'series.numbers_skipped',
    target: {
      type: 'series',
      id: series.publicId,
      label:
        first === last
          ? printedNumber(code, first)
          : `${printedNumber(code, first)}…${printedNumber(code, last)}`,
    },
  })
  await emitEvent(tx, 'company.changed', { seriesId: series.publicId })
  return last + 1
}

const gaps = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('series_gaps')
    .innerJoin('series', 'series.id', 'series_gaps.series_id')
    .leftJoin('invoices', (join) =>
      join
        .onRef('invoices.series_id', '=', 'series_gaps.series_id')
        .onRef('invoices.sequence', '>=', 'series_gaps.first')
        .onRef('invoices.sequence', '<=', 'series_gaps.last'),
    )
    .select((eb) => [
      'series_gaps.series_id',
      'series_gaps.first',
      'series_gaps.last',
      eb.fn.count<number>('invoices.id').as('invoices'),
    ])
    .where('series.book_id', '=', p.bookId)
    .groupBy(['series_gaps.series_id', 'series_gaps.first'])
    .orderBy('series_gaps.series_id')
    .orderBy('series_gaps.first'),
)

/** A span of numbers used elsewhere, both ends included. */
interface SeriesGap {
  seriesId: number
  first: number
  last: number
  /** Invoices of these books in the span: 0, unless something is wrong. */
  invoices: number
}

/** Returns the gaps of the book's series, in order. */
export async function gapsOfBook(ctx: Ctx): Promise<SeriesGap[]> {
  return (await gaps.all(ctx.db, { bookId: ctx.book.id })).map(
    ({ series_id: seriesId, first, last, invoices }) => ({
      seriesId,
      first,
      last,
      invoices,
    }),
  )
}
