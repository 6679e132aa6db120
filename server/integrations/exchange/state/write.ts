/**
 * Writes what becomes known of a followed invoice: the change, the fact, and the event in one transaction. Nothing is
 * overwritten without a fact that says how it came to be.
 */
import type { Insertable } from 'kysely'
import { recordAudit } from '../../../platform/audit/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import type { ExchangeDocumentsTable } from '../../../db/schema.ts'
import type { Ctx } from '../../../context.ts'
import { lastDayFor } from '../law/clock.ts'
import { admittedStanding, intended } from '../said/plan.ts'
import type { SaidReport } from '../said/plan.ts'
import type { StatusKind } from '../types.ts'
import {
  addFact,
  changeDocument,
  changeReport,
  documentRow,
  insertReport,
  OPEN_REPORTS,
  reportsOf,
} from './rows.ts'
import type { DocumentRow, NewFact, ReportRow } from './rows.ts'

/** What the history says of a followed invoice. */
const ACTIONS = [
  'exchange.queued',
  'exchange.blocked',
  'exchange.admitted',
  'exchange.refused',
  'exchange.withdrawn',
  'exchange.arrived',
  'exchange.said_rejected',
  'exchange.said_rejection_cancelled',
  'exchange.said_paid',
  'exchange.said_payment_cancelled',
  'exchange.said_settled',
  'exchange.said_settlement_cancelled',
  'exchange.said_defaulted',
  'exchange.said_default_cancelled',
  'exchange.said_withdrawn',
  'exchange.report_admitted',
  'exchange.report_refused',
  'exchange.partner_rejected',
  'exchange.partner_rejection_cancelled',
  'exchange.partner_paid',
  'exchange.partner_payment_cancelled',
  'exchange.partner_settled',
  'exchange.partner_settlement_cancelled',
  'exchange.partner_defaulted',
  'exchange.partner_default_cancelled',
  'exchange.partner_withdrew',
] as const

/** Name of the target in the history. */
export const EXCHANGE_TARGET = 'exchange'

/** Changes a followed invoice and writes the fact that says why; tells the window. */
export async function recordFact(
  tx: Ctx,
  row: Pick<DocumentRow, 'id' | 'public_id'>,
  fact: Omit<NewFact, 'documentId'>,
  change: Partial<Insertable<ExchangeDocumentsTable>> = {},
): Promise<void> {
  await changeDocument(tx, row.id, change)
  await addFact(tx, { documentId: row.id, ...fact })
  await emitEvent(tx, 'exchange.changed', { documentId: row.public_id })
}

/** Writes an entry of the history about a followed invoice. */
export async function recordExchange(
  tx: Ctx,
  action: (typeof ACTIONS)[number],
  row: Pick<DocumentRow, 'public_id' | 'number' | 'issuer_nif'>,
  more: { label?: string; outcome?: 'ok' | 'refused' | 'failed' } = {},
): Promise<void> {
  const { label = row.number, outcome } = more
  await recordAudit(tx, {
    action,
    target: { type: EXCHANGE_TARGET, id: row.public_id, label },
    ...(outcome ? { outcome } : {}),
  })
}

/** Returns reports as the plan compares them. */
export function saidReports(rows: readonly ReportRow[]): SaidReport[] {
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    day: row.day,
    state: row.state,
    byMachine: row.by_machine === 1,
    isUnsent: row.attempts === 0,
  }))
}

export interface NewReport {
  kind: StatusKind
  day: string
  dueDate?: string | null
  reason?: string | null
  note?: string | null
  byMachine: boolean
}

/** Kinds without a term: what is voluntary, and a withdrawal. */
const WITHOUT_TERM: ReadonlySet<StatusKind> = new Set([
  'settled',
  'settlement_cancelled',
  'defaulted',
  'default_cancelled',
  'withdrawn',
])

/** Queues what is to be said of an invoice, after what was said before. */
export async function addReport(tx: Ctx, row: DocumentRow, report: NewReport): Promise<ReportRow> {
  const before = await reportsOf(tx, row.id)
  const added = await insertReport(tx, {
    document_id: row.id,
    position: (before.at(-1)?.position ?? -1) + 1,
    kind: report.kind,
    day: report.day,
    due_date: report.dueDate ?? null,
    reason: report.reason ?? null,
    note: report.note ?? null,
    by_machine: report.byMachine ? 1 : 0,
    asked_by: tx.actor.name,
    last_day: WITHOUT_TERM.has(report.kind) ? null : lastDayFor(report.day),
    state: 'to_send',
    next_at: tx.now().getTime(),
  })
  await recordFact(tx, row, {
    fact: 'report_asked',
    day: report.day,
    reportId: added.id,
    code: report.kind,
    note: report.note ?? null,
  })
  await recordExchange(tx, `exchange.said_${report.kind}`, row)
  await refreshSaid(tx, row.id)
  tx.wake('exchange')
  return added
}

/** Takes back a report that has not left, or that was refused and is not needed any more. */
export async function dropReport(tx: Ctx, row: DocumentRow, reportId: number): Promise<void> {
  const isMine = await changeReport(tx, reportId, ['to_send', 'refused'], {
    state: 'dropped',
    next_at: null,
    settled_at: tx.now().getTime(),
  })
  if (!isMine) return
  await recordFact(tx, row, { fact: 'report_dropped', reportId })
  await refreshSaid(tx, row.id)
}

/** Takes back everything that has not left: nothing more can be said of the invoice. */
export async function dropOpenReports(tx: Ctx, row: DocumentRow, except?: number): Promise<void> {
  for (const report of await reportsOf(tx, row.id))
    if (OPEN_REPORTS.includes(report.state) && report.id !== except) {
      if (report.state === 'to_send') await dropReport(tx, row, report.id)
    }
}

/** Writes what is said now as columns of the invoice, which lists read: they follow from its reports. */
export async function refreshSaid(tx: Ctx, documentId: number): Promise<void> {
  const row = await documentRow(tx, documentId)
  await changeDocument(tx, documentId, saidColumns(row, await reportsOf(tx, documentId)))
}

/** Returns the columns that follow from the reports of an invoice. */
export function saidColumns(
  row: Pick<DocumentRow, 'direction' | 'state'>,
  reports: readonly ReportRow[],
): Pick<DocumentRow, 'said' | 'said_day' | 'state'> {
  const said = saidReports(reports)
  const admitted = admittedStanding(said)
  const meant = intended(said)
  const isOpen = row.state === 'open' || row.state === 'rejected' || row.state === 'paid'
  const state =
    row.direction === 'received' && isOpen
      ? meant?.said === 'rejected' || meant?.said === 'paid'
        ? meant.said
        : 'open'
      : row.state
  return { said: admitted?.said ?? null, said_day: admitted?.day ?? null, state }
}
