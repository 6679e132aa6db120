/** What a person or a program asks of the queue: to send an invoice, to try again, to ask now. */
import { AppError } from '../../../domain/errors/app-error.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { issuedRow } from '../../../sales/invoices/index.ts'
import type { pollExchangeContract, retryExchangeContract, sendExchangeContract } from '../contract.ts'
import { issuedFactsOf } from '../state/books.ts'
import { beginDocument, dueOf, followAgain } from '../state/follow.ts'
import { addFact, documentOfInvoice, documentRow, findDocument, reportsOf } from '../state/rows.ts'
import type { DocumentRow, ReportRow } from '../state/rows.ts'
import { changeFlow, findFlow, findSettings } from '../state/settings.ts'
import type { SettingsRow } from '../state/settings.ts'
import { addReport, recordExchange, recordFact, saidReports } from '../state/write.ts'
import type { NewReport } from '../state/write.ts'
import { documentView, sayable, withdrawable } from '../shown/view.ts'
import { CANCELLATION, intended } from './plan.ts'

async function turnedOn(ctx: Ctx): Promise<SettingsRow> {
  const settings = await findSettings(ctx)
  if (settings?.sending_since == null) throw new AppError('exchange_off')
  return settings
}

/** Reasons that a person may overrule: nobody has said otherwise, or the day came before. */
const OVERRULED: readonly string[] = [
  'before_followed',
  'business_not_stated',
  'consumer',
  'other_platform',
  'other_way',
]

const notPossible = (why: string): AppError => new AppError('exchange_not_possible', { details: { why } })

/** Queues an issued invoice. What cannot go by the platform at all is refused with its reason. */
export const sendExchange: UseCase<typeof sendExchangeContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const { id: invoiceId } = await issuedRow(tx, id)
    const settings = await turnedOn(tx)
    const facts = orNotFound(await issuedFactsOf(tx, invoiceId))
    const known = await documentOfInvoice(tx, invoiceId)
    if (known && known.state !== 'not_due' && known.state !== 'withdrawn') return documentView(tx, known)
    const { why, isCopy } = await dueOf(tx, settings, facts)
    if (why !== null && !OVERRULED.includes(why)) throw notPossible(why)
    const row =
      known?.state === 'not_due' ? await queuedAgain(tx, known) : await beginDocument(tx, facts, null, isCopy)
    await followAgain(tx, row)
    return documentView(tx, row)
  })

async function queuedAgain(tx: Ctx, row: DocumentRow): Promise<DocumentRow> {
  await recordFact(
    tx,
    row,
    { fact: 'queued' },
    { state: 'to_send', why: null, content_id: null, attempts: 0, next_at: tx.now().getTime() },
  )
  await recordExchange(tx, 'exchange.queued', row)
  tx.wake('exchange')
  return documentRow(tx, row.id)
}

const reportLike = (report: ReportRow): NewReport => ({
  kind: report.kind,
  day: report.day,
  dueDate: report.due_date,
  reason: report.reason,
  note: report.note,
  byMachine: false,
})

/** Returns true if what was refused can still be said after all that was said since. */
function isStillTrue(row: DocumentRow, reports: readonly ReportRow[], { kind }: ReportRow): boolean {
  if (kind === 'withdrawn') return withdrawable(row, reports)
  const stands = intended(saidReports(reports))
  if (stands !== null) return CANCELLATION[stands.said] === kind
  return sayable(row, reports).some((said) => said === kind)
}

/** Tries again what was refused or could not be written, with the document made anew. */
export const retryExchange: UseCase<typeof retryExchangeContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const row = orNotFound(await findDocument(tx, id))
    await turnedOn(tx)
    const reports = await reportsOf(tx, row.id)
    const last = reports.findLast(({ state }) => state !== 'dropped')
    const isStuck = row.state === 'to_send' && row.next_at === null
    if (row.direction === 'issued' && (row.state === 'refused' || isStuck)) await queuedAgain(tx, row)
    else if (last?.state === 'refused' && row.state !== 'withdrawn') {
      await addFact(tx, { documentId: row.id, fact: 'report_again', reportId: last.id })
      // What a payment made follows the books as they are now.
      if (last.by_machine === 1) await followAgain(tx, row, true)
      else if (isStillTrue(row, reports, last)) await addReport(tx, row, reportLike(last))
      else throw notPossible('no_longer')
    } else throw notPossible('nothing_refused')
    await hurry(tx)
    return documentView(tx, row)
  })

/** Does not wait out a failure any longer; what the platform itself asked for is waited. */
async function hurry(tx: Ctx): Promise<void> {
  if ((await findFlow(tx)).fault_code !== 'throttled') await changeFlow(tx, { next_send_at: 0 })
  tx.wake('exchange')
}

/** Sends what waits and asks the platform now. */
export const pollExchange: UseCase<typeof pollExchangeContract> = (ctx) =>
  ctx.transaction(async (tx) => {
    await turnedOn(tx)
    await hurry(tx)
    await changeFlow(tx, { next_poll_at: 0 })
    const documents = await tx.db
      .selectFrom('exchange_documents')
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .where('book_id', '=', tx.book.id)
      .where('next_at', 'is not', null)
      .executeTakeFirstOrThrow()
    const reports = await tx.db
      .selectFrom('exchange_reports')
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .where('book_id', '=', tx.book.id)
      .where('next_at', 'is not', null)
      .executeTakeFirstOrThrow()
    return { waiting: Number(documents.rows) + Number(reports.rows) }
  })
