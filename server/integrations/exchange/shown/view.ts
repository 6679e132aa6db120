/** Followed invoices and reports as callers see them. */
import { eurosFromCents } from '../../../domain/money.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Ctx } from '../../../context.ts'
import type { ExchangeDocument, ExchangeReport, ExchangeSummary } from '../contract.ts'
import { lastDayFor } from '../law/clock.ts'
import { intended } from '../said/plan.ts'
import type { Said } from '../said/plan.ts'
import { factsOf, OPEN_REPORTS, reportsOf } from '../state/rows.ts'
import type { DocumentRow, ReportRow } from '../state/rows.ts'
import { saidReports } from '../state/write.ts'

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** Returns a report as callers see it. */
export function reportView(row: ReportRow, today: BusinessDate): ExchangeReport {
  const isOpen = OPEN_REPORTS.includes(row.state)
  return {
    id: row.public_id,
    kind: row.kind,
    day: row.day,
    dueDate: row.due_date,
    reason: row.reason,
    note: row.note,
    byMachine: row.by_machine === 1,
    askedBy: row.asked_by,
    state: row.state,
    lastDay: row.last_day,
    lastDayOfTen: row.last_day === null ? null : lastDayFor(row.day, 'ten'),
    isLate: isOpen && row.last_day !== null && row.last_day < today,
    code: row.code,
    detail: row.detail,
    csv: row.csv,
    createdAt: new Date(row.created_at).toISOString(),
    sentAt: instant(row.sent_at),
    settledAt: instant(row.settled_at),
  }
}

/** A followed invoice with the identifiers of what it belongs to. */
export interface ListedRow extends DocumentRow {
  invoice_public_id: string | null
  received_public_id: string | null
  incoming_public_id: string | null
  /** The first last day of its open reports. */
  last_day: string | null
}

/** Selects followed invoices as lists show them. */
export function listedRows(ctx: Ctx) {
  return ctx.db
    .selectFrom('exchange_documents')
    .leftJoin('invoices', 'invoices.id', 'exchange_documents.invoice_id')
    .leftJoin('received_invoices', 'received_invoices.id', 'exchange_documents.received_id')
    .leftJoin('incoming_documents', 'incoming_documents.id', 'exchange_documents.incoming_id')
    .selectAll('exchange_documents')
    .select((eb) => [
      'invoices.public_id as invoice_public_id',
      'received_invoices.public_id as received_public_id',
      'incoming_documents.public_id as incoming_public_id',
      eb
        .selectFrom('exchange_reports')
        .select((each) => each.fn.min<string | null>('exchange_reports.last_day').as('day'))
        .whereRef('exchange_reports.document_id', '=', 'exchange_documents.id')
        .where('exchange_reports.state', 'in', ['to_send', 'unknown'])
        .as('last_day'),
    ])
    .where('exchange_documents.book_id', '=', ctx.book.id)
}

/** Returns a followed invoice as lists show it. */
export function summaryView(row: ListedRow, today: BusinessDate): ExchangeSummary {
  return {
    id: row.public_id,
    direction: row.direction,
    state: row.state,
    why: row.why,
    issuerNif: row.issuer_nif,
    number: row.number,
    issueDate: row.issue_date,
    partnerNif: row.partner_nif,
    partnerName: row.partner_name,
    total: row.total_cents === null ? null : eurosFromCents(row.total_cents),
    isCopy: row.is_copy === 1,
    invoiceId: row.invoice_public_id,
    receivedId: row.received_public_id,
    incomingId: row.incoming_public_id,
    partnerSaid: row.partner_said,
    partnerDay: row.partner_day,
    said: row.said,
    saidDay: row.said_day,
    lastDay: row.last_day,
    isLate: row.last_day !== null && row.last_day < today,
    createdAt: new Date(row.created_at).toISOString(),
    changedAt: new Date(row.changed_at).toISOString(),
  }
}

/** Returns what can be said of an invoice now. */
export function sayable(row: DocumentRow, reports: readonly ReportRow[]): Said[] {
  if (row.state === 'withdrawn' || row.state === 'paid_on_the_invoice') return []
  const stands = intended(saidReports(reports))
  if (stands !== null) return []
  if (row.direction === 'received') return ['rejected', 'paid']
  return row.state === 'admitted' ? ['settled', 'defaulted'] : []
}

/**
 * Returns true if an invoice can be withdrawn: it is there, nobody paid it, and no withdrawal is under way. Only for an
 * operation that never existed; never in place of a rectification.
 */
export function withdrawable(row: DocumentRow, reports: readonly ReportRow[]): boolean {
  const isAsked = reports.some(
    ({ kind, state }) => kind === 'withdrawn' && state !== 'refused' && state !== 'dropped',
  )
  const stands = intended(saidReports(reports))
  return (
    row.direction === 'issued' &&
    row.state === 'admitted' &&
    row.partner_said !== 'paid' &&
    stands?.said !== 'settled' &&
    !isAsked
  )
}

/** Returns true if sending can be asked for. */
function sendable(row: DocumentRow, reports: readonly ReportRow[]): boolean {
  const isStuck = row.state === 'to_send' && row.next_at === null
  return (
    (row.direction === 'issued' && (row.state === 'refused' || row.state === 'not_due' || isStuck)) ||
    (row.state !== 'withdrawn' && reports.findLast(({ state }) => state !== 'dropped')?.state === 'refused')
  )
}

/** Returns one followed invoice as callers see it. */
export async function documentView(ctx: Ctx, row: DocumentRow): Promise<ExchangeDocument> {
  const listed = await listedRows(ctx)
    .where('exchange_documents.id', '=', row.id)
    .$castTo<ListedRow>()
    .executeTakeFirstOrThrow()
  const reports = await reportsOf(ctx, row.id)
  const facts = await factsOf(ctx, row.id)
  const messages = await messageIds(
    ctx,
    facts.flatMap(({ message_id }) => message_id ?? []),
  )
  const today = ctx.today()
  return {
    ...summaryView(listed, today),
    csv: listed.csv,
    locator: listed.locator,
    hasFile: listed.content_id !== null,
    reports: reports.map((report) => reportView(report, today)),
    facts: facts.map((fact) => ({
      at: new Date(fact.at).toISOString(),
      fact: fact.fact,
      day: fact.day,
      reportId: reports.find(({ id }) => id === fact.report_id)?.public_id ?? null,
      messageId: messages.get(fact.message_id ?? -1) ?? null,
      code: fact.code,
      note: fact.note,
      actor: fact.actor,
    })),
    mayReport: sayable(listed, reports),
    mayWithdraw: withdrawable(listed, reports),
    maySend: sendable(listed, reports),
  }
}

async function messageIds(ctx: Ctx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('exchange_messages')
    .select(['id', 'public_id'])
    .where('book_id', '=', ctx.book.id)
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, public_id }) => [id, public_id]))
}
