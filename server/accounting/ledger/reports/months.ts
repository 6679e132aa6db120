/** Income and expenses by month, from the monthly totals of each account; they add up to the profit and loss account. */
import type { Cents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { PROFIT_AND_LOSS } from './statement-models.ts'
import { lineFinder } from './statements.ts'
import { isResult } from './trial-balance.ts'

export interface MonthResult {
  /** Format 202601. */
  month: number
  /** Net turnover: the first line of the profit and loss account. */
  turnoverCents: Cents
  /** Everything in group 7; minus `expensesCents` it is the result of the month. */
  incomeCents: Cents
  /** Everything in group 6. */
  expensesCents: Cents
}

const placeInResult = lineFinder(PROFIT_AND_LOSS)
const TURNOVER = '1'

/** Returns the months with amounts (202601 to 202612, both ends included); openings and closings do not count. */
export async function monthResults(ctx: Ctx, from: number, to: number): Promise<MonthResult[]> {
  const rows = await ctx.db
    .selectFrom('ledger_accounts')
    .innerJoin('account_months', 'account_months.account_id', 'ledger_accounts.id')
    .select(['code', 'month', 'debit_cents', 'credit_cents'])
    .where('ledger_accounts.book_id', '=', ctx.book.id)
    .where('code', '>=', '6')
    .where('code', '<', '8')
    .where('month', '>=', from)
    .where('month', '<=', to)
    .execute()
  const months = new Map<number, MonthResult>()
  for (const { code, month, debit_cents, credit_cents } of rows) {
    const part = month % 100
    if (!isResult(code) || part < 1 || part > 12) continue
    const sums = months.get(month) ?? { month, turnoverCents: 0, incomeCents: 0, expensesCents: 0 }
    const cents = credit_cents - debit_cents
    if (placeInResult(code) === TURNOVER) sums.turnoverCents += cents
    if (code.startsWith('7')) sums.incomeCents += cents
    else sums.expensesCents -= cents
    months.set(month, sums)
  }
  return [...months.values()].sort((a, b) => a.month - b.month)
}
