/** SQL of the recurring invoices. */
import type { Selectable } from 'kysely'
import type { BusinessDate } from '../../domain/dates.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import type { RecurrencesTable } from '../../db/schema.ts'
import type { RecurrenceRule, RecurringContent } from './contract.ts'
import type { PriceStep } from './prices.ts'
import { ruleOfText } from './rule.ts'

export type RecurrenceRow = Selectable<RecurrencesTable> & {
  contact_public_id: string | null
  contact_name: string | null
}

const byId = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('recurrences')
    .leftJoin('contacts', 'contacts.id', 'recurrences.contact_id')
    .selectAll('recurrences')
    .select(['contacts.public_id as contact_public_id', 'contacts.name as contact_name'])
    .where('recurrences.book_id', '=', p.bookId)
    .where('recurrences.public_id', '=', p.publicId),
)

/** Returns the row of an identifier, if there is one. */
export function findRecurrence(ctx: Ctx, publicId: string): Promise<RecurrenceRow | undefined> {
  return byId.first(ctx.db, { bookId: ctx.book.id, publicId })
}

/** Returns the row of an identifier; throws `not_found`. */
export async function recurrenceRow(ctx: Ctx, publicId: string): Promise<RecurrenceRow> {
  return orNotFound(await findRecurrence(ctx, publicId))
}

export interface RecurrenceProblem {
  code: string
  field?: string
  message: string
}

/** Parsed columns of a row. */
export interface RecurrenceFacts {
  rule: RecurrenceRule
  content: RecurringContent
  prices: PriceStep[]
  contact: { id: string; name: string } | null
  trouble: RecurrenceProblem | null
}

export async function factsOf(row: RecurrenceRow): Promise<RecurrenceFacts> {
  return {
    rule: await ruleOfText(row.rule),
    content: JSON.parse(row.content) as RecurringContent,
    prices: JSON.parse(row.price_updates) as PriceStep[],
    contact:
      row.contact_public_id === null
        ? null
        : { id: row.contact_public_id, name: row.contact_name ?? row.client_name },
    trouble: row.trouble === null ? null : (JSON.parse(row.trouble) as RecurrenceProblem),
  }
}

const due = prepare((db, p: { bookId: number; today: string }) =>
  db
    .selectFrom('recurrences')
    .select('public_id')
    .where('book_id', '=', p.bookId)
    .where('state', '=', 'active')
    .where('next_date', '<=', p.today)
    .orderBy('next_date')
    .orderBy('id'),
)

/** Returns the active ones whose next day is due. */
export async function dueRecurrences(ctx: Ctx): Promise<string[]> {
  const rows = await due.all(ctx.db, { bookId: ctx.book.id, today: ctx.today() })
  return rows.map(({ public_id: id }) => id)
}

/** Returns the outcome of a day, or undefined. */
export async function dayOutcome(
  ctx: Ctx,
  recurrenceId: number,
  date: BusinessDate,
): Promise<'draft' | 'skipped' | undefined> {
  const row = await ctx.db
    .selectFrom('recurrence_days')
    .select('outcome')
    .where('recurrence_id', '=', recurrenceId)
    .where('date', '=', date)
    .executeTakeFirst()
  return row?.outcome
}

/** Stores the outcome of a day for good; false if it has one already. */
export async function answerDay(
  tx: Ctx,
  day: { recurrenceId: number; date: BusinessDate; outcome: 'draft' | 'skipped'; invoiceId: number | null },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('recurrence_days')
    .values({
      recurrence_id: day.recurrenceId,
      date: day.date,
      outcome: day.outcome,
      invoice_id: day.invoiceId,
      at: tx.now().getTime(),
    })
    .onConflict((conflict) => conflict.columns(['recurrence_id', 'date']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}
