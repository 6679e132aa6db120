/** Prepares drafts on their days, also those missed while Sello was closed: each day exactly once. It never issues. */
import { recordAudit } from '../../platform/audit/index.ts'
import { findCompany } from '../../company/index.ts'
import { contactFacts } from '../../catalog/contacts/index.ts'
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import type { createDraftContract } from '../invoices/contract.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { addDays } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { Ctx } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { createDraft, resolveInvoice } from '../invoices/index.ts'
import { draftOfDay, validateContent } from './content.ts'
import type { DraftOfDay } from './content.ts'
import { openDayFrom } from './days.ts'
import { answerDay, dueRecurrences, factsOf, findRecurrence } from './rows.ts'
import type { RecurrenceFacts, RecurrenceRow, RecurrenceProblem } from './rows.ts'

/** Returns the language of a content's texts. */
export async function languageOf(
  ctx: Ctx,
  content: { language?: DocumentLanguage | undefined },
  contactId: string | null,
): Promise<DocumentLanguage> {
  if (content.language !== undefined) return content.language
  const contact = contactId === null ? null : await contactFacts(ctx, contactId)
  return contact?.language ?? (await findCompany(ctx)).default_language
}

/** Returns the facts for the draft of a day. */
export async function factsOfDay(
  ctx: Ctx,
  row: Pick<RecurrenceRow, 'due_days'>,
  { rule, content, prices, contact }: Omit<RecurrenceFacts, 'trouble'>,
  date: BusinessDate,
): Promise<DraftOfDay> {
  const language = await languageOf(ctx, content, contact?.id ?? null)
  return { content, contact, date, rule, prices, dueDays: row.due_days, language }
}

/**
 * Prepares the draft of the next day; draft and outcome of the day commit together. Throws the error that rejects the
 * draft.
 */
export async function prepareNext(
  tx: Ctx,
  row: RecurrenceRow,
): Promise<ContractOutput<typeof createDraftContract>> {
  const date = row.next_date
  if (date === null) throw new AppError('recurrence_ended', { details: { id: row.public_id } })
  const facts = await factsOf(row)
  const input = await draftOfDay(tx, await factsOfDay(tx, row, facts, date))
  const draft = await createDraft(tx, input)
  const invoice = await resolveInvoice(tx, draft.id)
  const isNew = await answerDay(tx, { recurrenceId: row.id, date, outcome: 'draft', invoiceId: invoice.id })
  if (!isNew) throw new Error(`The day ${date} of ${row.public_id} was answered twice.`)
  const next = await openDayFrom(tx, row.id, facts.rule, addDays(date, 1))
  const after =
    next === null
      ? null
      : await draftOfDay(tx, await factsOfDay(tx, row, facts, next)).then((one) =>
          validateContent(tx, one, next),
        )
  await tx.db
    .updateTable('recurrences')
    .set({
      next_date: next,
      trouble: null,
      ...(after ? { total_cents: after.totalCents } : {}),
      version: row.version + 1,
      updated_at: tx.now().getTime(),
    })
    .where('id', '=', row.id)
    .execute()
  await recordAudit(tx, {
    action: 'recurrence.prepared',
    target: { type: 'recurrence', id: row.public_id, label: row.name },
  })
  await emitEvent(tx, 'recurrence.changed', { recurrenceId: row.public_id, invoiceId: draft.id })
  return draft
}

function problemOf(error: AppError): RecurrenceProblem {
  const [fault] = (error.details?.faults as readonly Fault[] | undefined) ?? []
  return fault
    ? { code: fault.code, field: fault.field, message: fault.message }
    : { code: error.code, message: error.text.message }
}

/** Version for which a draft was tried. */
interface Tried {
  version: number
}

/**
 * Stores why the next draft failed; the day stays open and is tried again. A row that was changed or deleted since
 * may have no error by now.
 */
async function recordProblem(
  ctx: Ctx,
  publicId: string,
  { version }: Tried,
  trouble: RecurrenceProblem,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const row = await findRecurrence(tx, publicId)
    const text = JSON.stringify(trouble)
    if (!row || row.version !== version || row.trouble === text) return
    await tx.db.updateTable('recurrences').set({ trouble: text }).where('id', '=', row.id).execute()
    await recordAudit(tx, {
      action: 'recurrence.prepared',
      target: { type: 'recurrence', id: row.public_id, label: row.name },
      outcome: 'failed',
      code: trouble.code,
    })
    await emitEvent(tx, 'recurrence.changed', { recurrenceId: publicId })
  })
}

/** Prepares the draft of one day, if one is due. Throws the error that rejects it. */
async function prepareDue(ctx: Ctx, publicId: string, tried: Tried): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    // Read again inside the transaction: a person may have paused, skipped or deleted it since.
    const row = await findRecurrence(tx, publicId)
    if (row?.state !== 'active' || row.next_date === null || row.next_date > tx.today()) return false
    tried.version = row.version
    await prepareNext(tx, row)
    return true
  })
}

async function prepareDueOf(ctx: Ctx, publicId: string): Promise<number> {
  const tried: Tried = { version: 0 }
  let prepared = 0
  try {
    while (await prepareDue(ctx, publicId, tried)) prepared += 1
  } catch (error) {
    // A disk error does not come from this content, and could not be stored.
    if (!(error instanceof AppError) || error.code === 'store_readonly') throw error
    await recordProblem(ctx, publicId, tried, problemOf(error))
  }
  return prepared
}

/**
 * Prepares every due draft of the book. A failure is stored and tried again in the next round; the others continue.
 * Never throws for one of them: `failed` lists unexpected errors, and `open` counts the series that still have a due
 * day. Throws `store_readonly`.
 */
export async function prepareRecurring(
  ctx: Ctx,
): Promise<{ prepared: number; failed: string[]; open: number }> {
  let prepared = 0
  const failed: string[] = []
  const due = await dueRecurrences(ctx)
  for (const publicId of due) {
    try {
      prepared += await prepareDueOf(ctx, publicId)
    } catch (error) {
      if (error instanceof AppError) throw error
      failed.push(`${publicId}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { prepared, failed, open: due.length === 0 ? 0 : (await dueRecurrences(ctx)).length }
}
