/** Closed periods and the state of each year: what can be closed or reopened next, and the reason when it cannot. */
import { sql } from 'kysely'
import { recordAudit } from '../../../platform/audit/index.ts'
import type { ContractInput, ContractOutput } from '../../../domain/contract/define-contract.ts'
import type { lockPeriodContract, periodsContract } from '../contract.ts'
import { addDays, quarterOf, quarterPeriod } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { dayNumber, nextDay } from '../journal/days.ts'
import { lockedUntil, writeLock } from './lock.ts'

type Periods = ContractOutput<typeof periodsContract>
type Year = Periods['years'][number]

interface ClosedYear {
  id: number
  year: number
  result_cents: number
  locked_before: number | null
  closed_at: number
}

/** Returns the closed years of the book, oldest first. */
export async function closedYears(ctx: Ctx): Promise<ClosedYear[]> {
  return ctx.db
    .selectFrom('ledger_years')
    .select(['id', 'year', 'result_cents', 'locked_before', 'closed_at'])
    .where('book_id', '=', ctx.book.id)
    .orderBy('year')
    .execute()
}

interface YearSums {
  year: number
  result: number
}

/** Returns the years with entries and their income less expenses; closings do not count. */
async function yearSums(ctx: Ctx): Promise<YearSums[]> {
  const { rows } = await sql<YearSums>`
    select month / 100 as year, sum(case when code >= '6' and code < '8' then credit_cents - debit_cents else 0 end) as result
    from account_months join ledger_accounts on ledger_accounts.id = account_id
    where book_id = ${ctx.book.id} and month % 100 between 0 and 12 and (debit_cents <> 0 or credit_cents <> 0)
    group by month / 100 order by 1`.execute(ctx.db)
  return rows
}

async function yearView(
  ctx: Ctx,
  { year, result }: YearSums,
  closed: ClosedYear[],
  open: number[],
): Promise<Year> {
  const lastDay = `${year}-12-31`
  const own = closed.find((one) => one.year === year)
  const lock = await lockedUntil(ctx)
  const lockOfClosing = Math.max(own?.locked_before ?? 0, dayNumber(lastDay))
  const reason = ((): Year['reason'] => {
    if (own) {
      if (closed.some((one) => one.year > year)) return 'later_closed'
      return lock !== null && dayNumber(lock) > lockOfClosing ? 'later_locked' : 'closed'
    }
    if (ctx.today() <= lastDay) return 'not_over'
    return open.some((one) => one < year) ? 'earlier_open' : null
  })()
  return {
    year,
    closed: own !== undefined,
    closedAt: own ? new Date(own.closed_at).toISOString() : null,
    result: eurosFromCents(result),
    canClose: reason === null,
    canReopen: reason === 'closed',
    reason,
  }
}

/** Returns the end of the last completed quarter when it is still open. */
function proposedLock(today: BusinessDate, lock: BusinessDate | null): BusinessDate | null {
  const start = quarterPeriod(Number(today.slice(0, 4)), quarterOf(today)).from
  const end = addDays(start, -1)
  return lock === null || lock < end ? end : null
}

/** Returns the state of the periods. */
export const listPeriods: UseCase<typeof periodsContract> = async (ctx) => {
  const lock = await lockedUntil(ctx)
  const closed = await closedYears(ctx)
  const sums = await yearSums(ctx)
  const open = sums.map(({ year }) => year).filter((year) => !closed.some((one) => one.year === year))
  const years: Year[] = []
  for (const one of sums.toReversed()) years.push(await yearView(ctx, one, closed, open))
  return {
    lockedUntil: lock,
    firstOpenDay: lock === null ? null : nextDay(lock),
    proposed: sums.length === 0 ? null : proposedLock(ctx.today(), lock),
    years,
  }
}

/** Closes the books up to a day, or reopens them. A closed year is reopened by undoing its closing. */
export const lockPeriod: (
  ctx: Ctx,
  input: ContractInput<typeof lockPeriodContract>,
) => Promise<Periods> = async (ctx, { until }) =>
  ctx.transaction(async (tx) => {
    if (until !== null && until > tx.today())
      throw validationFailed([
        {
          code: 'lock_in_future',
          field: 'until',
          severity: 'error',
          message: 'Only days that have come can be closed.',
          fix: 'Choose today or an earlier day.',
        },
      ])
    const last = (await closedYears(tx)).at(-1)
    if (last && (until === null || until < `${last.year}-12-31`))
      throw new AppError('year_not_closable', {
        field: 'until',
        details: { year: last.year, reason: 'closed' },
      })
    const before = await lockedUntil(tx)
    if (until === before) return listPeriods(tx, {})
    await writeLock(tx, until === null ? null : dayNumber(until))
    const opens = until === null || (before !== null && until < before)
    await recordAudit(tx, {
      action: opens ? 'ledger.unlocked' : 'ledger.locked',
      target: { type: 'period', id: until ?? 'all', label: until ?? '' },
    })
    await emitEvent(tx, 'ledger.changed', { lockedUntil: until })
    return listPeriods(tx, {})
  })

/** Returns the lock as a whole number. */
export async function lockNumber(ctx: Ctx): Promise<number | null> {
  const lock = await lockedUntil(ctx)
  return lock === null ? null : dayNumber(lock)
}
