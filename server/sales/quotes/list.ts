/** Lists of quotes: pages by cursor for programs, ranges by position with counts of the saved views for the window. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { eurosFromCents } from '../../domain/money.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type {
  getQuoteContract,
  listQuotesContract,
  QuoteFilter,
  QuoteState,
  windowQuotesContract,
} from './contract.ts'
import { resolveQuote } from './rows.ts'
import { quoteSummary, quoteView } from './view.ts'
import type { SummaryRow } from './view.ts'
import { countOf, cursorPage, inOrder } from '../../db/ordered-rows.ts'
import type { RowOrder } from '../../db/ordered-rows.ts'
import { matchesSearch } from '../../db/text-search.ts'

const DEFAULT_LIMIT = 25
const DEFAULT_WINDOW = 200

type View = NonNullable<ContractInput<typeof windowQuotesContract>['view']>

/** True when all of it is invoiced, by invoices in force: an annulled one opens it again. */
const IS_INVOICED = sql<SqlBool>`(quotes.is_spent = 1 and not exists (
  select 1 from quote_conversions c join invoices i on i.id = c.invoice_id
  where c.quote_id = quotes.id and c.is_released = 0 and i.cancelled_at is not null))`

function stateCondition(state: QuoteState, today: string) {
  const expired = sql<SqlBool>`(quotes.state = 'sent' and quotes.valid_until < ${today})`
  if (state === 'invoiced') return IS_INVOICED
  if (state === 'expired') return sql<SqlBool>`(${expired} and not ${IS_INVOICED})`
  if (state === 'sent')
    return sql<SqlBool>`(quotes.state = 'sent' and (quotes.valid_until is null or quotes.valid_until >= ${today}) and not ${IS_INVOICED})`
  return sql<SqlBool>`(quotes.state = ${state} and not ${IS_INVOICED})`
}

function viewCondition(view: View, today: string) {
  const of = (state: QuoteState) => stateCondition(state, today)
  switch (view) {
    case 'all':
      return sql<SqlBool>`1 = 1`
    case 'drafts':
      return of('draft')
    case 'waiting':
      return sql<SqlBool>`(quotes.kind <> 'delivery_note' and ${of('sent')})`
    case 'to_invoice':
      return sql<SqlBool>`(${of('accepted')} or (quotes.kind = 'delivery_note' and ${of('sent')}))`
    case 'closed':
      return sql<SqlBool>`(${of('rejected')} or ${of('expired')} or ${of('invoiced')})`
  }
}

function selection(ctx: Ctx, filter: QuoteFilter, view?: View) {
  const today = ctx.today()
  let query = ctx.db.selectFrom('quotes').where('quotes.book_id', '=', ctx.book.id)
  if (view !== undefined) query = query.where(viewCondition(view, today))
  if (filter.kind !== undefined) query = query.where('quotes.kind', '=', filter.kind)
  if (filter.state !== undefined) query = query.where(stateCondition(filter.state, today))
  if (filter.from !== undefined) query = query.where('quotes.date', '>=', filter.from)
  if (filter.to !== undefined) query = query.where('quotes.date', '<=', filter.to)
  if (filter.client !== undefined)
    query = query.where('quotes.contact_id', 'in', (eb) =>
      eb
        .selectFrom('contacts')
        .select('contacts.id')
        .where('contacts.book_id', '=', ctx.book.id)
        .where('contacts.public_id', '=', filter.client ?? ''),
    )
  if (filter.invoice !== undefined)
    query = query.where('quotes.id', 'in', (eb) =>
      eb
        .selectFrom('quote_conversions')
        .innerJoin('invoices', 'invoices.id', 'quote_conversions.invoice_id')
        .select('quote_conversions.quote_id')
        .where('invoices.book_id', '=', ctx.book.id)
        .where('invoices.public_id', '=', filter.invoice ?? ''),
    )
  if (filter.text !== undefined) query = query.where(matchesSearch(sql.ref('quotes.search'), filter.text))
  return query
}

function rowsOf(query: ReturnType<typeof selection>) {
  return query.select([
    'quotes.id',
    'quotes.public_id',
    'quotes.kind',
    'quotes.number',
    'quotes.state',
    'quotes.date',
    'quotes.valid_until',
    'quotes.client_name',
    'quotes.client_nif',
    'quotes.currency',
    'quotes.base_cents',
    'quotes.tax_cents',
    'quotes.total_cents',
    'quotes.revision',
    'quotes.version',
    'quotes.created_at',
    sql<number>`${IS_INVOICED}`.as('is_invoiced'),
    sql<number>`(select count(*) from quote_conversions c where c.quote_id = quotes.id)`.as('invoices'),
  ])
}

const NEWEST_FIRST: RowOrder<SummaryRow & { id: number }> = {
  columns: ['quotes.date', 'quotes.id'],
  descending: true,
  position: ({ date, id }) => [date, id],
}

/** Returns a page of quotes, newest first. */
export const listQuotes: UseCase<typeof listQuotesContract> = async (
  ctx,
  { cursor, limit = DEFAULT_LIMIT, ...filter },
) => {
  const { rows, nextCursor } = await cursorPage(rowsOf(selection(ctx, filter)), NEWEST_FIRST, {
    list: 'quotes',
    bound: filter,
    cursor,
    limit,
  })
  const today = ctx.today()
  return { items: rows.map((row) => quoteSummary(row, today)), nextCursor }
}

const count = (ctx: Ctx, view: View): Promise<number> => countOf(selection(ctx, {}, view))

/** Returns a range of the list by position. */
export const windowQuotes: UseCase<typeof windowQuotesContract> = async (
  ctx,
  { view, offset = 0, limit = DEFAULT_WINDOW, summary, ...filter },
) => {
  const today = ctx.today()
  const rows: SummaryRow[] =
    limit === 0
      ? []
      : await inOrder(rowsOf(selection(ctx, filter, view)), NEWEST_FIRST)
          .limit(limit)
          .offset(offset)
          .execute()
  const items = rows.map((row) => quoteSummary(row, today))
  if (!summary) return { items, offset }
  // Sums cover one currency only: quotes in another one are counted, not added.
  const euros = (column: 'base_cents' | 'tax_cents' | 'total_cents') =>
    sql<number | null>`sum(case when quotes.currency = 'EUR' then ${sql.ref(`quotes.${column}`)} else 0 end)`
  const sums = await selection(ctx, filter, view)
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      euros('base_cents').as('base'),
      euros('tax_cents').as('tax'),
      euros('total_cents').as('total'),
    ])
    .executeTakeFirstOrThrow()
  return {
    items,
    offset,
    totals: {
      count: sums.count,
      base: eurosFromCents(sums.base ?? 0),
      tax: eurosFromCents(sums.tax ?? 0),
      total: eurosFromCents(sums.total ?? 0),
    },
    views: {
      all: await count(ctx, 'all'),
      drafts: await count(ctx, 'drafts'),
      waiting: await count(ctx, 'waiting'),
      to_invoice: await count(ctx, 'to_invoice'),
      closed: await count(ctx, 'closed'),
    },
  }
}

/** Returns one quote with its invoices. */
export const getQuote: UseCase<typeof getQuoteContract> = async (ctx, { id }) => {
  const read = async () => quoteView(ctx, await resolveQuote(ctx, id))
  return ctx.inTransaction ? read() : ctx.env.store.readTogether(ctx.book.companyId, read)
}
