/** Lists of received invoices: pages by cursor for programs, ranges by position for the window. */
import { sql } from 'kysely'
import type { Expression, SqlBool } from 'kysely'
import { findContact } from '../../catalog/contacts/index.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../domain/money.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { countOf, cursorPage, inOrder, batchesOf } from '../../db/ordered-rows.ts'
import type { RowOrder } from '../../db/ordered-rows.ts'
import { chosen } from '../../db/selected-rows.ts'
import { matchesSearch } from '../../db/text-search.ts'
import { EXPENSE_CONCEPTS, ASSET_ACCOUNT } from './concepts.ts'
import type {
  conceptsContract,
  getReceivedContract,
  listReceivedContract,
  ReceivedFilter,
  ReceivedSort,
  windowReceivedContract,
} from './contract.ts'
import { error } from '../fault.ts'
import { findReceived } from './rows.ts'
import type { ReceivedRow } from './rows.ts'
import { receivedSummary, receivedView } from './view.ts'

export type ListRow = ReceivedRow & { contact_public_id: string | null }
type View = NonNullable<ContractInput<typeof windowReceivedContract>['view']>

const DEFAULT_LIMIT = 25
const DEFAULT_WINDOW = 200

/** Rows without a due date come last in the order by due date. */
const NO_DUE_DATE = '9999-12-31'

function orderOf(sort: ReceivedSort): RowOrder<ListRow> {
  const descending = sort.startsWith('-')
  switch (sort) {
    case 'receptionDate':
    case '-receptionDate':
      return {
        columns: ['received_invoices.reception_date', 'received_invoices.id'],
        descending,
        position: (row) => [row.reception_date, row.id],
      }
    case 'number':
    case '-number':
      return {
        columns: ['received_invoices.year', 'received_invoices.sequence'],
        descending,
        position: (row) => [row.year, row.sequence],
      }
    case 'total':
    case '-total':
      return {
        columns: ['received_invoices.total_cents', 'received_invoices.id'],
        descending,
        position: (row) => [row.total_cents, row.id],
      }
    case 'dueDate':
    case '-dueDate':
      return {
        columns: [`coalesce(received_invoices.due_date, '${NO_DUE_DATE}')`, 'received_invoices.id'],
        descending,
        position: (row) => [row.due_date ?? NO_DUE_DATE, row.id],
      }
  }
}

/** Documents of an earlier program have no reception number: lists with them are ordered by day instead. */
function sortOf(sort: ReceivedSort | undefined, filter: ReceivedFilter, view?: View): ReceivedSort {
  if (sort === undefined) return '-receptionDate'
  if (filter.state !== 'history' && !includesHistory(filter, view)) return sort
  return sort === 'number' ? 'receptionDate' : sort === '-number' ? '-receptionDate' : sort
}

function viewConditions(view: View | undefined, today: BusinessDate): Expression<SqlBool>[] {
  switch (view) {
    case 'owed':
      return [sql<SqlBool>`received_invoices.is_owed = 1`]
    case 'overdue':
      return [sql<SqlBool>`received_invoices.is_owed = 1 and received_invoices.due_date < ${today}`]
    case 'withoutFile':
      return [sql<SqlBool>`received_invoices.files = 0 and received_invoices.state = 'entered'`]
    case 'history':
      return [sql<SqlBool>`received_invoices.state = 'history'`]
    default:
      return []
  }
}

function paymentCondition(
  status: NonNullable<ReceivedFilter['paymentStatus']>,
  today: BusinessDate,
): Expression<SqlBool> {
  const late = sql<SqlBool>`(received_invoices.due_date is not null and received_invoices.due_date < ${today})`
  const open = sql<SqlBool>`received_invoices.state <> 'void' and received_invoices.payable_cents <> received_invoices.paid_cents`
  switch (status) {
    case 'open':
      return sql<SqlBool>`received_invoices.is_owed = 1`
    case 'void':
      return sql<SqlBool>`received_invoices.state = 'void'`
    case 'paid':
      return sql<SqlBool>`received_invoices.state <> 'void' and received_invoices.payable_cents = received_invoices.paid_cents`
    case 'overdue':
      return sql<SqlBool>`received_invoices.is_owed = 1 and ${late}`
    case 'partial':
      return sql<SqlBool>`${open} and received_invoices.paid_cents <> 0 and not (received_invoices.is_owed = 1 and ${late})`
    case 'unpaid':
      return sql<SqlBool>`${open} and received_invoices.paid_cents = 0 and not (received_invoices.is_owed = 1 and ${late})`
  }
}

function textCondition(text: string): Expression<SqlBool> {
  const byText = matchesSearch(sql.ref('received_invoices.search'), text)
  const number = /^(\d{4})-(\d{1,9})$/.exec(text)
  if (number)
    return sql<SqlBool>`(${byText} or (received_invoices.year = ${Number(number[1])} and received_invoices.sequence = ${Number(number[2])}))`
  const amount = /^-?\d{1,12}(?:[.,]\d{1,2})?$/.exec(text.replace(/[\s€]/g, ''))
  if (!amount) return byText
  const cents = Math.round(Number(amount[0].replace(',', '.')) * 100)
  return sql<SqlBool>`(${byText} or received_invoices.total_cents = ${cents})`
}

/** Returns the conditions of a filter; null when it names an unknown contact. */
async function conditionsOf(
  ctx: Ctx,
  filter: ReceivedFilter,
  view?: View,
): Promise<Expression<SqlBool>[] | null> {
  const today = ctx.today()
  if (filter.from && filter.to && filter.from > filter.to)
    throw validationFailed([error('dates_reversed', 'from', 'from is after to.', 'Swap them.')])
  const conditions = viewConditions(view, today)
  if (filter.state) conditions.push(sql<SqlBool>`received_invoices.state = ${filter.state}`)
  // Documents of an earlier program are listed apart, except where what is owed is asked for.
  else if (!includesHistory(filter, view)) conditions.push(sql<SqlBool>`received_invoices.state <> 'history'`)
  if (filter.kind) conditions.push(sql<SqlBool>`received_invoices.kind = ${filter.kind}`)
  if (filter.paymentStatus) conditions.push(paymentCondition(filter.paymentStatus, today))
  if (filter.from) conditions.push(sql<SqlBool>`received_invoices.reception_date >= ${filter.from}`)
  if (filter.to) conditions.push(sql<SqlBool>`received_invoices.reception_date <= ${filter.to}`)
  if (filter.supplier) {
    const contact = await findContact(ctx, filter.supplier)
    if (!contact) return null
    conditions.push(sql<SqlBool>`received_invoices.contact_id = ${contact.id}`)
  }
  if (filter.nif) conditions.push(sql<SqlBool>`received_invoices.supplier_nif = ${normalizeNif(filter.nif)}`)
  if (filter.concept) conditions.push(sql<SqlBool>`received_invoices.concept = ${filter.concept}`)
  if (filter.withoutFile) conditions.push(...viewConditions('withoutFile', today))
  if (filter.text?.trim()) conditions.push(textCondition(filter.text.trim()))
  return conditions
}

/** True if history, what is owed, or all of a supplier is asked for: documents of an earlier program are among them. */
function includesHistory(
  { paymentStatus = 'paid', supplier }: ReceivedFilter,
  view: View | undefined,
): boolean {
  if (view === 'history') return true
  const isOpen = ['open', 'overdue', 'partial', 'unpaid'].includes(paymentStatus)
  return isOpen || view === 'owed' || view === 'overdue' || supplier !== undefined
}

function selection(ctx: Ctx, conditions: readonly Expression<SqlBool>[]) {
  let query = ctx.db.selectFrom('received_invoices').where('received_invoices.book_id', '=', ctx.book.id)
  for (const condition of conditions) query = query.where(condition)
  return query
}

/** The rows of these conditions as lists show them; null when a name in the filter is of nobody. */
function rowsOf(ctx: Ctx, conditions: readonly Expression<SqlBool>[] | null) {
  if (conditions === null) return null
  return selection(ctx, conditions)
    .leftJoin('contacts', (join) =>
      join.onRef('contacts.id', '=', 'received_invoices.contact_id').on('contacts.blocked_at', 'is', null),
    )
    .selectAll('received_invoices')
    .select('contacts.public_id as contact_public_id')
}

const inForce = (expression: string) =>
  sql<number | null>`sum(case when received_invoices.state <> 'void' then ${sql.raw(expression)} else 0 end)`

async function totalsOf(ctx: Ctx, conditions: readonly Expression<SqlBool>[] | null) {
  if (conditions === null) return { count: 0, base: 0, tax: 0, total: 0, due: 0 }
  const row = await selection(ctx, conditions)
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      inForce('received_invoices.base_cents').as('base'),
      inForce('received_invoices.tax_cents').as('tax'),
      inForce('received_invoices.total_cents').as('total'),
      inForce('received_invoices.payable_cents - received_invoices.paid_cents').as('due'),
    ])
    .executeTakeFirstOrThrow()
  const euros = (cents: number | null): number => eurosFromCents(cents ?? 0)
  return {
    count: row.count,
    base: euros(row.base),
    tax: euros(row.tax),
    total: euros(row.total),
    due: euros(row.due),
  }
}

/** Returns a page; its cursor stays valid while others are entered. */
export const listReceived: UseCase<typeof listReceivedContract> = async (ctx, input) => {
  const { cursor, limit = DEFAULT_LIMIT, totals, sort: asked, ...filter } = input
  const sort = sortOf(asked, filter)
  const conditions = await conditionsOf(ctx, filter)
  const withTotals = totals ? { totals: await totalsOf(ctx, conditions) } : {}
  const { rows, nextCursor } = await cursorPage(rowsOf(ctx, conditions), orderOf(sort), {
    list: 'received',
    bound: { ...filter, sort },
    cursor,
    limit,
  })
  const today = ctx.today()
  const items = rows.map((row) => receivedSummary(row, row.contact_public_id, today))
  return { items, nextCursor, ...withTotals }
}

const countView = async (ctx: Ctx, view: View): Promise<number> =>
  countOf(selection(ctx, (await conditionsOf(ctx, {}, view)) ?? []))

/** Returns a range of the list by position. */
export const windowReceived: UseCase<typeof windowReceivedContract> = async (ctx, input) => {
  const { view, sort: asked, offset = 0, limit = DEFAULT_WINDOW, summary, ...filter } = input
  const sort = sortOf(asked, filter, view)
  const conditions = await conditionsOf(ctx, filter, view)
  const today = ctx.today()
  const query = limit > 0 ? rowsOf(ctx, conditions) : null
  const rows = query ? await inOrder(query, orderOf(sort)).limit(limit).offset(offset).execute() : []
  const items = rows.map((row) => receivedSummary(row, row.contact_public_id, today))
  if (!summary) return { items, offset }
  return {
    items,
    offset,
    totals: await totalsOf(ctx, conditions),
    views: {
      all: await countView(ctx, 'all'),
      owed: await countView(ctx, 'owed'),
      overdue: await countView(ctx, 'overdue'),
      withoutFile: await countView(ctx, 'withoutFile'),
      history: await countView(ctx, 'history'),
    },
  }
}

/** Rows of a list by its filter, or some of them by identifier. */
type ReceivedChoice = ReceivedFilter & {
  ids?: readonly string[] | undefined
  view?: View | undefined
  sort?: ReceivedSort | undefined
}

/** Yields the chosen rows in the order of the list, a range at a time. Throws `not_found` for an unknown identifier. */
export async function receivedChosen(
  ctx: Ctx,
  { ids, view, sort, ...filter }: ReceivedChoice,
): Promise<AsyncGenerator<readonly ListRow[], void, undefined>> {
  const conditions = await conditionsOf(ctx, filter, view)
  if (ids && conditions)
    conditions.push(
      await chosen(ids, 'received_invoices.public_id', async (named) => (await totalsOf(ctx, [named])).count),
    )
  return batchesOf(rowsOf(ctx, conditions), orderOf(sortOf(sort, filter, view)))
}

/** Returns one received invoice. */
export const getReceived: UseCase<typeof getReceivedContract> = async (ctx, { id }) =>
  receivedView(ctx, orNotFound(await findReceived(ctx, id)))

/** Returns the concepts of expense. */
export const listConcepts: UseCase<typeof conceptsContract> = async () => ({
  items: EXPENSE_CONCEPTS.map((concept) => ({
    ...concept,
    investmentAccount: concept.vat ? ASSET_ACCOUNT : null,
  })),
})

/** Counts the received invoices in force without a document. */
export async function countWithoutFile(ctx: Ctx): Promise<number> {
  return countView(ctx, 'withoutFile')
}
