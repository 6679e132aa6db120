/** Creates and changes recurring invoices: rule, content, prices, pauses and single days. */
import { recordAudit } from '../../platform/audit/index.ts'
import { softDelete } from '../../platform/trash/index.ts'
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { addDays } from '../../domain/dates.ts'
import { basisPointsFromPercent } from '../../domain/money.ts'
import { searchText } from '../../domain/text.ts'
import { assertVersion } from '../../domain/contract/version-guard.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import {
  chosenContent,
  draftOfDay,
  termsOfInvoice,
  withoutDefaultSeries,
  validateContent,
} from './content.ts'
import type { Weighed } from './content.ts'
import type {
  createRecurrenceContract,
  deleteRecurrenceContract,
  getRecurrenceContract,
  pauseRecurrenceContract,
  previewRecurrenceContract,
  PriceUpdate,
  RecurrenceRule,
  RecurringContent,
  resumeRecurrenceContract,
  runRecurrenceContract,
  skipRecurrenceContract,
  updateRecurrenceContract,
} from './contract.ts'
import { openDayFrom } from './days.ts'
import { languageOf, prepareNext } from './prepare.ts'
import type { PriceStep } from './prices.ts'
import { answerDay, dayOutcome, factsOf, recurrenceRow } from './rows.ts'
import type { RecurrenceRow } from './rows.ts'
import { dayFrom, daysFrom, occursOn, ruleFaults, ruleText } from './rule.ts'
import { afterLastDraft, occurrences, recurrenceView } from './view.ts'

const PREVIEWED = 12

async function recordRecurringChange(
  tx: Ctx,
  action: string,
  row: Pick<RecurrenceRow, 'public_id' | 'name'>,
): Promise<void> {
  await recordAudit(tx, { action, target: { type: 'recurrence', id: row.public_id, label: row.name } })
  await emitEvent(tx, 'recurrence.changed', { recurrenceId: row.public_id })
  // Its next day may be today.
  tx.wake('calendar')
}

function assertRule(rule: RecurrenceRule): void {
  const faults = ruleFaults(rule)
  if (faults.length > 0) throw validationFailed(faults)
}

function stepsOf(updates: readonly PriceUpdate[]): PriceStep[] {
  return updates
    .map(({ percent, note, date }) => ({
      date,
      percentBp: basisPointsFromPercent(percent) ?? 0,
      ...(note === undefined ? {} : { note }),
    }))
    .sort((a, b) => (a.date < b.date ? -1 : 1))
}

/** Returns the contact named by the content; its data are then read from the contact, not from the content. */
function contactIn(content: RecurringContent): { id: string; name: string } | null {
  return content.clientId ? { id: content.clientId, name: content.clientName } : null
}

interface Terms {
  rule: RecurrenceRule
  content: RecurringContent
  prices: readonly PriceStep[]
  dueDays: number | null
}

/** Composes the draft of a day: rejects a content that cannot become a draft before it is stored. */
async function weighTerms(ctx: Ctx, terms: Terms, date: BusinessDate): Promise<Weighed> {
  const { content } = terms
  const given = await validateContent(ctx, content, date)
  const contact =
    given.contactId === null
      ? null
      : { id: given.contactId, name: contactIn(content)?.name ?? given.clientName }
  const language = await languageOf(ctx, content, given.contactId)
  const input = await draftOfDay(ctx, { ...terms, contact, date, language })
  return { ...(await validateContent(ctx, input, date)), clientName: given.clientName }
}

function columnsOf(terms: Terms, weighed: Weighed, text: string, name: string) {
  return {
    name,
    contact_id: weighed.contactRowId,
    client_name: weighed.clientName,
    search: searchText(`${name} ${weighed.clientName}`),
    content: JSON.stringify(terms.content),
    currency: weighed.currency,
    total_cents: weighed.totalCents,
    rule: text,
    start_date: terms.rule.start,
    due_days: terms.dueDays,
    price_updates: JSON.stringify(terms.prices),
  }
}

function noDayLeft(): AppError {
  return validationFailed([
    {
      code: 'rule_without_days',
      field: 'rule',
      severity: 'error',
      message: 'This rule has no day from today on.',
      fix: 'Choose a later last day, or more times.',
    },
  ])
}

/** Creates a recurring invoice that prepares drafts from today on. */
export const createRecurrence: UseCase<typeof createRecurrenceContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    assertRule(input.rule)
    // Days to pay, if they are given, are meant in place of the instalments of the invoice.
    const fromInvoice = input.dueDays == null ? input.fromInvoice : undefined
    const paymentTerms = fromInvoice === undefined ? null : await termsOfInvoice(tx, fromInvoice)
    const terms: Terms = {
      rule: input.rule,
      content: withoutDefaultSeries({
        ...(await chosenContent(tx, input.invoice, input.fromInvoice)),
        ...(paymentTerms ? { paymentTerms } : {}),
      }),
      prices: stepsOf(input.priceUpdates ?? []),
      dueDays: input.dueDays ?? null,
    }
    const next = await dayFrom(input.rule, tx.today())
    if (next === null) throw noDayLeft()
    const weighed = await weighTerms(tx, terms, next)
    const now = tx.now().getTime()
    const publicId = tx.newId('rec')
    await tx.db
      .insertInto('recurrences')
      .values({
        ...columnsOf(terms, weighed, await ruleText(input.rule), input.name),
        book_id: tx.book.id,
        public_id: publicId,
        state: 'active',
        next_date: next,
        created_at: now,
        updated_at: now,
      })
      .execute()
    const row = await recurrenceRow(tx, publicId)
    await recordRecurringChange(tx, 'recurrence.created', row)
    return recurrenceView(tx, row)
  })

/** Changes the drafts from the next day on. */
export const updateRecurrence: UseCase<typeof updateRecurrenceContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const row = await recurrenceRow(tx, input.id)
    if (input.expectedVersion !== undefined && input.expectedVersion !== row.version)
      throw new AppError('version_conflict', { field: 'expectedVersion', details: { version: row.version } })
    const facts = await factsOf(row)
    if (input.rule) assertRule(input.rule)
    const terms: Terms = {
      rule: input.rule ?? facts.rule,
      content: withoutDefaultSeries(
        input.invoice ?? { ...facts.content, clientId: facts.contact?.id ?? null },
      ),
      prices: input.priceUpdates ? stepsOf(input.priceUpdates) : facts.prices,
      dueDays: input.dueDays === undefined ? row.due_days : input.dueDays,
    }
    let next = row.next_date
    if (input.rule) {
      const [today, after] = [tx.today(), await afterLastDraft(tx, row.id)]
      next = await openDayFrom(tx, row.id, input.rule, after !== null && after > today ? after : today)
      if (next === null) throw noDayLeft()
    }
    const weighed = await weighTerms(tx, terms, next ?? tx.today())
    await tx.db
      .updateTable('recurrences')
      .set({
        ...columnsOf(terms, weighed, await ruleText(terms.rule), input.name ?? row.name),
        next_date: next,
        // A change clears the last error, so that the day is tried again.
        trouble: null,
        version: row.version + 1,
        updated_at: tx.now().getTime(),
      })
      .where('id', '=', row.id)
      .execute()
    const changed = await recurrenceRow(tx, row.public_id)
    await recordRecurringChange(tx, 'recurrence.updated', changed)
    return recurrenceView(tx, changed)
  })

/** Deletes a recurring invoice; its drafts and invoices stay. */
export const deleteRecurrence: UseCase<typeof deleteRecurrenceContract> = (ctx, { id, expectedVersion }) =>
  ctx.transaction(async (tx) => {
    const row = await recurrenceRow(tx, id)
    assertVersion(expectedVersion, row.version)
    await softDelete(tx, {
      rows: [{ table: 'recurrences', id: row.id }],
      action: 'recurrence.restored',
      target: { type: 'recurrence', id: row.public_id, label: row.name },
      event: { type: 'recurrence.changed', data: { recurrenceId: row.public_id } },
    })
    await recordRecurringChange(tx, 'recurrence.deleted', row)
    return { deleted: true }
  })

async function set(
  tx: Ctx,
  row: RecurrenceRow,
  values: { state?: 'active' | 'paused'; next_date?: BusinessDate | null },
  action: string,
): Promise<ContractOutput<typeof getRecurrenceContract>> {
  await tx.db
    .updateTable('recurrences')
    .set({ ...values, version: row.version + 1, updated_at: tx.now().getTime() })
    .where('id', '=', row.id)
    .execute()
  const after = await recurrenceRow(tx, row.public_id)
  await recordRecurringChange(tx, action, after)
  return recurrenceView(tx, after)
}

/** Pauses a recurring invoice until it is resumed. */
export const pauseRecurrence: UseCase<typeof pauseRecurrenceContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const row = await recurrenceRow(tx, id)
    return row.state === 'paused'
      ? recurrenceView(tx, row)
      : set(tx, row, { state: 'paused' }, 'recurrence.paused')
  })

/** Resumes a recurring invoice; the days of the pause are skipped, unless the caller wants them prepared. */
export const resumeRecurrence: UseCase<typeof resumeRecurrenceContract> = (ctx, { id, catchUp = false }) =>
  ctx.transaction(async (tx) => {
    const row = await recurrenceRow(tx, id)
    if (row.state === 'active') return recurrenceView(tx, row)
    const today = tx.today()
    const { rule } = await factsOf(row)
    const isPast = row.next_date !== null && row.next_date < today
    const next = isPast && !catchUp ? await openDayFrom(tx, row.id, rule, today) : row.next_date
    return set(tx, row, { state: 'active', next_date: next }, 'recurrence.resumed')
  })

/** Skips one day, or includes it again. */
export const skipRecurrence: UseCase<typeof skipRecurrenceContract> = (
  ctx,
  { id, date: asked, undo = false },
) =>
  ctx.transaction(async (tx) => {
    const row = await recurrenceRow(tx, id)
    const { rule } = await factsOf(row)
    const date = asked ?? row.next_date
    if (date === null) throw new AppError('recurrence_ended', { details: { id } })
    const outcome = await dayOutcome(tx, row.id, date)
    const isOpen = outcome === undefined && row.next_date !== null && date >= row.next_date
    if (!(undo ? outcome === 'skipped' : isOpen) || !(await occursOn(rule, date)))
      throw validationFailed([
        {
          code: 'day_not_open',
          field: 'date',
          severity: 'error',
          message: undo ? 'That day was not skipped.' : 'No draft is to be prepared on that day.',
          fix: 'Choose one of the days in upcoming.',
        },
      ])
    if (undo) {
      await tx.db
        .deleteFrom('recurrence_days')
        .where('recurrence_id', '=', row.id)
        .where('date', '=', date)
        .where('outcome', '=', 'skipped')
        .execute()
      const next = row.next_date === null || date < row.next_date ? date : row.next_date
      return set(tx, row, { next_date: next }, 'recurrence.unskipped')
    }
    await answerDay(tx, { recurrenceId: row.id, date, outcome: 'skipped', invoiceId: null })
    const next =
      date === row.next_date ? await openDayFrom(tx, row.id, rule, addDays(date, 1)) : row.next_date
    return set(tx, row, { next_date: next }, 'recurrence.skipped')
  })

/** Prepares the next draft before its day. */
export const runRecurrence: UseCase<typeof runRecurrenceContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const invoice = await prepareNext(tx, await recurrenceRow(tx, id))
    return { invoice, recurrence: await recurrenceView(tx, await recurrenceRow(tx, id)) }
  })

/** Returns days, texts and amounts of a rule without storing it. */
export const previewRecurrence: UseCase<typeof previewRecurrenceContract> = async (ctx, input) => {
  assertRule(input.rule)
  const content = await chosenContent(ctx, input.invoice, input.fromInvoice)
  const prices = stepsOf(input.priceUpdates ?? [])
  const { contactId, clientName } = await validateContent(ctx, content, ctx.today())
  const contact = contactId === null ? null : { id: contactId, name: contactIn(content)?.name ?? clientName }
  const language = await languageOf(ctx, content, contactId)
  const days = await daysFrom(input.rule, ctx.today(), PREVIEWED)
  const upcoming = await occurrences(
    ctx,
    days.map((date) => ({ date, skipped: false })),
    async (date) => ({ rule: input.rule, content, prices, contact, dueDays: null, date, language }),
  )
  return { ruleText: await ruleText(input.rule), upcoming }
}
