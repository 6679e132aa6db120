/** Open items: receivables, payables, credits and advances, and their aging. Reads open rows only. */
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { addDays, daysBetween } from '../../domain/dates.ts'
import { createCursor, readCursor } from '../../domain/contract/cursor.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { findContact } from '../../catalog/contacts/index.ts'
import { prepare } from '../../db/query.ts'
import { folded, matchesSearch } from '../../db/text-search.ts'
import type { agingContract, Buckets, OpenItem, openItemsContract, Side } from './contract.ts'

const DEFAULT_LIMIT = 200
const LIST = 'payments.open'

interface OpenRow {
  type: 'invoice' | 'received' | 'advance'
  public_id: string
  /** 0 without. */
  instalment: number
  number: string | null
  name: string
  nif: string | null
  contact_id: number | null
  contact_public_id: string | null
  date: string
  due_date: string | null
  total_cents: Cents
  open_cents: Cents
  currency: string
}

const NOTHING = sql``

/** Selects receivables, each open instalment by itself; open invoices and credits have an index each. */
function receivables(bookId: number, contactId: number | null): RawBuilder<OpenRow> {
  const mine = contactId === null ? NOTHING : sql`and i.contact_id = ${contactId}`
  const columns = sql`select 'invoice' as type, i.public_id, coalesce(s.position, 0) as instalment, i.number, p.name, p.nif,
    i.contact_id, c.public_id as contact_public_id, i.issue_date as date, coalesce(s.due_date, i.due_date) as due_date,
    coalesce(s.cents, i.due_cents + i.paid_cents) as total_cents, coalesce(s.open_cents, i.due_cents) as open_cents,
    i.currency
    from invoices i join parties p on p.id = i.party_id left join contacts c on c.id = i.contact_id
    left join invoice_instalments s on s.invoice_id = i.id and s.open_cents > 0`
  return sql<OpenRow>`
    ${columns} where i.book_id = ${bookId} and i.is_owed = 1 ${mine}
    union all
    ${columns} where i.book_id = ${bookId} and i.due_cents < 0 and i.state <> 'draft' and i.cancelled_at is null
      and i.is_owed = 0 and i.uncollectible_at is null ${mine}
    union all
    ${advances(bookId, contactId, 'in')}`
}

function payables(bookId: number, contactId: number | null): RawBuilder<OpenRow> {
  const mine = contactId === null ? NOTHING : sql`and r.contact_id = ${contactId}`
  const columns = sql`select 'received' as type, r.public_id, 0 as instalment, r.supplier_number as number, r.supplier_name as name,
    r.supplier_nif as nif, r.contact_id, c.public_id as contact_public_id, r.issue_date as date, r.due_date,
    r.payable_cents as total_cents, r.payable_cents - r.paid_cents as open_cents, r.currency
    from received_invoices r left join contacts c on c.id = r.contact_id`
  return sql<OpenRow>`
    ${columns} where r.book_id = ${bookId} and r.is_owed = 1 ${mine}
    union all
    ${columns} where r.book_id = ${bookId} and r.total_cents < 0 and r.state <> 'void' and r.is_owed = 0
      and r.payable_cents - r.paid_cents < 0 ${mine}
    union all
    ${advances(bookId, contactId, 'out')}`
}

/** Selects advances, with a negative amount because they reduce what is open. */
function advances(bookId: number, contactId: number | null, direction: 'in' | 'out'): RawBuilder<OpenRow> {
  const mine = contactId === null ? NOTHING : sql`and a.contact_id = ${contactId}`
  return sql<OpenRow>`select 'advance' as type, a.public_id, 0 as instalment, a.reference as number, c.name, c.nif, a.contact_id,
    c.public_id as contact_public_id, a.date, null as due_date, -a.advance_cents as total_cents,
    -(a.advance_cents - (select coalesce(sum(u.cents), 0) from payment_allocations u where u.advance_id = a.id))
      as open_cents, 'EUR' as currency
    from payments a join contacts c on c.id = a.contact_id
    where a.book_id = ${bookId} and a.advance_cents > 0 and a.direction = ${direction} ${mine}
      and a.advance_cents > (select coalesce(sum(u.cents), 0) from payment_allocations u where u.advance_id = a.id)`
}

function source(ctx: Ctx, side: Side, contactId: number | null): RawBuilder<OpenRow> {
  return side === 'receivable' ? receivables(ctx.book.id, contactId) : payables(ctx.book.id, contactId)
}

function itemView(row: OpenRow, today: string): OpenItem {
  return {
    type: row.type,
    id: row.public_id,
    ...(row.instalment === 0 ? {} : { instalment: row.instalment }),
    number: row.number,
    name: row.name,
    contactId: row.contact_public_id,
    date: row.date,
    dueDate: row.due_date,
    daysLate: row.due_date === null ? 0 : Math.max(0, daysBetween(row.due_date, today)),
    total: eurosFromCents(row.total_cents),
    amount: eurosFromCents(row.open_cents),
    currency: row.currency,
  }
}

/** Position of an open item in the list: by due date, without one last; then by its own date, id and instalment. */
type Place = [isUndated: number, dueDate: string, date: string, id: string, instalment: number]

const placeOf = (row: OpenRow): Place => [
  row.due_date === null ? 1 : 0,
  row.due_date ?? '',
  row.date,
  row.public_id,
  row.instalment,
]

/**
 * Returns the open items of a side, longest overdue first, of one contact or of all. `next` is the position of the
 * last one when there are more.
 */
export async function openItemsOf(
  ctx: Ctx,
  side: Side,
  options: { contactId?: number; text?: string; limit: number; after?: Place },
): Promise<{ items: OpenItem[]; next: Place | null; count: number; cents: Cents }> {
  const all = source(ctx, side, options.contactId ?? null)
  const names = folded(sql`o.name || ' ' || coalesce(o.number, '') || ' ' || coalesce(o.nif, '')`)
  const where = options.text === undefined ? NOTHING : sql`where ${matchesSearch(names, options.text)}`
  const place = sql`(o.due_date is null, coalesce(o.due_date, ''), o.date, o.public_id, o.instalment)`
  const page =
    options.after === undefined
      ? where
      : sql`${options.text === undefined ? sql`where` : sql`${where} and`} ${place} > (${sql.join(options.after)})`
  const { rows } = await sql<OpenRow>`select * from (${all}) o ${page}
    order by o.due_date is null, coalesce(o.due_date, ''), o.date, o.public_id, o.instalment limit ${options.limit + 1}`.execute(
    ctx.db,
  )
  const sums = await sql<{ count: number; cents: number }>`select count(*) as count,
    coalesce(sum(o.open_cents), 0) as cents from (${all}) o ${where}`.execute(ctx.db)
  const today = ctx.today()
  const { count, cents } = sums.rows[0] ?? { count: 0, cents: 0 }
  const shown = rows.slice(0, options.limit)
  const last = shown.at(-1)
  return {
    items: shown.map((row) => itemView(row, today)),
    next: last && rows.length > options.limit ? placeOf(last) : null,
    count,
    cents,
  }
}

/** Lists the open items. */
export const openItems: UseCase<typeof openItemsContract> = async (
  ctx,
  { side, contactId, text, limit = DEFAULT_LIMIT, cursor },
) => {
  const filter = { side, contactId: contactId ?? null, text: text ?? null }
  const contact = contactId === undefined ? undefined : orNotFound(await findContact(ctx, contactId)).id
  const { items, next, count, cents } = await openItemsOf(ctx, side, {
    limit,
    ...(cursor === undefined ? {} : { after: readCursor(cursor, LIST, filter) as Place }),
    ...(contact === undefined ? {} : { contactId: contact }),
    ...(text === undefined ? {} : { text }),
  })
  const nextCursor = next === null ? null : createCursor(LIST, filter, next)
  return { items, nextCursor, count, amount: eurosFromCents(cents) }
}

interface OpenDay {
  /** Null without a due date, as for advances. */
  dueDate: string | null
  /** Credits and advances are subtracted. */
  cents: Cents
  /** Number of invoices or instalments, without credits and advances. */
  invoices: number
}

const issuedDays = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('invoices')
    .select((eb) => [
      'due_date',
      eb.fn.sum<number>('due_cents').as('cents'),
      eb.fn.countAll<number>().as('invoices'),
    ])
    .where('book_id', '=', p.bookId)
    .where(sql<SqlBool>`is_owed = 1`)
    .groupBy('due_date'),
)

/**
 * Moves the open amounts of invoices in instalments from the day of the next one, where the index of owed invoices has
 * them, to the day of each.
 */
const instalmentDays = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('invoice_instalments')
    .innerJoin('invoices', 'invoices.id', 'invoice_instalments.invoice_id')
    .select((eb) => [
      'invoice_instalments.due_date',
      'invoices.due_date as next_date',
      eb.fn.sum<number>('invoice_instalments.open_cents').as('cents'),
      eb.fn.countAll<number>().as('invoices'),
    ])
    .where('invoice_instalments.book_id', '=', p.bookId)
    .where(sql<SqlBool>`invoice_instalments.open_cents > 0`)
    .where(sql<SqlBool>`invoices.is_owed = 1`)
    .groupBy(['invoice_instalments.due_date', 'invoices.due_date']),
)

async function movedDays(ctx: Ctx): Promise<{ due_date: string | null; cents: Cents; invoices: number }[]> {
  const rows = await instalmentDays.all(ctx.db, { bookId: ctx.book.id })
  return rows
    .filter((row) => row.due_date !== row.next_date)
    .flatMap(({ due_date, next_date, cents, invoices }) => [
      { due_date, cents, invoices },
      { due_date: next_date, cents: -cents, invoices: 0 },
    ])
}

const creditDays = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('invoices')
    .select((eb) => ['due_date', eb.fn.sum<number>('due_cents').as('cents'), sql<number>`0`.as('invoices')])
    .where('book_id', '=', p.bookId)
    .where(sql<SqlBool>`due_cents < 0`)
    .where('state', '<>', 'draft')
    .where('cancelled_at', 'is', null)
    .where(sql<SqlBool>`is_owed = 0`)
    .where('uncollectible_at', 'is', null)
    .groupBy('due_date'),
)

/**
 * Returns the open amounts of a side by due date; they add up to the total of the aging. The dashboard reads this
 * after every change, so receivables come from an index that contains the amounts.
 */
export async function openByDay(ctx: Ctx, side: Side): Promise<OpenDay[]> {
  const bookId = ctx.book.id
  const { rows: others } = await sql<{ due_date: string | null; cents: Cents; invoices: number }>`
    select o.due_date, sum(o.open_cents) as cents, count(*) filter (where o.type <> 'advance' and o.open_cents > 0) as invoices
    from (${side === 'receivable' ? advances(bookId, null, 'in') : payables(bookId, null)}) o
    group by o.due_date`.execute(ctx.db)
  const rows =
    side === 'payable'
      ? others
      : [
          ...(await issuedDays.all(ctx.db, { bookId })),
          ...(await movedDays(ctx)),
          ...(await creditDays.all(ctx.db, { bookId })),
          ...others,
        ]
  const days = new Map<string | null, OpenDay>()
  for (const row of rows) {
    const day = days.get(row.due_date) ?? { dueDate: row.due_date, cents: 0, invoices: 0 }
    day.cents += row.cents
    day.invoices += row.invoices
    days.set(row.due_date, day)
  }
  return [...days.values()].sort((a, b) => ((a.dueDate ?? '9') < (b.dueDate ?? '9') ? -1 : 1))
}

interface AgedRow {
  contact_public_id: string | null
  name: string
  nif: string | null
  not_due: Cents
  up_to_30: Cents
  up_to_60: Cents
  up_to_90: Cents
  over_90: Cents
  total: Cents
}

async function aged(ctx: Ctx, side: Side, contactId: number | null, together: boolean): Promise<AgedRow[]> {
  const today = ctx.today()
  /** Sums what has been due for a number of days, at least one. */
  const dueSince = (least: number, most: number | null) => {
    const newest = sql`o.due_date <= ${addDays(today, -least)}`
    const when = most === null ? newest : sql`${newest} and o.due_date >= ${addDays(today, -most)}`
    return sql`coalesce(sum(case when ${when} then o.open_cents else 0 end), 0)`
  }
  const group = together ? NOTHING : sql`group by coalesce('#' || o.contact_id, o.nif, o.name)`
  const { rows } = await sql<AgedRow>`select
    max(o.contact_public_id) as contact_public_id, max(o.name) as name, max(o.nif) as nif,
    coalesce(sum(case when o.due_date is null or o.due_date >= ${today} then o.open_cents else 0 end), 0) as not_due,
    ${dueSince(1, 30)} as up_to_30, ${dueSince(31, 60)} as up_to_60,
    ${dueSince(61, 90)} as up_to_90, ${dueSince(91, null)} as over_90,
    coalesce(sum(o.open_cents), 0) as total
    from (${source(ctx, side, contactId)}) o ${group} order by total desc, name`.execute(ctx.db)
  return rows
}

function bucketsView(row: AgedRow | undefined): Buckets {
  return {
    notDue: eurosFromCents(row?.not_due ?? 0),
    upTo30: eurosFromCents(row?.up_to_30 ?? 0),
    upTo60: eurosFromCents(row?.up_to_60 ?? 0),
    upTo90: eurosFromCents(row?.up_to_90 ?? 0),
    over90: eurosFromCents(row?.over_90 ?? 0),
    total: eurosFromCents(row?.total ?? 0),
  }
}

/** Returns the aging of one contact. */
export async function agingOf(ctx: Ctx, side: Side, contactId: number): Promise<Buckets> {
  return bucketsView((await aged(ctx, side, contactId, true))[0])
}

/** Returns the aging of all contacts. */
export const aging: UseCase<typeof agingContract> = async (ctx, { side }) => {
  const rows = await aged(ctx, side, null, false)
  return {
    date: ctx.today(),
    items: rows.map((row) => ({
      contactId: row.contact_public_id,
      name: row.name,
      nif: row.nif,
      ...bucketsView(row),
    })),
    totals: bucketsView((await aged(ctx, side, null, true))[0]),
  }
}
