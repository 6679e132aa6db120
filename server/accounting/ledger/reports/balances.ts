/** Account balances from the monthly totals of each account: few rows, however many entries there are. */
import { sql } from 'kysely'
import type { BusinessDate, Period } from '../../../domain/dates.ts'
import { monthPeriod, quarterPeriod, yearPeriod } from '../../../domain/dates.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { Ctx } from '../../../context.ts'
import { dayNumber, monthNumber } from '../journal/days.ts'

interface AccountSum {
  code: string
  name: string | null
  debitCents: number
  creditCents: number
}

/**
 * Returns the totals of each account, by code, over a range of months (202601), including the openings and closings
 * within it.
 */
export async function sumsOf(ctx: Ctx, fromMonth: number, toMonth: number): Promise<AccountSum[]> {
  return ctx.db
    .selectFrom('ledger_accounts')
    .innerJoin('account_months', 'account_months.account_id', 'ledger_accounts.id')
    .select((eb) => [
      'ledger_accounts.code',
      'ledger_accounts.name',
      eb.fn.sum<number>('account_months.debit_cents').as('debitCents'),
      eb.fn.sum<number>('account_months.credit_cents').as('creditCents'),
    ])
    .where('ledger_accounts.book_id', '=', ctx.book.id)
    .where('account_months.month', '>=', fromMonth)
    .where('account_months.month', '<=', toMonth)
    .groupBy('ledger_accounts.id')
    .orderBy('ledger_accounts.code')
    .execute()
}

/** Before any entry. */
export const FIRST_MONTH = 0

export interface RequestedPeriod {
  year: number
  quarter?: number | undefined
  month?: number | undefined
}

/**
 * Returns the first and last day of a year, quarter or month. Throws `validation_failed` when both quarter and month
 * are given.
 */
export function periodOf({ year, quarter, month }: RequestedPeriod): Period {
  if (quarter !== undefined && month !== undefined)
    throw validationFailed([
      {
        code: 'not_together',
        field: 'month',
        severity: 'error',
        message: 'A period is a year, a quarter or a month.',
        fix: 'Send quarter or month, not both.',
      },
    ])
  if (quarter !== undefined) return quarterPeriod(year, quarter)
  return month === undefined ? yearPeriod(year) : monthPeriod(year, month)
}

/** Returns the journal months of a period; the opening of a year is before its January. */
export function monthsOf(period: Period): { first: number; last: number } {
  return { first: monthNumber(period.from), last: monthNumber(period.to) }
}

/**
 * Returns the debits and credits of accounts before a day: whole months from their totals, the rest of the month from
 * its lines.
 */
export async function sumsBefore(
  ctx: Ctx,
  accountIds: readonly number[],
  day: BusinessDate,
): Promise<{ debitCents: number; creditCents: number }> {
  if (accountIds.length === 0) return { debitCents: 0, creditCents: 0 }
  const number = dayNumber(day)
  const month = monthNumber(day)
  // The opening is dated 1 January: the days of that month are summed from lines, so the monthly totals must leave it
  // out.
  const whole = month % 100 === 1 ? month - 1 : month
  const ids = sql.join(accountIds)
  const { rows } = await sql<{ debit: number; credit: number }>`
    select coalesce(sum(debit), 0) as debit, coalesce(sum(credit), 0) as credit from (
      select debit_cents as debit, credit_cents as credit from account_months
        where account_id in (${ids}) and month < ${whole}
      union all
      select case when amount_cents > 0 then amount_cents else 0 end,
        case when amount_cents < 0 then -amount_cents else 0 end from journal_lines
        where account_id in (${ids}) and day >= ${month * 100 + 1} and day < ${number}) as parts`.execute(
    ctx.db,
  )
  return { debitCents: rows[0]?.debit ?? 0, creditCents: rows[0]?.credit ?? 0 }
}
