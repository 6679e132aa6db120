/** Overdue customers and invoices, the legal interest on them, and the reminders that were sent. */
import { sql } from 'kysely'
import { recordAudit } from '../../../platform/audit/index.ts'
import { findCompany } from '../../../company/index.ts'
import { findContact } from '../../../catalog/contacts/index.ts'
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import { daysBetween } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import { programLanguage } from '../../../domain/languages.ts'
import type { DocumentLanguage } from '../../../domain/languages.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import { checkNif } from '../../../domain/tax/nif.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { resolveInvoice } from '../../../sales/invoices/index.ts'
import { lateInterest } from '../../../tax/rules/index.ts'
import type { LateInterestPart } from '../../../tax/rules/index.ts'
import type {
  createReminderContract,
  invoiceRemindersContract,
  LatePayer,
  listRemindersContract,
  previewReminderContract,
  Reminder,
  ReminderLetter,
} from './contract.ts'
import { writeLetter } from './letter.ts'
import type { InterestStretch } from './letter.ts'

/** Reminder levels of overdue invoices; 0 is for invoices that are not overdue. */
type Level = 1 | 2 | 3

interface LateRow {
  id: number
  /** 0 for an invoice with one due date. */
  instalment: number
  instalments: number
  public_id: string
  number: string
  state: 'issued' | 'history'
  issue_date: string
  due_date: string
  open_cents: Cents
  language: DocumentLanguage
  party_name: string
  party_nif: string | null
  party_id_type: string | null
  party_email: string | null
  street: string | null
  postal_code: string | null
  city: string | null
  province: string | null
  contact_id: number | null
  contact_public_id: string | null
  contact_name: string | null
  contact_email: string | null
  contact_phone: string | null
  contact_language: DocumentLanguage | null
}

/** Returns open invoices of a contact or by ids, each open instalment by itself; without ids only overdue ones. */
async function owedRows(
  ctx: Ctx,
  options: { contactId?: number; ids?: readonly number[] },
): Promise<LateRow[]> {
  const mine = options.contactId === undefined ? sql`` : sql`and i.contact_id = ${options.contactId}`
  const named =
    options.ids === undefined
      ? // The invoice has the day of the next open instalment, by which the index finds it.
        sql`and i.due_date < ${ctx.today()} and coalesce(s.due_date, i.due_date) < ${ctx.today()}`
      : sql`and i.due_date is not null and i.id in (${sql.join(options.ids)})`
  const { rows } = await sql<LateRow>`select i.id, coalesce(s.position, 0) as instalment,
    (select count(*) from invoice_instalments n where n.invoice_id = i.id) as instalments, i.public_id, i.number,
    i.state, i.issue_date, coalesce(s.due_date, i.due_date) as due_date, coalesce(s.open_cents, i.due_cents) as open_cents,
    i.language, p.name as party_name,
    p.nif as party_nif, p.id_type as party_id_type, p.email as party_email, p.street, p.postal_code, p.city, p.province,
    i.contact_id, c.public_id as contact_public_id, c.name as contact_name, c.email as contact_email,
    c.phone as contact_phone, c.language as contact_language
    from invoices i join parties p on p.id = i.party_id left join contacts c on c.id = i.contact_id
    left join invoice_instalments s on s.invoice_id = i.id and s.open_cents > 0
    where i.book_id = ${ctx.book.id} and i.is_owed = 1 ${mine} ${named}
    order by coalesce(s.due_date, i.due_date), i.id`.execute(ctx.db)
  return rows
}

/** Key of an invoice, or of one of its instalments. */
const keyOf = (invoiceId: number, instalment: number): string => `${invoiceId}#${instalment}`

interface PaidLate {
  invoice_id: number
  instalment: number
  date: string
  cents: Cents
}

/** Returns payments made after the due date, on which interest ran until then. */
async function paidLate(ctx: Ctx, ids: readonly number[]): Promise<Map<string, PaidLate[]>> {
  const paid = new Map<string, PaidLate[]>()
  if (ids.length === 0) return paid
  const { rows } =
    await sql<PaidLate>`select a.invoice_id, a.instalment, p.date, a.cents from payment_allocations a
    join payments p on p.id = a.payment_id join invoices i on i.id = a.invoice_id
    left join invoice_instalments s on s.invoice_id = a.invoice_id and s.position = a.instalment
    where a.invoice_id in (${sql.join(ids)}) and p.kind <> 'write_off' and p.date > coalesce(s.due_date, i.due_date)
    order by p.date, p.id`.execute(ctx.db)
  for (const row of rows) {
    const key = keyOf(row.invoice_id, row.instalment)
    paid.set(key, [...(paid.get(key) ?? []), row])
  }
  return paid
}

interface OverdueTotals {
  interestCents: Cents
  recoveryCents: Cents
  parts: LateInterestPart[]
  certain: boolean
}

/**
 * Computes interest on unpaid amounts from the day after the due date up to a day, and on late payments until they
 * were made; a returned debit cancels its payment. The fixed compensation is due once per invoice. Source: Ley 3/2004
 * arts. 5 to 8.
 */
export function overdueTotals(facts: {
  openCents: Cents
  dueDate: BusinessDate
  until: BusinessDate
  paidLate: readonly { date: BusinessDate; cents: Cents }[]
}): OverdueTotals {
  const { openCents, dueDate, until } = facts
  const open = lateInterest({ cents: openCents, dueDate, until })
  const paid = facts.paidLate.map(({ cents, date }) => lateInterest({ cents, dueDate, until: date }))
  return {
    interestCents: Math.max(
      0,
      [open, ...paid].reduce((sum, one) => sum + one.cents, 0),
    ),
    recoveryCents: open.recoveryCents,
    parts: open.parts,
    certain: open.certain,
  }
}

/**
 * Returns true for a company's NIF or a VAT number of another member state. A natural person may or may not act as a
 * business, so returns false.
 */
function isBusiness(nif: string | null, idType: string | null): boolean {
  if (idType === '02') return true
  return nif !== null && checkNif(nif).kind === 'entity'
}

interface Sent {
  count: number
  level: Level
  date: string
  /** Compensation that was claimed for this instalment. */
  recoveryCents: Cents
}

async function sentReminders(ctx: Ctx, ids: readonly number[]): Promise<Map<string, Sent>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Sent & { invoice_id: number; instalment: number }>`
    select ri.invoice_id, coalesce(n.instalment, 0) as instalment, count(*) as count, max(r.level) as level,
      max(r.date) as date, max(coalesce(n.recovery_cents, 0)) as "recoveryCents"
    from reminder_invoices ri join reminders r on r.id = ri.reminder_id
    left join reminder_instalments n on n.reminder_id = ri.reminder_id and n.invoice_id = ri.invoice_id
    where ri.invoice_id in (${sql.join(ids)}) group by ri.invoice_id, coalesce(n.instalment, 0)`.execute(
    ctx.db,
  )
  return new Map(rows.map((row) => [keyOf(row.invoice_id, row.instalment), row]))
}

function nextLevel(sent: Sent | undefined): Level {
  return sent ? (Math.min(3, sent.level + 1) as Level) : 1
}

/** Returns overdue invoices with their interest. */
async function figuresFor(ctx: Ctx, rows: readonly LateRow[]) {
  const ids = rows.map((row) => row.id)
  const paid = await paidLate(ctx, ids)
  const sent = await sentReminders(ctx, ids)
  const until = ctx.today()
  // The compensation is due once for an invoice: with the instalment for which it was claimed, else the first late one.
  const claimed = new Map<number, number>()
  for (const [key, { recoveryCents }] of sent)
    if (recoveryCents > 0) claimed.set(Number(key.split('#')[0]), Number(key.split('#')[1]))
  return rows.map((row) => {
    const key = keyOf(row.id, row.instalment)
    const figures = overdueTotals({
      openCents: row.open_cents,
      dueDate: row.due_date,
      until,
      paidLate: paid.get(key) ?? [],
    })
    const claims = row.instalment === 0 || (claimed.get(row.id) ?? row.instalment) === row.instalment
    if (row.instalment > 0 && figures.recoveryCents > 0 && !claimed.has(row.id))
      claimed.set(row.id, row.instalment)
    return {
      row,
      sent: sent.get(key),
      daysLate: daysBetween(row.due_date, until),
      figures: claims ? figures : { ...figures, recoveryCents: 0 },
    }
  })
}

type Late = Awaited<ReturnType<typeof figuresFor>>[number]

function payerView(late: readonly Late[]): LatePayer {
  const { row } = late[0]!
  const business = isBusiness(row.party_nif, row.party_id_type)
  const sum = (of: (one: Late) => Cents): Cents => late.reduce((total, one) => total + of(one), 0)
  const due = sum((one) => one.row.open_cents)
  const interest = business ? sum((one) => one.figures.interestCents) : 0
  const recovery = business ? sum((one) => one.figures.recoveryCents) : 0
  return {
    contactId: row.contact_public_id,
    name: row.contact_name ?? row.party_name,
    nif: row.party_nif,
    email: row.contact_email ?? row.party_email,
    phone: row.contact_phone,
    language: letterLanguage(row),
    isBusiness: business,
    since: row.due_date,
    daysLate: late[0]!.daysLate,
    amountDue: eurosFromCents(due),
    interest: eurosFromCents(interest),
    recovery: eurosFromCents(recovery),
    total: eurosFromCents(due + interest + recovery),
    nextLevel: Math.max(...late.map((one) => nextLevel(one.sent))),
    invoices: late.map((one) => ({
      id: one.row.public_id,
      ...(one.row.instalment === 0 ? {} : { instalment: one.row.instalment }),
      number: one.row.number,
      ...(one.row.state === 'history' ? { history: true as const } : {}),
      issueDate: one.row.issue_date,
      dueDate: one.row.due_date,
      daysLate: one.daysLate,
      amountDue: eurosFromCents(one.row.open_cents),
      interest: eurosFromCents(business ? one.figures.interestCents : 0),
      recovery: eurosFromCents(business ? one.figures.recoveryCents : 0),
      reminders: one.sent?.count ?? 0,
      lastReminder: one.sent ? { level: one.sent.level, date: one.sent.date } : null,
      nextLevel: nextLevel(one.sent),
    })),
  }
}

/** Returns the language of a letter: the customer's, else the invoice's. */
function letterLanguage({ contact_language: own, language }: LateRow): DocumentLanguage {
  return own ?? language
}

/** Returns the key of a customer: the contact, else the NIF, else the name. */
function payerKey(row: LateRow): string {
  return row.contact_public_id ?? row.party_nif ?? row.party_name
}

/** Lists customers with overdue invoices, longest overdue first. */
export const listReminders: UseCase<typeof listRemindersContract> = async (ctx, { contactId }) => {
  const contact = contactId === undefined ? undefined : orNotFound(await findContact(ctx, contactId)).id
  const late = await figuresFor(ctx, await owedRows(ctx, contact === undefined ? {} : { contactId: contact }))
  const byPayer = new Map<string, Late[]>()
  for (const one of late) byPayer.set(payerKey(one.row), [...(byPayer.get(payerKey(one.row)) ?? []), one])
  const items = [...byPayer.values()].map(payerView)
  const sum = (of: (payer: LatePayer) => number): number =>
    items.reduce((total, payer) => total + Math.round(of(payer) * 100), 0) / 100
  return {
    date: ctx.today(),
    items,
    totals: {
      amountDue: sum((payer) => payer.amountDue),
      interest: sum((payer) => payer.interest),
      recovery: sum((payer) => payer.recovery),
      total: sum((payer) => payer.total),
      payers: items.length,
      invoices: new Set(late.map(({ row }) => row.id)).size,
    },
  }
}

/** Returns the periods of each interest rate over all invoices, oldest first, as the letter explains the computation. */
function batchesOf(late: readonly Late[]): InterestStretch[] {
  const longest = late[0]
  if (!longest) return []
  return longest.figures.parts.map(({ from, to, days, rateBp }) => ({ from, to, days, rateBp }))
}

interface Prepared {
  letter: ReminderLetter
  late: Late[]
  claims: boolean
  level: Level | 0
  language: DocumentLanguage
}

/** Returns what a letter names of its invoices: an instalment, what is late, or before that what is due next. */
function named(
  rows: readonly LateRow[],
  { instalment, level }: { instalment?: number | undefined; level?: number | undefined },
  today: BusinessDate,
): LateRow[] {
  const seen = new Set<number>()
  return rows.filter((row) => {
    if (instalment !== undefined && row.instalment !== instalment) return false
    if (level !== 0) return row.due_date < today
    // Rows are in the order of their days.
    const isNext = !seen.has(row.id)
    seen.add(row.id)
    return isNext && row.due_date >= today
  })
}

/** Returns the number of an invoice, with that of its instalment. */
function numberOf({ number, instalment, instalments }: LateRow): string {
  return instalment === 0 ? number : `${number} (${instalment}/${instalments})`
}

async function prepare(ctx: Ctx, input: ContractInput<typeof previewReminderContract>): Promise<Prepared> {
  const ids: number[] = []
  for (const id of new Set(input.invoiceIds)) {
    const row = await resolveInvoice(ctx, id)
    if (row.state === 'draft' || row.is_owed === 0)
      throw new AppError('invoice_settled', { field: 'invoiceIds', details: { id } })
    const isLate = row.due_date !== null && row.due_date < ctx.today()
    // A letter before the due date announces it; a letter after it must not present the date as future.
    if (row.due_date === null || (isLate === (input.level === 0) && input.instalment === undefined))
      throw new AppError('invoice_not_late', { field: 'invoiceIds', details: { id, dueDate: row.due_date } })
    ids.push(row.id)
  }
  const late = await figuresFor(ctx, named(await owedRows(ctx, { ids }), input, ctx.today()))
  const [first] = late
  // A named instalment may be paid, not be late yet, or not exist.
  if (!first)
    throw new AppError('invoice_not_late', { field: 'instalment', details: { id: input.invoiceIds[0] } })
  if (new Set(late.map(({ row }) => payerKey(row))).size > 1)
    throw validationFailed([
      {
        code: 'several_customers',
        field: 'invoiceIds',
        severity: 'error',
        message: 'A letter goes to one customer.',
        fix: 'Send one request for each customer.',
      },
    ])
  const { row } = first
  const level = (input.level ?? Math.max(...late.map((one) => nextLevel(one.sent)))) as Level | 0
  const language = input.language ?? letterLanguage(row)
  const claims =
    level > 0 && (input.claimInterest ?? (level > 1 && isBusiness(row.party_nif, row.party_id_type)))
  const company = await findCompany(ctx)
  const line = (...parts: (string | null)[]): string => parts.filter(Boolean).join(' ')
  const letter = writeLetter({
    level,
    language,
    date: ctx.today(),
    from: {
      name: company.legal_name,
      lines: [
        `NIF ${company.nif}`,
        line(company.street),
        line(company.postal_code, company.city),
        line(company.email, company.phone),
      ].filter(Boolean),
      iban: company.iban,
      place: company.city,
    },
    to: {
      name: row.party_name,
      lines: [
        row.party_nif ? `NIF ${row.party_nif}` : '',
        line(row.street),
        line(row.postal_code, row.city),
      ].filter(Boolean),
      email: row.contact_email ?? row.party_email,
    },
    invoices: late.map((one) => ({
      number: numberOf(one.row),
      issueDate: one.row.issue_date,
      dueDate: one.row.due_date,
      daysLate: one.daysLate,
      dueCents: one.row.open_cents,
      interestCents: one.figures.interestCents,
      recoveryCents: one.figures.recoveryCents,
    })),
    claimsInterest: claims,
    stretches: batchesOf(late),
    isEstimated: late.some((one) => !one.figures.certain),
  })
  return { letter, late, claims, level, language }
}

/** Returns the letter as it would be sent now. */
export const previewReminder: UseCase<typeof previewReminderContract> = async (ctx, input) =>
  (await prepare(ctx, input)).letter

function figuresOf(late: readonly Late[], claims: boolean) {
  const sum = (of: (one: Late) => Cents): Cents => late.reduce((total, one) => total + of(one), 0)
  return {
    due_cents: sum((one) => one.row.open_cents),
    interest_cents: claims ? sum((one) => one.figures.interestCents) : 0,
    recovery_cents: claims ? sum((one) => one.figures.recoveryCents) : 0,
  }
}

/** Records that a reminder was sent. */
export const createReminder: UseCase<typeof createReminderContract> = (
  ctx,
  { channel = 'letter', ...input },
) =>
  ctx.transaction(async (tx) => {
    const { letter, late, claims, level, language } = await prepare(tx, input)
    const publicId = tx.newId('rem')
    const byInvoice = [...Map.groupBy(late, (one) => one.row.id).values()]
    const cents = (of: (one: Late) => Cents): Cents => late.reduce((sum, one) => sum + of(one), 0)
    const row = await tx.db
      .insertInto('reminders')
      .values({
        book_id: tx.book.id,
        public_id: publicId,
        contact_id: late[0]?.row.contact_id ?? null,
        level: level as Level,
        date: tx.today(),
        language: programLanguage(language),
        letter_language: language,
        channel,
        due_cents: cents((one) => one.row.open_cents),
        interest_cents: claims ? cents((one) => one.figures.interestCents) : 0,
        recovery_cents: claims ? cents((one) => one.figures.recoveryCents) : 0,
        created_at: tx.now().getTime(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.db
      .insertInto('reminder_invoices')
      .values(
        byInvoice.map((ofOne) => ({
          reminder_id: row.id,
          invoice_id: ofOne[0]?.row.id ?? 0,
          ...figuresOf(ofOne, claims),
        })),
      )
      .execute()
    const inParts = late.filter((one) => one.row.instalment > 0)
    if (inParts.length > 0)
      await tx.db
        .insertInto('reminder_instalments')
        .values(
          inParts.map((one) => ({
            reminder_id: row.id,
            invoice_id: one.row.id,
            instalment: one.row.instalment,
            ...figuresOf([one], claims),
          })),
        )
        .execute()
    for (const [one] of byInvoice) {
      if (!one) continue
      await recordAudit(tx, {
        action: 'invoice.reminded',
        target: { type: 'invoice', id: one.row.public_id, label: one.row.number },
      })
      await emitEvent(tx, 'invoice.changed', { invoiceId: one.row.public_id })
    }
    const [reminder] = await remindersByIds(tx, [row.id])
    return { ...orNotFound(reminder), letter }
  })

async function remindersByIds(ctx: Ctx, ids: readonly number[]): Promise<Reminder[]> {
  if (ids.length === 0) return []
  const rows = await ctx.db
    .selectFrom('reminders')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('id', 'in', ids)
    .orderBy('date', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const invoices = await ctx.db
    .selectFrom('reminder_invoices')
    .innerJoin('invoices', 'invoices.id', 'reminder_invoices.invoice_id')
    .selectAll('reminder_invoices')
    .select(['invoices.public_id', 'invoices.number'])
    .where('reminder_id', 'in', ids)
    .orderBy('invoices.due_date')
    .execute()
  const parts = await ctx.db
    .selectFrom('reminder_instalments')
    .select(['reminder_id', 'invoice_id', 'instalment'])
    .where('reminder_id', 'in', ids)
    .orderBy('instalment')
    .execute()
  const instalmentsOf = (reminderId: number, invoiceId: number): { instalments?: number[] } => {
    const numbers = parts.filter((one) => one.reminder_id === reminderId && one.invoice_id === invoiceId)
    return numbers.length === 0 ? {} : { instalments: numbers.map(({ instalment }) => instalment) }
  }
  return rows.map((row) => ({
    id: row.public_id,
    date: row.date,
    level: row.level,
    language: row.letter_language ?? row.language,
    channel: row.channel,
    amountDue: eurosFromCents(row.due_cents),
    interest: eurosFromCents(row.interest_cents),
    recovery: eurosFromCents(row.recovery_cents),
    invoices: invoices
      .filter((one) => one.reminder_id === row.id)
      .map((one) => ({
        id: one.public_id,
        number: one.number ?? '',
        ...instalmentsOf(row.id, one.invoice_id),
        amountDue: eurosFromCents(one.due_cents),
        interest: eurosFromCents(one.interest_cents),
        recovery: eurosFromCents(one.recovery_cents),
      })),
    createdAt: new Date(row.created_at).toISOString(),
  }))
}

/** Returns the reminders of an invoice, newest first. */
export const invoiceReminders: UseCase<typeof invoiceRemindersContract> = async (ctx, { id }) => {
  const invoice = await resolveInvoice(ctx, id)
  const rows = await ctx.db
    .selectFrom('reminder_invoices')
    .select('reminder_id')
    .where('invoice_id', '=', invoice.id)
    .execute()
  return {
    items: await remindersByIds(
      ctx,
      rows.map((row) => row.reminder_id),
    ),
  }
}
