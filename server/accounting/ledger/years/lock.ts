/** Period lock: nothing can be booked, changed or removed on a closed day. */
import type { BusinessDate } from '../../../domain/dates.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Ctx } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import { dayText, nextDay } from '../journal/days.ts'

const findLock = prepare((db, p: { bookId: number }) =>
  db.selectFrom('period_locks').select('locked_until').where('book_id', '=', p.bookId),
)

/** Returns the last closed day; null when nothing is closed. */
export async function lockedUntil(ctx: Ctx): Promise<BusinessDate | null> {
  const row = await findLock.first(ctx.db, { bookId: ctx.book.id })
  return row ? dayText(row.locked_until) : null
}

/** Throws `period_locked` (409) when the day is closed, with the first open day. */
export async function assertOpenPeriod(ctx: Ctx, date: BusinessDate, field = 'date'): Promise<void> {
  const last = await lockedUntil(ctx)
  if (last !== null && date <= last)
    throw new AppError('period_locked', {
      field,
      details: { date, lockedUntil: last, firstOpenDay: nextDay(last) },
    })
}

/**
 * Returns the booking day of an issued invoice: its accrual (operation date), or the issue date when the accrual is
 * closed, or the first open day when both are.
 */
export async function ledgerDate(
  ctx: Ctx,
  accrualDate: BusinessDate,
  issueDate: BusinessDate,
): Promise<BusinessDate> {
  const last = await lockedUntil(ctx)
  if (last === null || accrualDate > last) return accrualDate
  return issueDate > last ? issueDate : nextDay(last)
}

const saveLock = prepare((db, p: { bookId: number; day: number; at: number }) =>
  db
    .insertInto('period_locks')
    .values({ book_id: p.bookId, locked_until: p.day, updated_at: p.at })
    .onConflict((conflict) =>
      conflict.column('book_id').doUpdateSet({ locked_until: p.day, updated_at: p.at }),
    ),
)

const dropLock = prepare((db, p: { bookId: number }) =>
  db.deleteFrom('period_locks').where('book_id', '=', p.bookId),
)

/** Closes the books up to a day (as a whole number), or opens everything with null. */
export async function writeLock(ctx: Ctx, day: number | null): Promise<void> {
  if (day === null) await dropLock.run(ctx.db, { bookId: ctx.book.id })
  else await saveLock.run(ctx.db, { bookId: ctx.book.id, day, at: ctx.now().getTime() })
}
