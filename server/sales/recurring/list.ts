/** Lists of recurring invoices, and the ones that need attention. */
import { sql } from 'kysely'
import type { getRecurrenceContract, listRecurrencesContract } from './contract.ts'
import { addDays } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import { instalmentAmounts, instalmentsOfTerms } from '../../domain/tax/instalments.ts'
import { exactTerms } from '../../catalog/contacts/index.ts'
import type { RecurringContent } from './contract.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { factsOf, recurrenceRow } from './rows.ts'
import { daysFrom, ruleOfText } from './rule.ts'
import { recurrenceSummary, recurrenceView } from './view.ts'
import { matchesSearch } from '../../db/text-search.ts'

/** A book has dozens of them, not thousands: the list has no pages. */
const AT_MOST = 1000

/** Returns the recurring invoices, the next one first. */
export const listRecurrences: UseCase<typeof listRecurrencesContract> = async (
  ctx,
  { text, state, client, invoice },
) => {
  let query = ctx.db
    .selectFrom('recurrences')
    .leftJoin('contacts', 'contacts.id', 'recurrences.contact_id')
    .selectAll('recurrences')
    .select(['contacts.public_id as contact_public_id', 'contacts.name as contact_name'])
    .where('recurrences.book_id', '=', ctx.book.id)
  if (state === 'ended') query = query.where('recurrences.next_date', 'is', null)
  else if (state !== undefined)
    query = query.where('recurrences.state', '=', state).where('recurrences.next_date', 'is not', null)
  if (client !== undefined) query = query.where('contacts.public_id', '=', client)
  if (invoice !== undefined)
    query = query.where('recurrences.id', 'in', (eb) =>
      eb
        .selectFrom('recurrence_days')
        .innerJoin('invoices', 'invoices.id', 'recurrence_days.invoice_id')
        .select('recurrence_days.recurrence_id')
        .where('invoices.public_id', '=', invoice),
    )
  if (text !== undefined) query = query.where(matchesSearch(sql.ref('recurrences.search'), text))
  const rows = await query
    .orderBy(sql`recurrences.next_date is null or recurrences.state = 'paused'`)
    .orderBy('recurrences.next_date')
    .orderBy('recurrences.id')
    .limit(AT_MOST)
    .execute()
  const items = []
  for (const row of rows) items.push(await recurrenceSummary(ctx, row, await factsOf(row)))
  return { items, nextCursor: null }
}

/** Returns one recurring invoice with its future and past days. */
export const getRecurrence: UseCase<typeof getRecurrenceContract> = async (ctx, { id }) => {
  const read = async () => recurrenceView(ctx, await recurrenceRow(ctx, id))
  return ctx.inTransaction ? read() : ctx.env.store.readTogether(ctx.book.companyId, read)
}

/** Greatest number of days of a rule that are read: two months of a daily one. */
const DAYS_AHEAD = 62

/**
 * Returns prepared drafts that are not issued: their day is processed, their money is still to come. A past day
 * counts as today.
 */
async function waitingDrafts(ctx: Ctx, to: BusinessDate): Promise<{ dueDate: BusinessDate; cents: Cents }[]> {
  const rows = await ctx.db
    .selectFrom('recurrence_days')
    .innerJoin('recurrences', 'recurrences.id', 'recurrence_days.recurrence_id')
    .innerJoin('invoices', 'invoices.id', 'recurrence_days.invoice_id')
    .select(['recurrence_days.date', 'invoices.due_date', 'invoices.due_cents'])
    .where('recurrences.book_id', '=', ctx.book.id)
    .where('invoices.state', '=', 'draft')
    .execute()
  const today = ctx.today()
  return rows
    .map(({ date, due_date, due_cents }) => ({ dueDate: due_date ?? date, cents: due_cents }))
    .map((each) => (each.dueDate < today ? { ...each, dueDate: today } : each))
    .filter(({ dueDate }) => dueDate <= to)
}

/** Returns what the invoice of a day will ask for and when: at once, or by its instalments. */
function expectedParts(
  row: { content: string; due_days: number | null; total_cents: Cents },
  date: BusinessDate,
): { dueDate: BusinessDate; cents: Cents }[] {
  const { paymentTerms } = JSON.parse(row.content) as RecurringContent
  if (!paymentTerms) return [{ dueDate: addDays(date, row.due_days ?? 0), cents: row.total_cents }]
  return instalmentAmounts(
    instalmentsOfTerms(exactTerms(paymentTerms, 'paymentTerms'), date),
    row.total_cents,
  )
}

/**
 * Returns the expected income of active recurring invoices, by due date, up to a day: each future day at the amount
 * of the list, in euros only; with the drafts to be issued. Future price rises are not included.
 */
export async function recurringExpected(
  ctx: Ctx,
  to: BusinessDate,
): Promise<{ dueDate: BusinessDate; cents: Cents }[]> {
  const rows = await ctx.db
    .selectFrom('recurrences')
    .select(['id', 'rule', 'next_date', 'due_days', 'total_cents', 'content'])
    .where('book_id', '=', ctx.book.id)
    .where('state', '=', 'active')
    .where('next_date', '<=', to)
    .where('currency', '=', 'EUR')
    .execute()
  const expected = await waitingDrafts(ctx, to)
  for (const row of rows) {
    if (row.next_date === null) continue
    const answered = await ctx.db
      .selectFrom('recurrence_days')
      .select('date')
      .where('recurrence_id', '=', row.id)
      .where('date', '>=', row.next_date)
      .execute()
    const gone = new Set(answered.map(({ date }) => date))
    for (const date of await daysFrom(await ruleOfText(row.rule), row.next_date, DAYS_AHEAD)) {
      const parts = expectedParts(row, date)
      // The first due date of a day is before that of the next one.
      if ((parts[0]?.dueDate ?? '') > to) break
      if (!gone.has(date)) expected.push(...parts.filter(({ dueDate }) => dueDate <= to))
    }
  }
  return expected
}

/** Returns the prepared drafts to be issued and the recurring invoices with an error, for the home page. */
export async function recurringAttention(ctx: Ctx): Promise<{ waiting: number; troubled: number }> {
  const { waiting } = await ctx.db
    .selectFrom('recurrence_days')
    .innerJoin('recurrences', 'recurrences.id', 'recurrence_days.recurrence_id')
    .innerJoin('invoices', 'invoices.id', 'recurrence_days.invoice_id')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('recurrences.book_id', '=', ctx.book.id)
    .where('invoices.state', '=', 'draft')
    .executeTakeFirstOrThrow()
  const { troubled } = await ctx.db
    .selectFrom('recurrences')
    .select((eb) => eb.fn.countAll<number>().as('troubled'))
    .where('book_id', '=', ctx.book.id)
    .where('state', '=', 'active')
    .where('trouble', 'is not', null)
    .executeTakeFirstOrThrow()
  return { waiting, troubled }
}
