/** Lists of invoices: pages by cursor for programs, stretches by position for the window, totals of the whole filter. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { createCursor, readCursor } from '../../../domain/contract/cursor.ts'
import type { ContractInput, ContractOutput } from '../../../domain/contract/define-contract.ts'
import type { exportInvoicesContract } from './export-contract.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { chosen } from '../../../db/selected-rows.ts'
import type { InvoiceFilter, InvoiceSort, listInvoicesContract, windowInvoicesContract } from '../contract.ts'
import { resolveFilter, selection } from './filter.ts'
import type { ResolvedFilter, SavedView } from './filter.ts'
import { totalsOfFilter } from './list-totals.ts'
import { summaryView } from './view.ts'
import type { SummaryRow } from './view.ts'

const DEFAULT_LIMIT = 25
const DEFAULT_WINDOW = 200
/** Rows of an export that are in memory at a time. */
const STRETCH = 500

interface SortKey {
  columns: readonly string[]
  descending: boolean
  position: (row: ListRow) => (string | number | null)[]
}

export type ListRow = SummaryRow & {
  id: number
  list_date: string
  series_id: number | null
  sequence: number | null
  metadata: string
}

/** By number means by series, then by sequence; drafts, which have neither, come last or first together. */
function sortKey(sort: InvoiceSort): SortKey {
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
      return {
        columns: ['coalesce(invoices.series_id, 0)', 'coalesce(invoices.sequence, 0)', 'invoices.id'],
        descending,
        position: (row) => [row.series_id ?? 0, row.sequence ?? 0, row.id],
      }
  }
}

function rowsOf(ctx: Ctx, filter: ResolvedFilter) {
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

/** What comes after a row in that order. Row values: the OR form of the same condition cannot use the index. */
function beyond(key: SortKey, position: readonly unknown[]) {
  const columns = sql.join(key.columns.map((column) => sql.raw(column)))
  return sql<SqlBool>`(${columns}) ${sql.raw(key.descending ? '<' : '>')} (${sql.join(position)})`
}

/** A page of invoices with a cursor that stays right while others are inserted. */
export const listInvoices: UseCase<typeof listInvoicesContract> = async (ctx, input) => {
  const { cursor, limit = DEFAULT_LIMIT, totals, sort = '-issueDate', ...filter } = input
  const resolved = await resolveFilter(ctx, filter)
  const bound = { ...filter, sort }
  const position = cursor === undefined ? null : readCursor(cursor, 'invoices', bound)
  const key = sortKey(sort)
  const withTotals = totals ? { totals: await totalsOfFilter(ctx, resolved) } : {}
  if (resolved.nothing) return { items: [], nextCursor: null, ...withTotals }
  let query = rowsOf(ctx, resolved)
  if (position) query = query.where(beyond(key, position))
  for (const column of key.columns) query = query.orderBy(sql.raw(column), key.descending ? 'desc' : 'asc')
  const rows: ListRow[] = await query.limit(limit + 1).execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const today = ctx.today()
  return {
    items: shown.map((row) => summaryView(ctx, row, today)),
    nextCursor: rows.length > limit && last ? createCursor('invoices', bound, key.position(last)) : null,
    ...withTotals,
  }
}

/** All that are meant in the order of the list, a stretch at a time. Throws `not_found` when one named is of nobody. */
export async function invoicesChosen(
  ctx: Ctx,
  { ids, view, sort = '-issueDate', ...filter }: ContractInput<typeof exportInvoicesContract>,
): Promise<AsyncGenerator<readonly ListRow[], void, undefined>> {
  const resolved = await resolveFilter(ctx, filter, view)
  if (!ids) return stretchesOf(ctx, resolved, sortKey(sort))
  const named = await chosen(
    ids,
    'invoices.public_id',
    async (condition) => (await totalsOfFilter(ctx, { conditions: [condition], nothing: false })).count,
  )
  const meant = { ...resolved, conditions: [...resolved.conditions, named] }
  return stretchesOf(ctx, meant, sortKey(sort))
}

async function* stretchesOf(
  ctx: Ctx,
  filter: ResolvedFilter,
  key: SortKey,
): AsyncGenerator<readonly ListRow[], void, undefined> {
  if (filter.nothing) return
  for (let position: readonly unknown[] | null = null; ;) {
    let query = rowsOf(ctx, filter)
    if (position) query = query.where(beyond(key, position))
    for (const column of key.columns) query = query.orderBy(sql.raw(column), key.descending ? 'desc' : 'asc')
    const rows: ListRow[] = await query.limit(STRETCH).execute()
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < STRETCH) return
    position = key.position(last)
  }
}

/** The issued invoices of a filter and a saved view, the oldest first; at most `limit` of them. */
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

async function countView(ctx: Ctx, view: SavedView): Promise<number> {
  const filter = await resolveFilter(ctx, {}, view)
  const { count } = await selection(ctx, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** A stretch of the list by position, for the window's scroll bar. */
export const windowInvoices: UseCase<typeof windowInvoicesContract> = async (ctx, input) => {
  const { view, sort = '-issueDate', offset = 0, limit = DEFAULT_WINDOW, summary, ...filter } = input
  const resolved = await resolveFilter(ctx, filter, view)
  const key = sortKey(sort)
  const today = ctx.today()
  let items: ContractOutput<typeof windowInvoicesContract>['items'] = []
  if (!resolved.nothing && limit > 0) {
    let query = rowsOf(ctx, resolved)
    for (const column of key.columns) query = query.orderBy(sql.raw(column), key.descending ? 'desc' : 'asc')
    const rows: ListRow[] = await query.limit(limit).offset(offset).execute()
    items = rows.map((row) => summaryView(ctx, row, today))
  }
  if (!summary) return { items, offset }
  const [all, drafts, owed, overdue, trouble, unsigned] = await Promise.all(
    (['all', 'drafts', 'owed', 'overdue', 'trouble', 'unsigned'] as const).map((name) =>
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
    },
  }
}
