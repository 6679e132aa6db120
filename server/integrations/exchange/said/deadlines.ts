/** Reminds of reports whose last day comes near or is over: in the history and as an event, each step once. */
import { historyOf, recordAudit } from '../../../platform/audit/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import type { Ctx } from '../../../context.ts'
import { reminderStep } from '../law/clock.ts'
import { isOpenReport } from '../state/rows.ts'
import { EXCHANGE_TARGET } from '../state/write.ts'

/** Open reports that one look considers: the first last day first. */
const MOST = 1_000

async function openReports(ctx: Ctx) {
  return ctx.db
    .selectFrom('exchange_reports')
    .innerJoin('exchange_documents', 'exchange_documents.id', 'exchange_reports.document_id')
    .select([
      'exchange_reports.public_id as report_id',
      'exchange_reports.kind',
      'exchange_reports.last_day',
      'exchange_documents.public_id as document_id',
      'exchange_documents.number',
    ])
    .where('exchange_reports.book_id', '=', ctx.book.id)
    .where(isOpenReport)
    .where('exchange_reports.last_day', 'is not', null)
    .orderBy('exchange_reports.last_day')
    .limit(MOST)
    .execute()
}

type Open = Awaited<ReturnType<typeof openReports>>[number]

/** Returns the identifier under which the history has a step: it is also what makes each reminder the only one. */
const stepId = (reportId: string, step: number): string => `${reportId}.${step < 0 ? 'over' : step}`

/** Gives the reminders of the day to the book of the context. */
export async function remindOfReports(ctx: Ctx): Promise<void> {
  const today = ctx.today()
  const due: (Open & { step: number; lastDay: string })[] = []
  for (const report of await openReports(ctx)) {
    const step = report.last_day === null ? null : reminderStep(today, report.last_day)
    if (step === null) continue
    // A later step was given already if the clock was set back.
    const later = Array.from({ length: step + 2 }, (_none, at) => step - at)
    let isGiven = false
    for (const each of later) isGiven ||= (await historyOf(ctx, stepId(report.report_id, each))).length > 0
    if (!isGiven) due.push({ ...report, step, lastDay: report.last_day ?? today })
  }
  if (due.length === 0) return
  await ctx.transaction(async (tx) => {
    for (const { report_id: reportId, document_id: documentId, number, kind, step, lastDay } of due) {
      if ((await historyOf(tx, stepId(reportId, step))).length > 0) continue
      await recordAudit(tx, {
        action: step < 0 ? 'exchange.overdue' : 'exchange.due_soon',
        target: { type: EXCHANGE_TARGET, id: stepId(reportId, step), label: `${number}: ${lastDay}` },
      })
      await emitEvent(tx, 'exchange.due_soon', { documentId, reportId, kind, lastDay, daysLeft: step })
    }
  })
}
