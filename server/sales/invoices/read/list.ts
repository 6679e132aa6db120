/** Lists of invoices: pages by cursor for programs, ranges by position for the window, totals of the whole filter. */
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import type { exportInvoicesContract } from './export-contract.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { countOf, cursorPage, inOrder, batchesOf } from '../../../db/ordered-rows.ts'
import type { RowOrder } from '../../../db/ordered-rows.ts'
import { chosen } from '../../../db/selected-rows.ts'
import type { InvoiceFilter, InvoiceSort, listInvoicesContract, windowInvoicesContract } from '../contract.ts'
import { isHistoryAlone, resolveFilter, selection } from './filter.ts'
import type { ResolvedFilter, SavedView } from './filter.ts'
import { totalsOfFilter } from './list-totals.ts'
import { summaryView } from './view.ts'
import type { SummaryRow } from './view.ts'

const DEFAULT_LIMIT = 25
const DEFAULT_WINDOW = 200

export type ListRow = SummaryRow & {
  id: number
  list_date: string
  series_id: number | null
  sequence: number | null
  metadata: string
}

/**
 * Order by number: by series, then by sequence; drafts, which have neither, come last or first together. Invoices of an
 * earlier program are ordered by their number as it is printed.
 */
function orderOf(sort: InvoiceSort, ofHistory: boolean): RowOrder<ListRow> {
  const descending = sort.startsWith('-')
  switch (sort) {
    case 'issueDate':
    case '-issueDate':
      return {
        columns: ['invoices.list_date', 'invoices.id'],
        descending,
        position: (row) => [row.list_date, row.id],
      }
    case 'total':
    case '-total':
      return {
        columns: ['invoices.total_cents', 'invoices.id'],
        descending,
        position: (row) => [row.total_cents, row.id],
      }
    case 'number':
    case '-number':
      if (ofHistory)
        return {
          columns: ['invoices.number', 'invoices.id'],
          descending,
          position: (row) => [row.number ?? '', row.id],
        }
      return {
        columns: ['coalesce(invoices.series_id, 0)', 'coalesce(invoices.sequence, 0)', 'invoices.id'],
        descending,
        position: (row) => [row.series_id ?? 0, row.sequence ?? 0, row.id],
      }
  }
}

/** The rows of a filter as lists show them; null when a name in it is of nobody. */
function rowsOf(ctx: Ctx, filter: ResolvedFilter) {
  if (filter.nothing) return null
  return selection(ctx, filter)
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .leftJoin('series', 'series.id', 'invoices.series_id')
    .select([
      'invoices.id',
      'invoices.public_id',
      'invoices.number',
      'invoices.series_id',
      'invoices.sequence',
      'series.code as series_code',
      'invoices.kind',
      'invoices.state',
      'invoices.list_date',
      'invoices.issue_date',
      'invoices.due_date',
      'parties.name as client_name',
      'parties.nif as client_nif',
      'invoices.base_cents',
      'invoices.tax_cents',
      'invoices.total_cents',
      'invoices.withholding_cents',
      'invoices.paid_cents',
      'invoices.due_cents',
      'invoices.is_owed',
      'invoices.registry_status',
      'invoices.version',
      'invoices.external_ref',
      'invoices.metadata',
      'invoices.created_at',
      'invoices.updated_at',
      'invoices.cancelled_at',
      'invoices.uncollectible_at',
      'invoices.currency',
    ])
}

/** Returns a page of invoices; its cursor stays valid while others are inserted. */
export const listInvoices: UseCase<typeof listInvoicesContract> = async (ctx, input) => {
  const { cursor, limit = DEFAULT_LIMIT, totals, sort = '-issueDate', ...filter } = input
  const resolved = await resolveFilter(ctx, filter)
  const withTotals = totals ? { totals: await totalsOfFilter(ctx, resolved) } : {}
  const { rows, nextCursor } = await cursorPage(
    rowsOf(ctx, resolved),
    orderOf(sort, isHistoryAlone(filter)),
    {
      list: 'invoices',
      bound: { ...filter, sort },
      cursor,
      limit,
    },
  )
  const today = ctx.today()
  return { items: rows.map((row) => summaryView(ctx, row, today)), nextCursor, ...withTotals }
}

/** Yields the chosen rows in the order of the list, a range at a time. Throws `not_found` for an unknown identifier. */
export async function invoicesChosen(
  ctx: Ctx,
  { ids, view, sort = '-issueDate', ...filter }: ContractInput<typeof exportInvoicesContract>,
): Promise<AsyncGenerator<readonly ListRow[], void, undefined>> {
  const resolved = await resolveFilter(ctx, filter, view)
  const order = orderOf(sort, isHistoryAlone(filter, view))
  if (!ids) return batchesOf(rowsOf(ctx, resolved), order)
  const named = await chosen(
    ids,
    'invoices.public_id',
    async (condition) => (await totalsOfFilter(ctx, { conditions: [condition], nothing: false })).count,
  )
  const meant = { ...resolved, conditions: [...resolved.conditions, named] }
  return batchesOf(rowsOf(ctx, meant), order)
}

/** Returns the issued invoices of a filter and a saved view, the oldest first; at most `limit` of them. */
export async function issuedOf(
  ctx: Ctx,
  { view, ...filter }: InvoiceFilter & { view?: SavedView | undefined },
  limit: number,
): Promise<{ id: string; number: string | null }[]> {
  const resolved = await resolveFilter(ctx, filter, view)
  if (resolved.nothing) return []
  return selection(ctx, resolved)
    .select(['invoices.public_id as id', 'invoices.number'])
    .where('invoices.state', '=', 'issued')
    .orderBy('invoices.list_date')
    .orderBy('invoices.id')
    .limit(limit)
    .execute()
}

const countView = async (ctx: Ctx, view: SavedView): Promise<number> =>
  countOf(selection(ctx, await resolveFilter(ctx, {}, view)))

/** Returns a range of the list by position, for the window's scroll bar. */
export const windowInvoices: UseCase<typeof windowInvoicesContract> = async (ctx, input) => {
  const { view, sort = '-issueDate', offset = 0, limit = DEFAULT_WINDOW, summary, ...filter } = input
  const resolved = await resolveFilter(ctx, filter, view)
  const query = limit > 0 ? rowsOf(ctx, resolved) : null
  const rows = query
    ? await inOrder(query, orderOf(sort, isHistoryAlone(filter, view)))
        .limit(limit)
        .offset(offset)
        .execute()
    : []
  const today = ctx.today()
  const items = rows.map((row) => summaryView(ctx, row, today))
  if (!summary) return { items, offset }
  const [all, drafts, owed, overdue, trouble, unsigned, history] = await Promise.all(
    (['all', 'drafts', 'owed', 'overdue', 'trouble', 'unsigned', 'history'] as const).map((name) =>
      countView(ctx, name),
    ),
  )
  return {
    items,
    offset,
    totals: await totalsOfFilter(ctx, resolved),
    views: {
      all: all ?? 0,
      drafts: drafts ?? 0,
      owed: owed ?? 0,
      overdue: overdue ?? 0,
      trouble: trouble ?? 0,
      unsigned: unsigned ?? 0,
      history: history ?? 0,
    },
  }
}
