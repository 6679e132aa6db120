/**
 * Plans reminders by the due date. Each run stores once which step of which invoice is due; a person reviews and
 * sends them, or has chosen to let the next ones go automatically. A step is settled in the transaction that writes
 * its mail.
 */
import { sql } from 'kysely'
import { recordAudit } from '../../platform/audit/index.ts'
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import { addDays, daysBetween } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { english } from '../../domain/errors/messages/en.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { assertVersion } from '../../domain/contract/version-guard.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { resolveInvoice } from '../../sales/invoices/index.ts'
import { canSend, serverOf } from './account.ts'
import { compose, usualRecipients, filledTemplateOf } from './compose.ts'
import type {
  getPlanContract,
  holdRemindersContract,
  holdStateContract,
  readyRemindersContract,
  ReminderPlan,
  savePlanContract,
  sendPlannedContract,
  skipReminderContract,
} from './plan-contract.ts'
import { writeMail } from './queue.ts'
import { findAccount } from './rows.ts'

const USUAL_STEPS: readonly number[] = [-3, 0, 7, 15]
/** Literal in the statement: the index of waiting reminders is a partial one. */
const WAITING = sql.lit<'waiting'>('waiting')

interface Plan {
  enabled: boolean
  steps: readonly number[]
  automatic: boolean
  since: BusinessDate | null
  version: number
}

async function findPlan(ctx: Ctx): Promise<Plan> {
  const row = await ctx.db
    .selectFrom('reminder_plans')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .executeTakeFirst()
  return row
    ? {
        enabled: row.enabled === 1,
        steps: JSON.parse(row.steps) as number[],
        automatic: row.automatic === 1,
        since: row.since,
        version: row.version,
      }
    : { enabled: false, steps: USUAL_STEPS, automatic: false, since: null, version: 0 }
}

/** Returns the level of a step's letter: 0 on or before the due date, then one level more with each step. */
export function levelOfStep(step: number, steps: readonly number[]): 0 | 1 | 2 | 3 {
  if (step <= 0) return 0
  const before = steps.filter((each) => each > 0 && each < step).length
  return Math.min(3, before + 1) as 1 | 2 | 3
}

/** Returns the step that an invoice has reached: the last one that is due; null when none applies now. */
export function stepAt(steps: readonly number[], daysLate: number): number | null {
  const come = steps.filter((step) => step <= daysLate)
  const last = come.length === 0 ? null : Math.max(...come)
  // Once the invoice is late, a letter that announces the due date is too late itself.
  return last !== null && last <= 0 && daysLate > 0 ? null : last
}

/** Distance between the stored steps of two instalments: each step stands once for an invoice, and once for each of them. */
const STEPS_OF_INSTALMENT = 200
const FIRST_STEP = 60

/** Returns a step as it is stored: of instalment n with 200·n added, else as it is. */
const storedStep = (instalment: number, step: number): number => step + STEPS_OF_INSTALMENT * instalment

/** The instalment of a stored step, 0 for an invoice with one due date. */
const INSTALMENT = sql`((p.step + ${sql.lit(FIRST_STEP)}) / ${sql.lit(STEPS_OF_INSTALMENT)})`

interface Row {
  id: number
  /** 0 for an invoice with one due date. */
  instalment: number
  public_id: string
  number: string
  due_date: BusinessDate
  due_cents: Cents
  reminded_on: BusinessDate | null
}

/** Owed, not disputed, and not of a customer excluded from reminders. */
const REMINDABLE = sql`i.state <> 'draft' and i.is_owed = 1 and i.due_cents > 0 and i.due_date is not null
  and not exists (select 1 from reminder_holds h where h.invoice_id = i.id)
  and coalesce((select c.reminders_off from contacts c where c.id = i.contact_id), 0) = 0`

/** Returns what may be reminded of: invoices, and the open instalments of those that have several. */
async function remindable(ctx: Ctx, until: BusinessDate): Promise<Row[]> {
  const { rows } = await sql<Row>`select i.id, coalesce(s.position, 0) as instalment, i.public_id, i.number,
    coalesce(s.due_date, i.due_date) as due_date, coalesce(s.open_cents, i.due_cents) as due_cents,
    (select max(r.date) from reminder_invoices x join reminders r on r.id = x.reminder_id
      left join reminder_instalments n on n.reminder_id = x.reminder_id and n.invoice_id = x.invoice_id
      where x.invoice_id = i.id and (s.position is null or n.instalment = s.position)) as reminded_on
    from invoices i left join invoice_instalments s on s.invoice_id = i.id and s.open_cents > 0
    where i.book_id = ${ctx.book.id} and ${REMINDABLE} and i.due_date <= ${until}
      and coalesce(s.due_date, i.due_date) <= ${until}
    order by coalesce(s.due_date, i.due_date), i.id`.execute(ctx.db)
  return rows
}

/**
 * Deletes waiting reminders that no longer apply: paid, cancelled, disputed, or of an earlier step. If the reason
 * disappears on the same step (the dispute was a mistake, the payment was undone), the next run stores the reminder
 * again.
 */
async function dropOutdated(tx: Ctx, current: ReadonlySet<string>): Promise<number> {
  const waiting = await tx.db
    .selectFrom('planned_reminders')
    .select(['id', 'invoice_id', 'step'])
    .where('book_id', '=', tx.book.id)
    .where('state', '=', WAITING)
    .execute()
  const outdated = waiting.filter((row) => !current.has(`${row.invoice_id}#${row.step}`)).map(({ id }) => id)
  if (outdated.length > 0) await tx.db.deleteFrom('planned_reminders').where('id', 'in', outdated).execute()
  return outdated.length
}

/** Stores which reminders are due; returns how many are new. */
async function planReminders(ctx: Ctx): Promise<number> {
  return ctx.transaction(async (tx) => {
    const { enabled, steps, since } = await findPlan(tx)
    const current = new Set<string>()
    /** Invoices with a late instalment: nobody announces the next one to them. */
    const late = new Set<number>()
    const today = tx.today()
    let planned = 0
    if (enabled && since !== null)
      for (const row of await remindable(tx, addDays(today, -Math.min(0, ...steps)))) {
        if (row.due_date < today) late.add(row.id)
        const step = stepAt(steps, daysBetween(row.due_date, today))
        if (step === null || (step <= 0 && late.has(row.id))) continue
        const day = addDays(row.due_date, step)
        // Skips what was due before the plan began, or was reminded of by hand since that day.
        if (day < since || (row.reminded_on !== null && row.reminded_on >= day)) continue
        const stored = storedStep(row.instalment, step)
        current.add(`${row.id}#${stored}`)
        const { numInsertedOrUpdatedRows } = await tx.db
          .insertInto('planned_reminders')
          .values({
            book_id: tx.book.id,
            public_id: tx.newId('prm'),
            invoice_id: row.id,
            step: stored,
            planned_on: day,
            state: 'waiting',
            mail_id: null,
            created_at: tx.now().getTime(),
            settled_at: null,
          })
          .onConflict((conflict) => conflict.columns(['invoice_id', 'step']).doNothing())
          .executeTakeFirst()
        planned += Number(numInsertedOrUpdatedRows ?? 0)
      }
    const dropped = await dropOutdated(tx, current)
    if (planned + dropped > 0) await emitEvent(tx, 'mail.changed', {})
    return planned
  })
}

interface Waiting {
  id: number
  instalment: number
  public_id: string
  invoice: string
  number: string
  contact: string | null
  step: number
  due_date: BusinessDate
  due_cents: Cents
  created_at: number
}

async function waitingRows(ctx: Ctx): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`select p.id, p.public_id, i.public_id as invoice, i.number,
    c.public_id as contact, p.step - ${sql.lit(STEPS_OF_INSTALMENT)} * ${INSTALMENT} as step, ${INSTALMENT} as instalment,
    coalesce(s.due_date, i.due_date) as due_date, coalesce(s.open_cents, i.due_cents) as due_cents, p.created_at
    from planned_reminders p join invoices i on i.id = p.invoice_id left join contacts c on c.id = i.contact_id
    left join invoice_instalments s on s.invoice_id = i.id and s.position = ${INSTALMENT} and s.open_cents > 0
    where p.book_id = ${ctx.book.id} and p.state = 'waiting' and ${REMINDABLE}
      and (${INSTALMENT} = 0 or s.position is not null) order by p.id`.execute(ctx.db)
  return rows
}

/** A planned reminder names its own instalment only. */
function aboutOf({ invoice, instalment }: Waiting, level: number) {
  return {
    kind: 'reminder' as const,
    ids: [invoice],
    level,
    ...(instalment === 0 ? {} : { instalment }),
  }
}

/** Returns how many reminders wait for a person. */
export async function countReadyReminders(ctx: Ctx): Promise<number> {
  return (await waitingRows(ctx)).length
}

async function planView(ctx: Ctx): Promise<ReminderPlan> {
  const { steps, ...plan } = await findPlan(ctx)
  return { ...plan, steps: [...steps], waiting: await countReadyReminders(ctx) }
}

export const getReminderPlan: UseCase<typeof getPlanContract> = (ctx) => planView(ctx)

async function keepPlan(tx: Ctx, plan: Omit<Plan, 'version'>, version: number): Promise<void> {
  const values = {
    enabled: plan.enabled ? 1 : 0,
    steps: JSON.stringify(plan.steps),
    automatic: plan.automatic ? 1 : 0,
    since: plan.since ?? tx.today(),
    version: version + 1,
    updated_at: tx.now().getTime(),
  } as const
  await tx.db
    .insertInto('reminder_plans')
    .values({ book_id: tx.book.id, ...values })
    .onConflict((conflict) => conflict.column('book_id').doUpdateSet(values))
    .execute()
  await recordAudit(tx, { action: 'reminders.plan_changed' })
  await emitEvent(tx, 'mail.changed', {})
}

export const saveReminderPlan: UseCase<typeof savePlanContract> = async (
  ctx,
  { enabled, steps, automatic, expectedVersion },
) => {
  await ctx.transaction(async (tx) => {
    const before = await findPlan(tx)
    assertVersion(expectedVersion, before.version)
    const isOn = enabled ?? before.enabled
    await keepPlan(
      tx,
      {
        enabled: isOn,
        steps: steps ? [...new Set(steps)].toSorted((one, other) => one - other) : before.steps,
        automatic: automatic ?? before.automatic,
        // Turning the plan on again restarts it: nobody gets the reminders that a pause skipped.
        since: isOn && !before.enabled ? tx.today() : before.since,
      },
      before.version,
    )
    tx.wake('calendar')
  })
  await planReminders(ctx)
  return planView(ctx)
}

export const readyReminders: UseCase<typeof readyRemindersContract> = async (ctx) => {
  await planReminders(ctx)
  const { steps } = await findPlan(ctx)
  const items: ContractOutput<typeof readyRemindersContract>['items'] = []
  for (const row of await waitingRows(ctx)) {
    const level = levelOfStep(row.step, steps)
    const composed = await compose(ctx, aboutOf(row, level))
    items.push({
      id: row.public_id,
      invoiceId: row.invoice,
      number: row.number,
      contactId: row.contact,
      clientName: composed.name,
      to: await usualRecipients(ctx, composed),
      ...(row.instalment === 0 ? {} : { instalment: row.instalment }),
      dueDate: row.due_date,
      step: row.step,
      level,
      amountDue: eurosFromCents(row.due_cents),
      createdAt: new Date(row.created_at).toISOString(),
    })
  }
  return { items, canSend: canSend(await findAccount(ctx)) }
}

export const skipReminder: UseCase<typeof skipReminderContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('planned_reminders')
      .set({ state: 'skipped', settled_at: tx.now().getTime() })
      .where('book_id', '=', tx.book.id)
      .where('public_id', '=', id)
      .where('state', '=', WAITING)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError('not_found')
    await emitEvent(tx, 'mail.changed', {})
    return { skipped: true as const }
  })

export const holdReminders: UseCase<typeof holdRemindersContract> = async (ctx, { id, held }) => {
  await ctx.transaction(async (tx) => {
    const invoice = await resolveInvoice(tx, id)
    if (held)
      await tx.db
        .insertInto('reminder_holds')
        .values({ invoice_id: invoice.id, created_at: tx.now().getTime() })
        .onConflict((conflict) => conflict.column('invoice_id').doNothing())
        .execute()
    else await tx.db.deleteFrom('reminder_holds').where('invoice_id', '=', invoice.id).execute()
    await recordAudit(tx, {
      action: held ? 'reminders.held' : 'reminders.resumed',
      target: { type: 'invoice', id: invoice.public_id, label: invoice.number ?? '' },
    })
    await emitEvent(tx, 'invoice.changed', { invoiceId: invoice.public_id })
  })
  await planReminders(ctx)
  return { held }
}

export const remindersHeld: UseCase<typeof holdStateContract> = async (ctx, { id }) => {
  const invoice = await resolveInvoice(ctx, id)
  const row = await ctx.db
    .selectFrom('reminder_holds')
    .select('invoice_id')
    .where('invoice_id', '=', invoice.id)
    .executeTakeFirst()
  return { held: row !== undefined }
}

/** The customer has no e-mail address. */
class NoAddress extends Error {}

interface Sent {
  id: string
  mailId: string
  to: string[]
}

/**
 * Writes the mail of one planned reminder and settles it in one transaction. Throws when it cannot be sent or was
 * sent already.
 */
async function sendOne(ctx: Ctx, row: Waiting, steps: readonly number[]): Promise<Sent> {
  const level = levelOfStep(row.step, steps)
  const composed = await compose(ctx, aboutOf(row, level))
  const to = await usualRecipients(ctx, composed)
  if (to.length === 0) throw new NoAddress()
  const mail = await writeMail(
    ctx,
    composed,
    { to, ...(await filledTemplateOf(ctx, composed)) },
    async (tx, written) => {
      const { rows } = await sql<{ id: number }>`select p.id from planned_reminders p
      join invoices i on i.id = p.invoice_id
      left join invoice_instalments s on s.invoice_id = i.id and s.position = ${INSTALMENT} and s.open_cents > 0
      where p.id = ${row.id} and p.state = 'waiting' and ${REMINDABLE}
        and (${INSTALMENT} = 0 or s.position is not null)`.execute(tx.db)
      // Paid, disputed or sent from another window since it was read.
      const { id } = orNotFound(rows[0])
      await tx.db
        .updateTable('planned_reminders')
        .set({ state: 'sent', mail_id: written.id, settled_at: tx.now().getTime() })
        .where('id', '=', id)
        .execute()
    },
  )
  return { id: row.public_id, mailId: mail.public_id, to }
}

async function sendRows(
  ctx: Ctx,
  rows: readonly Waiting[],
): Promise<ContractOutput<typeof sendPlannedContract>> {
  const { steps } = await findPlan(ctx)
  const queued: Sent[] = []
  const refused: ContractOutput<typeof sendPlannedContract>['refused'] = []
  for (const row of rows) {
    try {
      queued.push(await sendOne(ctx, row, steps))
    } catch (error) {
      const id = row.public_id
      if (error instanceof AppError)
        refused.push({ id, code: error.code, message: english[error.code].message })
      else if (error instanceof NoAddress)
        refused.push({ id, code: 'mail_no_address', message: 'The customer has no e-mail address.' })
      else if (error instanceof Error && error.name === 'DocumentPending')
        refused.push({ id, code: 'mail_not_ready', message: 'The PDF is still being drawn.' })
      else throw error
    }
  }
  return { queued, refused }
}

/** Sends planned reminders that a person has reviewed; with `automatic` the next ones are sent automatically. */
export const sendPlanned: UseCase<typeof sendPlannedContract> = async (ctx, { ids, automatic }) => {
  serverOf(ctx, await findAccount(ctx))
  const wanted = new Set(ids)
  const waiting = await waitingRows(ctx)
  const sent = await sendRows(
    ctx,
    waiting.filter((row) => wanted.has(row.public_id)),
  )
  const there = new Set(waiting.map((row) => row.public_id))
  const gone = [...wanted]
    .filter((id) => !there.has(id))
    .map((id) => ({ id, code: 'not_found', message: english.not_found.message }))
  if (automatic !== undefined)
    await ctx.transaction(async (tx) => {
      const { version, ...plan } = await findPlan(tx)
      if (plan.automatic !== automatic) await keepPlan(tx, { ...plan, automatic }, version)
    })
  return { queued: sent.queued, refused: [...sent.refused, ...gone] }
}

/**
 * Plans the reminders that are due, and sends them where a person enabled that. Returns what could not be sent, for
 * the log.
 */
export async function runReminderPlan(ctx: Ctx): Promise<string[]> {
  await planReminders(ctx)
  const { enabled, automatic } = await findPlan(ctx)
  if (!enabled || !automatic || !canSend(await findAccount(ctx))) return []
  const { refused } = await sendRows(ctx, await waitingRows(ctx))
  return refused.map(({ id, code }) => `${id}: ${code}`)
}
