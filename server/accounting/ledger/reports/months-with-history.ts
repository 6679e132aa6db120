/**
 * Income and expenses by month with the documents of an earlier program, which have no entries: what they counted in the
 * tax totals stands in for them. The ledger's own reports leave them out.
 */
import { sql } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { monthTotals } from '../../../tax/totals/index.ts'
import { SOURCE_TYPES } from '../journal/sources.ts'
import { monthResults } from './months.ts'
import type { MonthResult } from './months.ts'

/** Returns how many documents of an earlier program count in each month, of the months that have any. */
async function documentsByMonth(ctx: Ctx, from: number, to: number): Promise<Map<number, number>> {
  const day = (month: number, part: string) =>
    `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}-${part}`
  const [first, last] = [day(from, '01'), day(to, '31')]
  const { rows } = await sql<{ month: string; documents: number }>`
    select counted.month, count(*) as documents from (
      select substr(i.list_date, 1, 7) as month from invoices i join history_documents h on h.invoice_id = i.id
        where i.book_id = ${ctx.book.id} and i.state = 'history' and h.is_counted = 1
          and i.list_date >= ${first} and i.list_date <= ${last}
      union all
      select substr(r.reception_date, 1, 7) as month from received_invoices r
        join history_documents h on h.received_id = r.id
        where r.book_id = ${ctx.book.id} and r.state = 'history' and h.is_counted = 1
          and r.reception_date >= ${first} and r.reception_date <= ${last}) counted
    group by counted.month order by counted.month`.execute(ctx.db)
  return new Map(rows.map(({ month, documents }) => [Number(month.replace('-', '')), Number(documents)]))
}

interface Booked {
  month: number
  source_type: number
  income: Cents
  expenses: Cents
}

/** Returns what entries of own invoices, and openings within a year, book as income and expenses in some months. */
async function bookedOf(ctx: Ctx, from: number, to: number): Promise<Booked[]> {
  const { invoice, received, opening } = SOURCE_TYPES
  const { rows } = await sql<Booked>`
    select e.month, e.source_type,
      sum(case when a.code >= '7' then -l.amount_cents else 0 end) as income,
      sum(case when a.code < '7' then l.amount_cents else 0 end) as expenses
    from journal_entries e join journal_lines l on l.entry_id = e.id
      join ledger_accounts a on a.id = l.account_id
    where e.book_id = ${ctx.book.id} and e.day >= ${from * 100} and e.day <= ${to * 100 + 31}
      and e.source_type in (${sql.join([invoice, received, opening])}) and a.code >= '6' and a.code < '8'
    group by e.month, e.source_type`.execute(ctx.db)
  return rows
}

/**
 * Returns the months with amounts, like `monthResults`, each with how many documents of an earlier program it counts. A year
 * that opens with the income so far as one balance keeps it, unless the documents begin in its January and say the same by
 * months.
 */
export async function monthsWithHistory(
  ctx: Ctx,
  from: number,
  to: number,
): Promise<(MonthResult & { documents: number })[]> {
  const results = await monthResults(ctx, from, to)
  const documents = await documentsByMonth(ctx, from, to)
  const [first, ...later] = documents.keys()
  if (first === undefined) return results.map((one) => ({ ...one, documents: 0 }))
  const span = { first, last: later.at(-1) ?? first }
  const yearOf = (month: number) => Math.floor(month / 100)
  const lastOfYear = yearOf(span.last) * 100 + 12
  const booked = await bookedOf(ctx, span.first, lastOfYear)
  const opened = booked.filter(
    ({ source_type: type, month, income, expenses }) =>
      type === SOURCE_TYPES.opening && month % 100 > 0 && (income !== 0 || expenses !== 0),
  )
  const isWhole = (year: number) => span.first <= year * 100 + 1
  /** Years whose documents stay out, since their opening has the same amounts. */
  const left = new Set(opened.map(({ month }) => yearOf(month)).filter((year) => !isWhole(year)))
  const months = new Map(results.map((one) => [one.month, { ...one }]))
  const add = (month: number, amounts: { income?: Cents; expenses?: Cents; turnover?: Cents }) => {
    const { income = 0, expenses = 0, turnover = 0 } = amounts
    const sums = months.get(month) ?? { month, turnoverCents: 0, incomeCents: 0, expensesCents: 0 }
    sums.incomeCents += income
    sums.expensesCents += expenses
    sums.turnoverCents += turnover
    months.set(month, sums)
  }
  // The tax totals of a month hold its own invoices as well: their entries make room for them.
  for (const { month, source_type: type, income, expenses } of booked) {
    const isOpening = type === SOURCE_TYPES.opening
    const counts = isOpening ? month % 100 > 0 : month <= span.last
    if (left.has(yearOf(month)) || !counts) continue
    add(month, { income: -income, expenses: -expenses, turnover: -income })
  }
  const range = { from: span.first, to: span.last }
  for (const { month, incomeCents } of await monthTotals(ctx, 'issued', range))
    if (!left.has(yearOf(month))) add(month, { income: incomeCents, turnover: incomeCents })
  for (const { month, incomeCents } of await monthTotals(ctx, 'received', range))
    if (!left.has(yearOf(month))) add(month, { expenses: incomeCents })
  return [...months.values()]
    .sort((one, other) => one.month - other.month)
    .map((one) => ({ ...one, documents: left.has(yearOf(one.month)) ? 0 : (documents.get(one.month) ?? 0) }))
}
