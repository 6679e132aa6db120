/** Turns a filter into SQL, for lists, totals and counts alike, so that they always agree. */
import { sql } from 'kysely'
import { unindexed } from '../../../db/engine-sql.ts'
import type { Expression, SqlBool } from 'kysely'
import { findContact } from '../../../catalog/contacts/index.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import { normalizeNif } from '../../../domain/tax/nif.ts'
import { normalizeText } from '../../../domain/text.ts'
import type { Ctx } from '../../../context.ts'
import { findSeriesByCode, sequencesBeginning, seriesOfBook } from '../../../company/series/index.ts'
import { matchesSearch } from '../../../db/text-search.ts'
import type { InvoiceFilter } from '../contract.ts'
import { findByNumber } from '../rows.ts'

export type SavedView = 'all' | 'drafts' | 'owed' | 'overdue' | 'trouble' | 'unsigned' | 'history'

/** Filter with its names resolved to rows; `nothing` when a name is unknown. */
export interface ResolvedFilter {
  conditions: Expression<SqlBool>[]
  nothing: boolean
}

const TROUBLE = ['rejected', 'unknown', 'accepted_with_errors'] as const
/** Up to this number of matching customers, invoices are read by customer; above it, the list is scanned by date. */
const FEW_PARTIES = 40

function viewConditions(ctx: Ctx, view: SavedView | undefined, today: BusinessDate): Expression<SqlBool>[] {
  switch (view) {
    case 'drafts':
      return [
        sql<SqlBool>`invoices.registry_status = 'not_issued' and invoices.registry_status <> 'accepted'`,
      ]
    case 'owed':
      return [sql<SqlBool>`invoices.is_owed = 1`]
    case 'overdue':
      return [sql<SqlBool>`invoices.is_owed = 1 and invoices.due_date < ${today}`]
    case 'trouble':
      return [
        sql<SqlBool>`invoices.registry_status in (${sql.join(TROUBLE)}) and invoices.registry_status <> 'accepted'`,
      ]
    case 'unsigned':
      return [
        sql<SqlBool>`invoices.id in (select invoice_id from unsigned_documents where book_id = ${ctx.book.id})`,
      ]
    case 'history':
      return [sql<SqlBool>`invoices.state = 'history'`]
    default:
      return []
  }
}

function paymentConditions(
  status: NonNullable<InvoiceFilter['paymentStatus']>,
  today: BusinessDate,
): Expression<SqlBool> {
  const due = sql<number>`invoices.due_cents`
  const late = sql<SqlBool>`invoices.due_date is not null and invoices.due_date < ${today}`
  switch (status) {
    case 'paid':
      return sql<SqlBool>`invoices.state <> 'draft' and invoices.is_owed = 0 and invoices.cancelled_at is null
        and invoices.uncollectible_at is null and ${due} >= 0`
    case 'credit':
      return sql<SqlBool>`invoices.state <> 'draft' and invoices.is_owed = 0 and invoices.cancelled_at is null
        and invoices.uncollectible_at is null and ${due} < 0`
    case 'cancelled':
      return sql<SqlBool>`invoices.cancelled_at is not null`
    case 'overdue':
      return sql<SqlBool>`invoices.is_owed = 1 and ${late}`
    case 'partial':
      return sql<SqlBool>`invoices.is_owed = 1 and invoices.paid_cents > 0 and not (${late})`
    case 'unpaid':
      return sql<SqlBool>`(invoices.is_owed = 1 and invoices.paid_cents = 0 and not (${late}))`
    case 'open':
      return sql<SqlBool>`invoices.is_owed = 1`
    case 'draft':
      return sql<SqlBool>`invoices.state = 'draft'`
    case 'uncollectible':
      return sql<SqlBool>`invoices.uncollectible_at is not null and invoices.cancelled_at is null`
  }
}

async function partiesMatching(ctx: Ctx, text: string): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('parties')
    .select('id')
    .where('book_id', '=', ctx.book.id)
    .where(matchesSearch(sql.ref('search'), text))
    .limit(FEW_PARTIES + 1)
    .execute()
  return rows.map((row) => row.id)
}

/** One way in which an invoice can match a text. */
interface Alternative {
  condition: Expression<SqlBool>
  /**
   * True for few invoices, found by an index of their own; else there are so many that a scan in list order soon
   * finds the newest.
   */
  few: boolean
}

/** Matches the beginning of a number. A series is issued in the order of its dates, so it limits the search. */
async function numberAlternatives(ctx: Ctx, prefix: string): Promise<Alternative[]> {
  const alternatives: Alternative[] = []
  for (const { id, code, lastIssueDate } of await seriesOfBook(ctx)) {
    const sequences = sequencesBeginning(code, prefix)
    if (sequences === 'all') {
      if (lastIssueDate === null) continue
      const condition = sql<SqlBool>`(invoices.list_date <= ${lastIssueDate} and ${unindexed(sql.ref('invoices.series_id'))} = ${id} and invoices.sequence is not null)`
      alternatives.push({ few: false, condition })
      continue
    }
    for (const [from, to] of sequences) {
      const condition = sql<SqlBool>`(invoices.series_id = ${id} and invoices.sequence between ${from} and ${to})`
      alternatives.push({ few: true, condition })
    }
  }
  return alternatives
}

/** Matches the beginning of a number that an earlier program gave: such numbers are no series and sequence. */
function historyNumber(ctx: Ctx, text: string): Alternative {
  const prefix = `${text.toUpperCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  const condition = sql<SqlBool>`(invoices.book_id = ${ctx.book.id} and invoices.state = 'history'
    and upper(invoices.number) like ${prefix} escape '\\')`
  return { few: true, condition }
}

/** Matches number, customer's name or NIF, or the exact total: the inputs of the search box. */
async function textCondition(ctx: Ctx, text: string, withHistory: boolean): Promise<Expression<SqlBool>> {
  const alternatives: Alternative[] = withHistory ? [historyNumber(ctx, text)] : []
  const publicIds = await findByNumber(ctx, text.toUpperCase())
  if (publicIds.length > 0)
    alternatives.push({ few: true, condition: sql<SqlBool>`invoices.public_id in (${sql.join(publicIds)})` })
  else if (/^[a-z]/i.test(text)) alternatives.push(...(await numberAlternatives(ctx, text.toUpperCase())))
  const byReference = sql<SqlBool>`(invoices.book_id = ${ctx.book.id} and invoices.external_ref = ${normalizeText(text)})`
  if (await hasAny(ctx, byReference)) alternatives.push({ few: true, condition: byReference })
  const amount = /^-?\d{1,12}(?:[.,]\d{1,2})?$/.exec(text.replace(/[\s€]/g, ''))
  if (amount) {
    const cents = Math.round(Number(amount[0].replace(',', '.')) * 100)
    const condition = sql<SqlBool>`(invoices.book_id = ${ctx.book.id} and invoices.total_cents = ${cents})`
    alternatives.push({ few: true, condition })
  }
  const parties = await partiesMatching(ctx, text)
  if (parties.length > FEW_PARTIES) {
    const named = matchesSearch(sql.ref('parties.search'), text)
    const condition = sql<SqlBool>`exists (select 1 from parties where parties.id = invoices.party_id and ${named})`
    alternatives.push({ few: false, condition })
  } else if (parties.length > 0)
    alternatives.push({ few: true, condition: sql<SqlBool>`invoices.party_id in (${sql.join(parties)})` })
  return eitherOf(alternatives)
}

async function hasAny(ctx: Ctx, condition: Expression<SqlBool>): Promise<boolean> {
  const row = await ctx.db.selectFrom('invoices').select('id').where(condition).limit(1).executeTakeFirst()
  return row !== undefined
}

function eitherOf(alternatives: readonly Alternative[]): Expression<SqlBool> {
  const conditions = alternatives.map(({ condition }) => condition)
  const [only] = conditions
  if (!only) return sql<SqlBool>`1 = 0`
  if (conditions.length === 1) return only
  if (!alternatives.every(({ few }) => few)) return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
  // Each by its own index: with one `or` SQLite would scan the whole list instead.
  const selects = conditions.map((condition) => sql`select invoices.id from invoices where ${condition}`)
  return sql<SqlBool>`invoices.id in (${sql.join(selects, sql` union all `)})`
}

/**
 * Returns the conditions of a filter and a saved view. Throws `validation_failed` when the dates are in the wrong
 * order.
 */
export async function resolveFilter(
  ctx: Ctx,
  filter: InvoiceFilter,
  view?: SavedView,
): Promise<ResolvedFilter> {
  const today = ctx.today()
  if (filter.from && filter.to && filter.from > filter.to)
    throw validationFailed([
      {
        code: 'dates_reversed',
        field: 'from',
        severity: 'error',
        message: 'from is after to.',
        fix: 'Swap them.',
      },
    ])
  const conditions: Expression<SqlBool>[] = viewConditions(ctx, view, today)
  let nothing = false
  if (filter.state === 'draft') conditions.push(...viewConditions(ctx, 'drafts', today))
  if (filter.state === 'issued') conditions.push(sql<SqlBool>`invoices.state = 'issued'`)
  // Documents of an earlier program are listed apart, except where what is owed is asked for.
  const withHistory = includesHistory(filter, view)
  if (filter.state === 'history') conditions.push(sql<SqlBool>`invoices.state = 'history'`)
  else if (!withHistory && !excludesHistory(filter, view))
    conditions.push(sql<SqlBool>`invoices.state <> 'history'`)
  if (filter.registryStatus) {
    conditions.push(
      filter.registryStatus === 'accepted'
        ? // Same text as in the index by date, so that SQLite uses it.
          sql<SqlBool>`case invoices.registry_status when 'accepted' then 1 else 0 end = 1`
        : sql<SqlBool>`invoices.registry_status = ${filter.registryStatus} and invoices.registry_status <> 'accepted'`,
    )
  }
  if (filter.kind) conditions.push(sql<SqlBool>`invoices.kind = ${filter.kind}`)
  if (filter.paymentStatus) conditions.push(paymentConditions(filter.paymentStatus, today))
  if (filter.from) conditions.push(sql<SqlBool>`invoices.list_date >= ${filter.from}`)
  if (filter.to) conditions.push(sql<SqlBool>`invoices.list_date <= ${filter.to}`)
  if (filter.externalRef)
    conditions.push(
      sql<SqlBool>`invoices.book_id = ${ctx.book.id} and invoices.external_ref = ${normalizeText(filter.externalRef)}`,
    )
  if (filter.updatedSince)
    conditions.push(sql<SqlBool>`invoices.updated_at >= ${Date.parse(filter.updatedSince)}`)
  if (filter.client) {
    const contact = await findContact(ctx, filter.client)
    if (contact) conditions.push(sql<SqlBool>`invoices.contact_id = ${contact.id}`)
    else nothing = true
  }
  if (filter.nif) {
    const rows = await ctx.db
      .selectFrom('parties')
      .select('id')
      .where('book_id', '=', ctx.book.id)
      .where('nif', 'in', [normalizeNif(filter.nif), filter.nif.trim().toUpperCase()])
      .execute()
    if (rows.length === 0) nothing = true
    else conditions.push(sql<SqlBool>`invoices.party_id in (${sql.join(rows.map((row) => row.id))})`)
  }
  if (filter.series) {
    const series = await findSeriesByCode(ctx, filter.series)
    if (series) conditions.push(sql<SqlBool>`invoices.series_id = ${series.id}`)
    else nothing = true
  }
  if (filter.text?.trim()) conditions.push(await textCondition(ctx, filter.text.trim(), withHistory))
  return { conditions, nothing }
}

/** True if history, what is owed, or all of a customer is asked for: invoices of an earlier program are among them. */
function includesHistory(
  { state, paymentStatus = 'paid', client }: InvoiceFilter,
  view: SavedView | undefined,
): boolean {
  if (isHistoryAlone({ state }, view)) return true
  const isOpen = ['open', 'overdue', 'partial', 'unpaid'].includes(paymentStatus)
  return isOpen || view === 'owed' || view === 'overdue' || client !== undefined
}

/** True if a list is of the invoices of an earlier program alone. */
export function isHistoryAlone({ state }: Pick<InvoiceFilter, 'state'>, view?: SavedView): boolean {
  return state === 'history' || view === 'history'
}

/** True if another condition leaves out the documents of an earlier program, which were never registered. */
function excludesHistory({ state, registryStatus }: InvoiceFilter, view: SavedView | undefined): boolean {
  if (registryStatus !== undefined) return registryStatus !== 'not_registered'
  return state !== undefined || view === 'drafts' || view === 'trouble' || view === 'unsigned'
}

/** Returns a query of the invoices of a filter in the book. */
export function selection(ctx: Ctx, filter: ResolvedFilter) {
  let query = ctx.db.selectFrom('invoices').where('invoices.book_id', '=', ctx.book.id)
  for (const condition of filter.conditions) query = query.where(condition)
  return query
}
