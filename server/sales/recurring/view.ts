/** Answers of recurring invoices. */
import { addDays } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { eurosFromCents, percentFromBasisPoints } from '../../domain/money.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Ctx } from '../../context.ts'
import { draftOfDay, validateContent } from './content.ts'
import type { DraftOfDay } from './content.ts'
import type { PriceUpdate, Recurrence, RecurrenceSummary } from './contract.ts'
import type { PriceStep } from './prices.ts'
import { factsOfDay } from './prepare.ts'
import { factsOf } from './rows.ts'
import type { RecurrenceFacts, RecurrenceRow } from './rows.ts'
import { daysFrom } from './rule.ts'

const UPCOMING = 12
const PAST = 50

function priceUpdates(prices: readonly PriceStep[]): PriceUpdate[] {
  return prices.map(({ percentBp, ...rest }) => ({ ...rest, percent: percentFromBasisPoints(percentBp) }))
}

/** Drafts that wait to be issued. */
async function waitingOf(ctx: Ctx, recurrenceId: number): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('recurrence_days')
    .innerJoin('invoices', 'invoices.id', 'recurrence_days.invoice_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('recurrence_days.recurrence_id', '=', recurrenceId)
    .where('invoices.state', '=', 'draft')
    .executeTakeFirstOrThrow()
  return count
}

export async function recurrenceSummary(
  ctx: Ctx,
  row: RecurrenceRow,
  facts: RecurrenceFacts,
): Promise<RecurrenceSummary> {
  return {
    id: row.public_id,
    name: row.name,
    state: row.next_date === null ? 'ended' : row.state,
    rule: facts.rule,
    next: row.state === 'paused' ? null : row.next_date,
    clientName: facts.contact?.name ?? row.client_name,
    currency: row.currency,
    total: eurosFromCents(row.total_cents),
    waiting: await waitingOf(ctx, row.id),
    trouble: facts.trouble,
    version: row.version,
    createdAt: new Date(row.created_at).toISOString(),
  }
}

/** Returns the texts and amounts of the drafts of some days. A draft that fails today has no amount. */
export async function occurrences(
  ctx: Ctx,
  days: readonly { date: BusinessDate; skipped: boolean }[],
  factsFor: (date: BusinessDate) => Promise<DraftOfDay>,
): Promise<Recurrence['upcoming']> {
  const list: Recurrence['upcoming'] = []
  for (const { date, skipped } of days) {
    const input = await draftOfDay(ctx, await factsFor(date))
    let total = 0
    try {
      total = eurosFromCents((await validateContent(ctx, input, date)).totalCents)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
    list.push({ date, skipped, total, description: input.lines[0]?.description ?? '' })
  }
  return list
}

async function skippedDays(ctx: Ctx, recurrenceId: number, from: BusinessDate): Promise<Set<BusinessDate>> {
  const rows = await ctx.db
    .selectFrom('recurrence_days')
    .select(['date'])
    .where('recurrence_id', '=', recurrenceId)
    .where('date', '>=', from)
    .where('outcome', '=', 'skipped')
    .execute()
  return new Set(rows.map(({ date }) => date))
}

/** Returns the future days: skipped ones are marked, those prepared ahead of time left out. */
async function upcomingDays(
  ctx: Ctx,
  row: RecurrenceRow,
  facts: RecurrenceFacts,
): Promise<{ date: BusinessDate; skipped: boolean }[]> {
  const today = ctx.today()
  const from = row.next_date !== null && row.next_date < today ? row.next_date : today
  const skipped = await skippedDays(ctx, row.id, from)
  const done = await ctx.db
    .selectFrom('recurrence_days')
    .select('date')
    .where('recurrence_id', '=', row.id)
    .where('date', '>=', from)
    .where('outcome', '=', 'draft')
    .execute()
  const made = new Set(done.map(({ date }) => date))
  const days = await daysFrom(facts.rule, from, UPCOMING + made.size)
  return days
    .filter((date) => !made.has(date))
    .slice(0, UPCOMING)
    .map((date) => ({ date, skipped: skipped.has(date) }))
}

async function pastDays(ctx: Ctx, recurrenceId: number): Promise<Recurrence['days']> {
  const rows = await ctx.db
    .selectFrom('recurrence_days')
    .leftJoin('invoices', 'invoices.id', 'recurrence_days.invoice_id')
    .select([
      'recurrence_days.date',
      'recurrence_days.outcome',
      'recurrence_days.at',
      'invoices.public_id',
      'invoices.number',
      'invoices.state',
      'invoices.total_cents',
    ])
    .where('recurrence_days.recurrence_id', '=', recurrenceId)
    .orderBy('recurrence_days.date', 'desc')
    .limit(PAST)
    .execute()
  return rows.map((row) => ({
    date: row.date,
    outcome: row.outcome,
    at: new Date(row.at).toISOString(),
    invoice:
      row.public_id === null
        ? null
        : {
            id: row.public_id,
            number: row.number,
            state: row.state ?? 'draft',
            total: eurosFromCents(row.total_cents ?? 0),
          },
  }))
}

/** Returns one recurring invoice with its future and past days. */
export async function recurrenceView(ctx: Ctx, row: RecurrenceRow): Promise<Recurrence> {
  const facts = await factsOf(row)
  const days = await upcomingDays(ctx, row, facts)
  return {
    ...(await recurrenceSummary(ctx, row, facts)),
    ruleText: row.rule,
    dueDays: row.due_days,
    invoice: facts.content,
    clientId: row.contact_public_id,
    priceUpdates: priceUpdates(facts.prices),
    upcoming: await occurrences(ctx, days, (date) => factsOfDay(ctx, row, facts, date)),
    days: await pastDays(ctx, row.id),
    links: { self: `/api/v1/recurring/${row.public_id}` },
  }
}

/** Returns the day after the last day with a draft, or null when there is none. */
export async function afterLastDraft(ctx: Ctx, recurrenceId: number): Promise<BusinessDate | null> {
  const { last } = await ctx.db
    .selectFrom('recurrence_days')
    .select((eb) => eb.fn.max('date').as('last'))
    .where('recurrence_id', '=', recurrenceId)
    .where('outcome', '=', 'draft')
    .executeTakeFirstOrThrow()
  return last === null ? null : addDays(last, 1)
}
