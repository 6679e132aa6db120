/** Lists of followed invoices, and what awaits an answer. */
import { cursorPage } from '../../../db/ordered-rows.ts'
import type { RowOrder } from '../../../db/ordered-rows.ts'
import { orNotFound } from '../../../context.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import type {
  exchangeDueContract,
  getExchangeContract,
  listExchangeContract,
  windowExchangeContract,
} from '../contract.ts'
import { countedDaysLeft } from '../law/clock.ts'
import { findDocument, isOpenReport } from '../state/rows.ts'
import type { ReportRow } from '../state/rows.ts'
import { findFlow } from '../state/settings.ts'
import { documentView, listedRows, reportView, summaryView } from './view.ts'
import type { ListedRow } from './view.ts'

const DEFAULT_LIMIT = 50
/** Rows of each part of what is due. */
const MOST_DUE = 200
/** Counted days that make a report urgent. */
const SOON_DAYS = 2

const NEWEST_FIRST: RowOrder<ListedRow> = {
  columns: ['exchange_documents.issue_date', 'exchange_documents.id'],
  descending: true,
  position: (row) => [row.issue_date, row.id],
}

type Filter = Pick<
  Parameters<UseCase<typeof listExchangeContract>>[1],
  'direction' | 'state' | 'due' | 'invoiceId' | 'receivedId'
>

/** Selects the followed invoices that match a filter. */
function filteredRows(ctx: Ctx, { direction, state, due, invoiceId, receivedId }: Filter) {
  const today = ctx.today()
  let query = listedRows(ctx)
  if (direction) query = query.where('exchange_documents.direction', '=', direction)
  if (state) query = query.where('exchange_documents.state', '=', state)
  if (invoiceId) query = query.where('invoices.public_id', '=', invoiceId)
  if (receivedId) query = query.where('received_invoices.public_id', '=', receivedId)
  if (due)
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('exchange_reports')
          .select('exchange_reports.id')
          .whereRef('exchange_reports.document_id', '=', 'exchange_documents.id')
          .where('exchange_reports.state', 'in', ['to_send', 'unknown'])
          .$if(due === 'late', (late) => late.where('exchange_reports.last_day', '<', today)),
      ),
    )
  return query
}

/** Returns the number of followed invoices of each direction and state. */
async function countsOf(ctx: Ctx): Promise<Record<string, number>> {
  const counted = await ctx.db
    .selectFrom('exchange_documents')
    .select((eb) => ['direction', 'state', eb.fn.countAll<number>().as('documents')])
    .where('book_id', '=', ctx.book.id)
    .groupBy(['direction', 'state'])
    .execute()
  return Object.fromEntries(
    counted.map((each) => [`${each.direction}.${each.state}`, Number(each.documents)]),
  )
}

/** Returns a page of followed invoices. */
export const listExchange: UseCase<typeof listExchangeContract> = async (ctx, input) => {
  const { limit = DEFAULT_LIMIT, cursor, ...filter } = input
  const { rows, nextCursor } = await cursorPage(
    filteredRows(ctx, filter).$castTo<ListedRow>(),
    NEWEST_FIRST,
    { list: 'exchange', bound: filter, cursor, limit },
  )
  const today = ctx.today()
  return { items: rows.map((row) => summaryView(row, today)), nextCursor, counts: await countsOf(ctx) }
}

/** Returns followed invoices by their position, for the page. */
export const windowExchange: UseCase<typeof windowExchangeContract> = async (ctx, input) => {
  const { offset = 0, limit = DEFAULT_LIMIT, ...filter } = input
  const query = filteredRows(ctx, filter)
  const rows =
    limit === 0
      ? []
      : await query
          .orderBy('exchange_documents.issue_date', 'desc')
          .orderBy('exchange_documents.id', 'desc')
          .limit(limit)
          .offset(offset)
          .$castTo<ListedRow>()
          .execute()
  const count = await countRows(query)
  const today = ctx.today()
  return {
    items: rows.map((row) => summaryView(row, today)),
    offset,
    count,
    counts: await countsOf(ctx),
  }
}

/** Returns one followed invoice. */
export const getExchange: UseCase<typeof getExchangeContract> = async (ctx, { id }) =>
  documentView(ctx, orNotFound(await findDocument(ctx, id)))

/** Selects what a person has to see to: refused, or it cannot be written, or what both sides say of it contradicts. */
function wrongRows(ctx: Ctx) {
  return listedRows(ctx)
    .where((eb) =>
      eb.or([
        eb('exchange_documents.state', '=', 'refused'),
        eb.and([
          eb('exchange_documents.state', '=', 'to_send'),
          eb('exchange_documents.next_at', 'is', null),
        ]),
        eb('exchange_documents.why', '=', 'paid_though_rejected'),
        eb.and([
          eb('exchange_documents.direction', '=', 'received'),
          eb('exchange_documents.why', 'in', ['too_large', 'file_unreadable']),
        ]),
        eb.and([
          eb('exchange_documents.state', '=', 'admitted'),
          eb('exchange_documents.why', '=', 'cancelled'),
        ]),
        eb.and([
          eb('exchange_documents.direction', '=', 'issued'),
          eb('exchange_documents.state', '=', 'admitted'),
          eb('exchange_documents.partner_said', '=', 'rejected'),
        ]),
        eb.exists(
          eb
            .selectFrom('exchange_reports')
            .select('exchange_reports.id')
            .whereRef('exchange_reports.document_id', '=', 'exchange_documents.id')
            .where('exchange_reports.state', '=', 'refused')
            .where((each) =>
              each.not(
                each.exists(
                  each
                    .selectFrom('exchange_reports as later')
                    .select('later.id')
                    .whereRef('later.document_id', '=', 'exchange_reports.document_id')
                    .whereRef('later.position', '>', 'exchange_reports.position')
                    .where('later.state', '<>', 'dropped'),
                ),
              ),
            ),
        ),
      ]),
    )
    .where('exchange_documents.state', '<>', 'withdrawn')
}

/** Returns the number of invoices of a query. */
async function countRows(query: ReturnType<typeof listedRows>): Promise<number> {
  const { count } = await query
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns what awaits an answer. */
export const exchangeDue: UseCase<typeof exchangeDueContract> = async (ctx) => {
  const today = ctx.today()
  const withTerm = ctx.db
    .selectFrom('exchange_reports')
    .where('book_id', '=', ctx.book.id)
    .where(isOpenReport)
    .where('last_day', 'is not', null)
  const waiting: ReportRow[] = await withTerm
    .selectAll()
    .orderBy('last_day')
    .orderBy('id')
    .limit(MOST_DUE)
    .execute()
  const ids = [...new Set(waiting.map(({ document_id }) => document_id))]
  const documents = new Map(
    ids.length === 0
      ? []
      : (await listedRows(ctx).where('exchange_documents.id', 'in', ids).$castTo<ListedRow>().execute()).map(
          (row) => [row.id, row],
        ),
  )
  const unanswered = listedRows(ctx)
    .where('exchange_documents.direction', '=', 'received')
    .where('exchange_documents.state', '=', 'open')
  const open = await unanswered
    .orderBy('exchange_documents.issue_date')
    .orderBy('exchange_documents.id')
    .limit(MOST_DUE)
    .$castTo<ListedRow>()
    .execute()
  const wrong = wrongRows(ctx)
  const troubles = await wrong
    .orderBy('exchange_documents.issue_date')
    .orderBy('exchange_documents.id')
    .limit(MOST_DUE)
    .$castTo<ListedRow>()
    .execute()
  const byDay = await withTerm
    .select((eb) => ['last_day', eb.fn.countAll<number>().as('reports')])
    .groupBy('last_day')
    .$castTo<{ last_day: BusinessDate; reports: number }>()
    .execute()
  const reportsOfDays = (isOne: (day: BusinessDate) => boolean): number =>
    byDay.reduce((sum, each) => sum + (isOne(each.last_day) ? Number(each.reports) : 0), 0)
  const reports = waiting.flatMap((report) => {
    const document = documents.get(report.document_id)
    return document ? [{ document: summaryView(document, today), report: reportView(report, today) }] : []
  })
  const flow = await findFlow(ctx)
  return {
    today,
    reports,
    open: open.map((row) => summaryView(row, today)),
    troubles: troubles.map((row) => summaryView(row, today)),
    counts: {
      reports: reportsOfDays(() => true),
      open: await countRows(unanswered),
      troubles: await countRows(wrong),
    },
    late: reportsOfDays((day) => day < today),
    dueSoon: reportsOfDays((day) => day >= today && countedDaysLeft(today, day) <= SOON_DAYS),
    fault: flow.fault_code === null ? null : { code: flow.fault_code, detail: flow.fault_detail },
    nextSendAt: flow.next_send_at > ctx.now().getTime() ? new Date(flow.next_send_at).toISOString() : null,
    polledAt: flow.polled_at === null ? null : new Date(flow.polled_at).toISOString(),
  }
}
