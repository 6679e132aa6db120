/** Sends statuses and withdrawals: of each invoice in order, each marked as sent before the first byte leaves. */
import { failpoint } from '../../../db/failpoints.ts'
import { findCompany } from '../../../company/index.ts'
import { normalizeNif } from '../../../domain/tax/nif.ts'
import type { Ctx } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { statusXml } from '../formats.ts'
import type { ExchangePort, Found } from '../port.ts'
import { contentRow, keepBytes } from '../state/contents.ts'
import {
  addFact,
  answerItem,
  beginMessage,
  changeReport,
  codeKey,
  codeOf,
  documentRow,
  endMessage,
  reportsOf,
} from '../state/rows.ts'
import type { DocumentRow, MessageRow, ReportRow } from '../state/rows.ts'
import { followAgain } from '../state/follow.ts'
import { recordExchange, recordFact, refreshSaid } from '../state/write.ts'
import type { AnswerItem, PlatformAnswer, StatusMessage, StatusReport, StatusRole } from '../types.ts'
import { keepAnswer } from './answers.ts'
import { noteFailure, noteSuccess, outcomeOf } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { FEWEST_QUERIES, FIRST_QUERY_MS, isDue, MOST_IN_BATCH } from './pace.ts'
import { settleWithdrawn } from './settle.ts'

/** A report with its invoice. */
interface Due {
  report: ReportRow
  row: DocumentRow
}

/** Returns the role in which this side speaks of an invoice. */
export function roleOf({ direction }: Pick<DocumentRow, 'direction'>): StatusRole {
  return direction === 'issued' ? 'issuer' : 'recipient'
}

/** Returns reports of a state that wait, oldest first, each the first open one of its invoice. */
async function waitingReports(ctx: Ctx, state: 'to_send' | 'unknown', limit: number): Promise<ReportRow[]> {
  return (
    ctx.db
      .selectFrom('exchange_reports')
      .innerJoin('exchange_documents', 'exchange_documents.id', 'exchange_reports.document_id')
      .selectAll('exchange_reports')
      .where('exchange_reports.book_id', '=', ctx.book.id)
      .where('exchange_reports.next_at', 'is not', null)
      .where('exchange_reports.state', '=', state)
      // Of an own invoice nothing can be said before it is there.
      .where((eb) =>
        eb.or([
          eb('exchange_documents.direction', '=', 'received'),
          eb('exchange_documents.state', '=', 'admitted'),
        ]),
      )
      .where('exchange_documents.state', '<>', 'withdrawn')
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('exchange_reports as earlier')
              .select('earlier.id')
              .whereRef('earlier.document_id', '=', 'exchange_reports.document_id')
              .whereRef('earlier.position', '<', 'exchange_reports.position')
              .where('earlier.state', 'in', ['to_send', 'unknown']),
          ),
        ),
      )
      .orderBy('exchange_reports.id')
      .limit(limit)
      .execute()
  )
}

/** Returns the reports that may leave now. */
async function dueReports(ctx: Ctx): Promise<ReportRow[]> {
  const now = ctx.now().getTime()
  return (await waitingReports(ctx, 'to_send', MOST_IN_BATCH)).filter(({ next_at }) => isDue(next_at, now))
}

/** Returns the reports of unknown outcome. */
export function unknownReports(ctx: Ctx): Promise<ReportRow[]> {
  return waitingReports(ctx, 'unknown', MOST_IN_BATCH)
}

/** Returns a report as it travels. */
export function travelling(row: DocumentRow, report: ReportRow): StatusReport {
  return {
    kind: report.kind,
    invoice: codeOf(row),
    date: report.day,
    ...(report.due_date === null ? {} : { dueDate: report.due_date }),
    ...(report.reason === null ? {} : { reason: report.reason }),
    ...(report.note === null ? {} : { note: report.note }),
  }
}

/** Sends what is due in one message: the withdrawals one by one, else the statuses of one role. Returns false if nothing left. */
export async function sendReports(ctx: Ctx, port: ExchangePort): Promise<boolean> {
  const due: Due[] = []
  for (const report of await dueReports(ctx))
    due.push({ report, row: await documentRow(ctx, report.document_id) })
  const [first] = due
  if (first === undefined) return false
  const isWithdrawal = first.report.kind === 'withdrawn'
  const role = roleOf(first.row)
  const chosen = isWithdrawal
    ? [first]
    : due.filter(({ report, row }) => report.kind !== 'withdrawn' && roleOf(row) === role)
  const { nif } = await findCompany(ctx)
  const message: StatusMessage = {
    id: ctx.newId('exm'),
    role,
    senderTaxId: normalizeNif(nif),
    issuedAt: ctx.now().toISOString(),
    reports: chosen.map(({ report, row }) => travelling(row, report)),
  }
  const kept = await keepBytes(ctx, Buffer.from(await statusXml(message), 'utf8'))
  const begun = await ctx
    .transaction(async (tx) => {
      const now = tx.now().getTime()
      for (const { report } of chosen) {
        const isMine = await changeReport(tx, report.id, ['to_send'], {
          state: 'unknown',
          code: null,
          detail: null,
          sent_at: now,
          attempts: report.attempts + 1,
          queries: 0,
          next_at: now + FIRST_QUERY_MS,
        })
        // Taken back meanwhile: the message would say something else than what is written. It is made again.
        if (!isMine) throw AGAIN
      }
      const row = await beginMessage(
        tx,
        {
          publicId: message.id,
          kind: isWithdrawal ? 'withdraw' : 'report',
          role,
          contentId: await contentRow(tx, kept),
        },
        chosen.map(({ report }) => ({ documentId: report.document_id, reportId: report.id })),
      )
      for (const { report, row: document } of chosen)
        await recordFact(tx, document, { fact: 'report_sent', reportId: report.id, messageId: row.id })
      return row
    })
    .catch((error: unknown) => {
      if (error === AGAIN) return 'again' as const
      throw error
    })
  if (begun === 'again') return true
  failpoint('exchange.report_written')
  const outcome = await outcomeOf(ctx, () =>
    isWithdrawal ? port.withdraw({ invoice: codeOf(first.row) }) : port.report(message),
  )
  failpoint('exchange.report_answered')
  await settleReports(ctx, begun, chosen, outcome)
  return outcome.kind === 'answered'
}

/** Undoes a transaction whose work is to be done again. */
const AGAIN = new Error('again')

async function settleReports(
  ctx: Ctx,
  message: MessageRow,
  chosen: readonly Due[],
  outcome: Outcome<PlatformAnswer>,
): Promise<void> {
  if (outcome.kind === 'answered') return takeAnswer(ctx, message, chosen, outcome.answer)
  await ctx.transaction(async (tx) => {
    const now = tx.now().getTime()
    const isNothing = outcome.kind === 'nothing_done'
    const detail = isNothing ? `${outcome.error.code}: ${outcome.error.message}` : outcome.detail
    await endMessage(tx, message.id, { outcome: outcome.kind, detail })
    for (const { report, row } of chosen) {
      if (isNothing && outcome.error.code === 'refused') {
        await settleRefusedReport(tx, row, report, { code: 'message_refused', text: outcome.error.message })
        continue
      }
      const change = isNothing
        ? { state: 'to_send' as const, next_at: now }
        : { next_at: now + FIRST_QUERY_MS }
      if (!(await changeReport(tx, report.id, ['unknown'], change))) continue
      await recordFact(tx, row, {
        fact: isNothing ? 'nothing_done' : 'report_unknown',
        reportId: report.id,
        messageId: message.id,
        note: detail.slice(0, 500),
      })
    }
    await noteFailure(tx, outcome)
  })
}

async function takeAnswer(
  ctx: Ctx,
  message: MessageRow,
  chosen: readonly Due[],
  answer: PlatformAnswer,
): Promise<void> {
  const answered = new Map<string, AnswerItem>()
  for (const item of answer.items) if (item.invoice) answered.set(codeKey(item.invoice), item)
  const kept = await keepAnswer(ctx, answer)
  await ctx.transaction(async (tx) => {
    const now = tx.now().getTime()
    await endMessage(tx, message.id, {
      outcome: 'answered',
      csv: answer.csv,
      batch: answer.batch,
      answer_id: await contentRow(tx, kept),
    })
    for (const [position, { report, row }] of chosen.entries()) {
      const item = answered.get(codeKey(codeOf(row)))
      if (item)
        await answerItem(tx, message.id, position, {
          code: item.code,
          detail: item.text.slice(0, 500),
          locator: item.locator,
        })
      if (item?.code === '200') {
        await settleAdmittedReport(tx, row, report, answer.csv)
        continue
      }
      // What was said before is refused as well: only a query tells.
      const isOpen = await changeReport(tx, report.id, ['unknown'], {
        code: item?.code ?? null,
        detail: item?.text.slice(0, 500) ?? null,
        next_at: now,
      })
      if (isOpen)
        await addFact(tx, {
          documentId: row.id,
          fact: 'report_unknown',
          reportId: report.id,
          messageId: message.id,
          code: item?.code ?? 'not_named',
          note: item?.text.slice(0, 500) ?? null,
        })
    }
    await noteSuccess(tx)
  })
  failpoint('exchange.report_committed')
}

/** Writes that the platform has a report. */
export async function settleAdmittedReport(
  tx: Ctx,
  row: DocumentRow,
  report: ReportRow,
  csv: string | null,
): Promise<void> {
  const isFirst = await changeReport(tx, report.id, ['unknown', 'to_send'], {
    state: 'admitted',
    code: null,
    detail: null,
    csv,
    next_at: null,
    settled_at: tx.now().getTime(),
  })
  if (!isFirst) return
  await recordFact(tx, row, {
    fact: 'report_admitted',
    reportId: report.id,
    day: report.day,
    code: report.kind,
  })
  await refreshSaid(tx, row.id)
  await recordExchange(tx, 'exchange.report_admitted', row, { label: `${row.number}: ${report.kind}` })
  await emitEvent(tx, 'exchange.reported', { documentId: row.public_id, reportId: report.public_id })
  if (report.kind === 'withdrawn') await settleWithdrawn(tx, row, report.id)
}

/** Writes that the platform does not take a report. */
export async function settleRefusedReport(
  tx: Ctx,
  row: DocumentRow,
  report: ReportRow,
  reason: { code: string; text: string },
): Promise<void> {
  const isFirst = await changeReport(tx, report.id, ['unknown', 'to_send'], {
    state: 'refused',
    code: reason.code,
    detail: reason.text.slice(0, 500) || null,
    next_at: null,
    settled_at: tx.now().getTime(),
  })
  if (!isFirst) return
  await recordFact(tx, row, { fact: 'report_refused', reportId: report.id, code: reason.code })
  await refreshSaid(tx, row.id)
  await recordExchange(tx, 'exchange.report_refused', row, {
    label: `${row.number}: ${report.kind}, ${reason.code}`,
    outcome: 'refused',
  })
  await emitEvent(tx, 'exchange.report_refused', {
    documentId: row.public_id,
    reportId: report.public_id,
    code: reason.code,
  })
  // The books may have changed since it was asked for: what is not needed any more needs nobody.
  await followAgain(tx, row)
}

/** Asks about reports of unknown outcome that are due. Returns false if the platform could not be asked. */
export async function resolveReports(
  ctx: Ctx,
  port: ExchangePort,
  reports: readonly ReportRow[],
): Promise<boolean> {
  for (const role of ['issuer', 'recipient'] as const) {
    const due: Due[] = []
    for (const report of reports) {
      const row = await documentRow(ctx, report.document_id)
      if (roleOf(row) === role) due.push({ report, row })
    }
    if (due.length === 0) continue
    const outcome = await outcomeOf(ctx, () => port.find({ role, codes: due.map(({ row }) => codeOf(row)) }))
    if (outcome.kind !== 'answered') {
      await ctx.transaction((tx) => noteFailure(tx, outcome))
      return false
    }
    const there = new Map(outcome.answer.found.map((one) => [codeKey(one.invoice), one]))
    for (const one of due)
      await ctx.transaction((tx) => settleFound(tx, one, role, there.get(codeKey(codeOf(one.row))) ?? null))
    await ctx.transaction((tx) => noteSuccess(tx))
  }
  return true
}

/** One that takes back another one: its day is not always shown. Since the two alternate, their number tells enough. */
const isCancellation = ({ kind }: Pick<ReportRow, 'kind'>): boolean => kind.endsWith('_cancelled')

/** Returns how often this side has said the same of an invoice, as the platform shows it. */
function timesThere(found: Found | null, role: StatusRole, report: ReportRow): number {
  return (
    found?.statuses.filter(
      (status) =>
        status.role === role &&
        status.kind === report.kind &&
        (isCancellation(report) || status.date === report.day),
    ).length ?? 0
  )
}

async function settleFound(
  tx: Ctx,
  { report: before, row }: Due,
  role: StatusRole,
  found: Found | null,
): Promise<void> {
  const all = await reportsOf(tx, row.id)
  const report = all.find(({ id }) => id === before.id)
  if (report?.state !== 'unknown') return
  const isWithdrawn = report.kind === 'withdrawn' && (found === null || found.withdrawn)
  const known = all.filter(
    ({ id, state, kind, day }) =>
      id !== report.id &&
      state === 'admitted' &&
      kind === report.kind &&
      (isCancellation(report) || day === report.day),
  ).length
  if (isWithdrawn || (report.kind !== 'withdrawn' && timesThere(found, role, report) > known))
    return settleAdmittedReport(tx, row, report, null)
  if (report.code !== null)
    return settleRefusedReport(tx, row, report, { code: report.code, text: report.detail ?? '' })
  const now = tx.now().getTime()
  const queries = report.queries + 1
  if (queries < FEWEST_QUERIES) {
    await changeReport(tx, report.id, ['unknown'], { queries, next_at: now + FIRST_QUERY_MS })
    await addFact(tx, { documentId: row.id, fact: 'report_unknown', reportId: report.id, code: 'not_shown' })
    return
  }
  await changeReport(tx, report.id, ['unknown'], { state: 'to_send', queries: 0, next_at: now })
  await recordFact(tx, row, { fact: 'nothing_done', reportId: report.id, code: 'not_there' })
}
