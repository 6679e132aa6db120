/** What a company has to keep, by kind of data: the last day of each, and the period of the law that begins with it. */
import { sql } from 'kysely'
import { addDays, businessDateOf } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Ctx } from '../../../context.ts'
import { largest } from '../../../db/engine-sql.ts'
import {
  isExpired,
  later,
  retentionOfEntry,
  retentionOfIssued,
  retentionOfMandate,
  retentionOfReceived,
} from '../../privacy/index.ts'
import type { Law, RetentionPeriod } from '../../privacy/index.ts'
import type { HeldKind } from './kinds.ts'

export interface Held {
  kind: HeldKind
  count: number
  /** Day of the last one. */
  last: BusinessDate | null
  until: BusinessDate | null
  laws: readonly Law[]
  over: boolean
}

interface Last {
  count: number
  last: string | null
}

/** Key of the lines declared in the one-stop shop. */
const OSS_REGIME = '17'

async function lastOf(ctx: Ctx, from: ReturnType<typeof sql<Last>>): Promise<Last> {
  const [row] = (await from.execute(ctx.db)).rows
  return { count: Number(row?.count ?? 0), last: row?.last ?? null }
}

/** Returns the last day on which a received invoice counts in the books. */
const LAST_OF_RECEIVED = largest(
  sql`r.reception_date`,
  sql`r.issue_date`,
  sql`coalesce(r.deduction_date, '')`,
)

function receivedWith(ctx: Ctx, goods: 'movable' | 'property'): Promise<Last> {
  const isProperty = sql`(l.account like '210%' or l.account like '211%' or l.account like '22%')`
  return lastOf(
    ctx,
    sql<Last>`select count(*) as count, max(${LAST_OF_RECEIVED}) as last from received_invoices r
      where r.book_id = ${ctx.book.id} and exists (select 1 from received_lines l where l.received_id = r.id
        and l.investment_good = 1 and ${goods === 'property' ? isProperty : sql`not ${isProperty}`})`,
  )
}

function held(
  kind: HeldKind,
  { count, last }: Last,
  period: (last: BusinessDate) => RetentionPeriod,
  today: BusinessDate,
): Held[] {
  if (count === 0) return []
  const { until, laws } = last === null ? { until: null, laws: [] } : period(last)
  return [{ kind, count, last, until, laws, over: until === null || isExpired({ until, laws }, today) }]
}

/** Joins several findings of one kind, of which the longest period counts. */
function longest(all: readonly Held[]): Held[] {
  const [first, ...others] = all
  if (!first) return []
  return [
    others.reduce((one, other) => {
      const until = later(one.until, other.until)
      return {
        ...one,
        count: one.count + other.count,
        last: later(one.last, other.last),
        until,
        over: one.over && other.over,
      }
    }, first),
  ]
}

/** Returns 31 December of a year as text. */
const endOf = (year: string): BusinessDate => `${year}-12-31`

/** Returns what of a live book the law keeps. `ctx` is of that book. */
export async function heldOf(ctx: Ctx): Promise<Held[]> {
  const book = ctx.book.id
  const today = ctx.today()
  const count = sql<number>`count(*)`
  const issued = (oneStopShop: boolean): Promise<Last> =>
    lastOf(
      ctx,
      sql<Last>`select ${count} as count, max(i.issue_date) as last from invoices i where i.book_id = ${book}
        and i.state = 'issued' and ${oneStopShop ? sql`` : sql`not`} exists (select 1 from invoice_lines l
          where l.invoice_id = i.id and l.regime_key = ${OSS_REGIME} and l.tax_treatment = 'N2')`,
    )
  const records = await lastOf(
    ctx,
    sql<Last>`select ${count} as count, cast(max(generated_at) as text) as last from registry_records where book_id = ${book}`,
  )
  const entries = await lastOf(
    ctx,
    sql<Last>`select ${count} as count, cast(max(day) as text) as last from journal_entries where book_id = ${book}`,
  )
  const returns = await lastOf(
    ctx,
    sql<Last>`select ${count} as count, cast(max(year) as text) as last from (
      select year from filings where book_id = ${book}
      union all select year from filing_sendings where book_id = ${book}) as filed`,
  )
  const mails = await lastOf(
    ctx,
    sql<Last>`select ${count} as count, cast(max(created_at) as text) as last from mails where book_id = ${book}
      and state in ('sent', 'handed', 'unknown')`,
  )
  const dayOf = ({ count: rows, last }: Last): Last => ({
    count: rows,
    last: last === null ? null : businessDateOf(new Date(Number(last))),
  })
  const dayNumber = (last: string | null): string | null =>
    last === null ? null : `${last.slice(0, 4)}-${last.slice(4, 6)}-${last.slice(6, 8)}`
  const dated = (table: 'payments' | 'bank_transactions'): Promise<Last> =>
    lastOf(
      ctx,
      sql<Last>`select ${count} as count, max(date) as last from ${sql.table(table)} where book_id = ${book}`,
    )
  return [
    ...longest([
      ...held('issued', await issued(false), (day) => retentionOfIssued(day, false), today),
      ...held('issued', await issued(true), (day) => retentionOfIssued(day, true), today),
    ]),
    ...held('records', dayOf(records), (day) => retentionOfIssued(day, false), today),
    ...held(
      'received',
      await lastOf(
        ctx,
        sql<Last>`select ${count} as count, max(${LAST_OF_RECEIVED}) as last from received_invoices r where r.book_id = ${book}`,
      ),
      (day) => retentionOfReceived(day, null),
      today,
    ),
    ...longest([
      ...held(
        'capital_goods',
        await receivedWith(ctx, 'movable'),
        (day) => retentionOfReceived(day, 'movable'),
        today,
      ),
      ...held(
        'capital_goods',
        await receivedWith(ctx, 'property'),
        (day) => retentionOfReceived(day, 'property'),
        today,
      ),
    ]),
    ...held('entries', { ...entries, last: dayNumber(entries.last) }, retentionOfEntry, today),
    ...held('payments', await dated('payments'), retentionOfEntry, today),
    ...held('bank', await dated('bank_transactions'), retentionOfEntry, today),
    ...held(
      'returns',
      { ...returns, last: returns.last === null ? null : endOf(returns.last) },
      retentionOfEntry,
      today,
    ),
    ...held(
      'mandates',
      await lastOf(
        ctx,
        sql<Last>`select ${count} as count, max(last_used_on) as last from mandates where book_id = ${book} and last_used_on is not null`,
      ),
      retentionOfMandate,
      today,
    ),
    ...held('mails', dayOf(mails), retentionOfEntry, today),
  ]
}

/** Returns the first day on which nothing holds the company any more; null if nothing does. */
export function earliestEnd(all: readonly Held[]): BusinessDate | null {
  const until = all.reduce<BusinessDate | null>((last, each) => later(last, each.until), null)
  return until === null ? null : addDays(until, 1)
}
