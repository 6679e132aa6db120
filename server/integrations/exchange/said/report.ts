/** What a person or a program says of an invoice: shown first, then said once, in order after what was said before. */
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { orNotFound, refuseUnattended } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import type {
  cancelReportContract,
  prepareExchangeContract,
  reportExchangeContract,
  withdrawExchangeContract,
} from '../contract.ts'
import { lastDayFor } from '../law/clock.ts'
import { issuedFactsOf, paymentTermEnd, receivedFactsOf } from '../state/books.ts'
import { findDocument, reportsOf } from '../state/rows.ts'
import type { DocumentRow } from '../state/rows.ts'
import { addReport, dropReport, saidReports } from '../state/write.ts'
import { documentView, listedRows, sayable, summaryView, withdrawable } from '../shown/view.ts'
import type { ListedRow } from '../shown/view.ts'
import type { StatusKind } from '../types.ts'
import { markSpent, mintToken, spendToken } from './confirm.ts'
import type { Choices } from './confirm.ts'
import { CANCELLATION, intended } from './plan.ts'

const notPossible = (why: string): AppError => new AppError('exchange_not_possible', { details: { why } })

type Prepared = Parameters<UseCase<typeof prepareExchangeContract>>[1]

function fault(code: string, field: string, message: string, fix: string): Fault {
  return { code, field, severity: 'error', message, fix }
}

/** Returns what would be said. Throws why it cannot be. */
async function choicesOf(ctx: Ctx, row: DocumentRow, input: Prepared): Promise<Choices> {
  const { kind, day = ctx.today(), reason, note } = input
  const reports = await reportsOf(ctx, row.id)
  const faults: Fault[] = []
  if (day > ctx.today())
    faults.push(
      fault('date_in_future', 'day', 'What has not happened cannot be reported.', 'Report it on its day.'),
    )
  if (day < row.issue_date && kind !== 'cancel')
    faults.push(fault('day_before_issue', 'day', 'The day is before the invoice.', 'Check the day.'))
  if (kind === 'rejected' && reason === undefined)
    faults.push(
      fault('required', 'reason', 'This field is required.', 'Say whether it is commercial or private.'),
    )
  if (kind !== 'rejected' && reason !== undefined)
    faults.push(fault('reason_of_rejection', 'reason', 'Only a rejection has a reason.', 'Leave it out.'))
  if (faults.length > 0) throw validationFailed(faults)
  const choices = { day, dueDate: null, reason: reason ?? null, note: note?.trim() ?? null }
  if (kind === 'cancel') {
    const stands = intended(saidReports(reports))
    if (stands === null) throw notPossible('nothing_said')
    return { ...choices, kind: CANCELLATION[stands.said] }
  }
  if (kind === 'withdrawn') {
    if (!withdrawable(row, reports)) throw notPossible(row.partner_said === 'paid' ? 'paid' : 'not_admitted')
    return { ...choices, kind }
  }
  if (!sayable(row, reports).includes(kind)) throw notPossible(whyNot(row, reports.length > 0))
  return { ...choices, kind, dueDate: kind === 'paid' ? await termEndOf(ctx, row) : null }
}

function whyNot(row: DocumentRow, hasReports: boolean): string {
  if (row.state === 'withdrawn') return 'withdrawn'
  if (row.state === 'paid_on_the_invoice') return 'paid_on_the_invoice'
  if (row.direction === 'issued' && row.state !== 'admitted') return 'not_admitted'
  return hasReports ? 'said_already' : 'other_side'
}

async function termEndOf(ctx: Ctx, row: DocumentRow): Promise<string | null> {
  if (row.due_date !== null) return row.due_date
  const facts =
    row.received_id === null
      ? row.invoice_id === null
        ? null
        : await issuedFactsOf(ctx, row.invoice_id)
      : await receivedFactsOf(ctx, row.received_id)
  return paymentTermEnd(facts ?? { due_date: null, operation_date: null, issue_date: row.issue_date })
}

/** Returns the codes of what a person should look at before saying yes. */
function warningsOf(row: DocumentRow, choices: Choices, today: string): string[] {
  const isVoluntary = ['settled', 'settlement_cancelled', 'defaulted', 'default_cancelled'].includes(
    choices.kind,
  )
  return [
    ...(isVoluntary ? ['voluntary'] : []),
    ...(choices.kind === 'withdrawn' ? ['only_if_never_existed'] : []),
    ...(row.direction === 'received' && row.locator === null ? ['not_seen_at_platform'] : []),
    ...(!isVoluntary && choices.kind !== 'withdrawn' && lastDayFor(choices.day) < today ? ['late'] : []),
    ...(choices.kind === 'rejected' && row.received_id === null ? ['not_entered'] : []),
  ]
}

/** Shows what would be said, and mints the token that allows it. */
export const prepareExchange: UseCase<typeof prepareExchangeContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const row = orNotFound(await findDocument(tx, input.id))
    const choices = await choicesOf(tx, row, input)
    const { token, expiresAt } = await mintToken(tx, row, choices)
    const listed = await listedRows(tx)
      .where('exchange_documents.id', '=', row.id)
      .$castTo<ListedRow>()
      .executeTakeFirstOrThrow()
    const today = tx.today()
    const hasTerm = !warningsOf(row, choices, today).some(
      (code) => code === 'voluntary' || code === 'only_if_never_existed',
    )
    return {
      document: summaryView(listed, today),
      ...choices,
      lastDay: hasTerm ? lastDayFor(choices.day) : null,
      warnings: warningsOf(row, choices, today),
      confirmationToken: token,
      expiresAt: new Date(expiresAt).toISOString(),
    }
  })

/** Says what was confirmed; the same yes twice answers the same. */
function confirmedStep(
  ctx: Ctx,
  input: { id: string; confirmationToken?: string | undefined },
  isFor: (kind: StatusKind) => boolean,
) {
  return ctx.transaction(async (tx) => {
    const row = orNotFound(await findDocument(tx, input.id))
    refuseUnattended(tx)
    const { choices, replayed, hash } = await spendToken(tx, row, input.confirmationToken, isFor)
    if (!replayed) await markSpent(tx, hash, await say(tx, row, choices))
    return documentView(tx, row)
  })
}

/** Says it, and returns the report. What has not left is taken back without a word. */
async function say(tx: Ctx, row: DocumentRow, choices: Choices): Promise<number> {
  const stands = intended(saidReports(await reportsOf(tx, row.id)))
  const isBack = stands !== null && choices.kind === CANCELLATION[stands.said]
  if (isBack && stands.report.isUnsent && stands.report.state === 'to_send' && !stands.report.byMachine) {
    await dropReport(tx, row, stands.report.id)
    return stands.report.id
  }
  return (await addReport(tx, row, { ...choices, byMachine: false })).id
}

const SAYINGS: readonly StatusKind[] = ['rejected', 'paid', 'settled', 'defaulted']

/** Reports a rejection, a payment, a collection or a default. */
export const reportExchange: UseCase<typeof reportExchangeContract> = (ctx, input) =>
  confirmedStep(ctx, input, (kind) => SAYINGS.includes(kind))

/** Takes back what this side said last. */
export const cancelReport: UseCase<typeof cancelReportContract> = (ctx, input) =>
  confirmedStep(ctx, input, (kind) => Object.values(CANCELLATION).includes(kind))

/** Withdraws an invoice whose operation never existed. */
export const withdrawExchange: UseCase<typeof withdrawExchangeContract> = (ctx, input) =>
  confirmedStep(ctx, input, (kind) => kind === 'withdrawn')
