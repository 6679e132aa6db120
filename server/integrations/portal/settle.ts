/** Writes what became of a submission or of a cancellation: each outcome once, with its history and events. */
import type { Ctx } from '../../context.ts'
import { failpoint } from '../../db/failpoints.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { changeCancellation, changeSubmission, insertState, submissionOf } from './rows.ts'
import type { CancellationRow, SubmissionRow } from './rows.ts'
import type { Failure, Receipt, Refusal, SubmissionStates } from './service.ts'
import {
  attemptWait,
  FIRST_QUERY_MS,
  isGivenBack,
  isProcessed,
  NO_CANCELLATION,
  queryWait,
  saysDuplicate,
} from './states.ts'

/** An answer that comes after its submission was given up still says what became of it. */
const IN_FLIGHT: readonly SubmissionRow['state'][] = ['sent', 'unknown']

/** Says that something about a submission changed. */
export async function notifyChange(tx: Ctx, row: SubmissionRow): Promise<void> {
  const invoice = await tx.db
    .selectFrom('invoices')
    .select('public_id')
    .where('id', '=', row.invoice_id)
    .executeTakeFirstOrThrow()
  await emitEvent(tx, 'portal.changed', { submissionId: row.public_id, invoiceId: invoice.public_id })
}

async function notifyState(
  tx: Ctx,
  row: SubmissionRow,
  state: 'registered' | 'refused' | 'unknown' | 'processing' | 'cancellation',
  code: string | null,
): Promise<void> {
  const invoice = await tx.db
    .selectFrom('invoices')
    .select('public_id')
    .where('id', '=', row.invoice_id)
    .executeTakeFirstOrThrow()
  const data = { submissionId: row.public_id, invoiceId: invoice.public_id }
  await emitEvent(tx, 'portal.state_changed', { ...data, state, code })
  await emitEvent(tx, 'portal.changed', data)
}

type Action =
  | 'portal.registered'
  | 'portal.refused'
  | 'portal.unknown'
  | 'portal.state_changed'
  | 'portal.not_arrived'
  | 'portal.withdrawn'
  | 'portal.cancellation_asked'
  | 'portal.cancellation_refused'

/** Adds an event of a submission to the history. */
export async function recordSubmission(
  tx: Ctx,
  row: SubmissionRow,
  action: Action | 'portal.submitted' | 'portal.cancellation_requested',
  detail = '',
): Promise<void> {
  const failed = action === 'portal.unknown'
  const refused = action === 'portal.refused' || action === 'portal.cancellation_refused'
  await recordAudit(tx, {
    action,
    target: { type: 'portal', id: row.public_id, label: `${row.file_name} ${detail}`.trim() },
    outcome: failed ? 'failed' : refused ? 'refused' : 'ok',
  })
}

export type SubmissionOutcome = { kind: 'registered'; receipt: Receipt } | Refusal | Failure

/** A message that the portal refuses as such is refused each time. */
const NOT_AGAIN: readonly string[] = ['message_refused']

/** Writes the outcome of an attempt to submit. An attempt at which nothing was done is made again later. */
export async function settleSubmission(
  tx: Ctx,
  row: SubmissionRow,
  outcome: SubmissionOutcome,
): Promise<void> {
  const now = tx.now().getTime()
  const done = { lease_until: null, settled_at: now, next_attempt_at: null }
  if (outcome.kind === 'registered') {
    const { registryNumber, receivedAt, trackingCode } = outcome.receipt
    const isFirst = await changeSubmission(tx, row.id, IN_FLIGHT, {
      ...done,
      state: 'registered',
      registry_number: registryNumber,
      received_at: receivedAt,
      tracking_code: trackingCode,
      why: null,
      detail: null,
      next_query_at: now + FIRST_QUERY_MS,
      queries: 0,
    })
    if (!isFirst) return
    failpoint('portal.outcome_written')
    await recordSubmission(tx, row, 'portal.registered', registryNumber)
    await notifyState(tx, row, 'registered', null)
    tx.wake('portal')
    return
  }
  if (outcome.kind === 'nothing_done' && !NOT_AGAIN.includes(outcome.reason)) {
    const wait = Math.max(attemptWait(row.attempts), (outcome.retryAfterSeconds ?? 0) * 1000)
    await changeSubmission(tx, row.id, IN_FLIGHT, {
      state: 'waiting',
      lease_until: null,
      sent_at: null,
      why: outcome.reason,
      detail: outcome.detail,
      next_attempt_at: now + wait,
    })
    await notifyChange(tx, row)
    return
  }
  if (outcome.kind === 'unknown') {
    const isFirst = await changeSubmission(tx, row.id, IN_FLIGHT, {
      ...done,
      settled_at: null,
      state: 'unknown',
      why: 'answer_lost',
      detail: outcome.detail,
    })
    if (!isFirst) return
    await recordSubmission(tx, row, 'portal.unknown', outcome.detail)
    await notifyState(tx, row, 'unknown', null)
    return
  }
  const isDuplicate = outcome.kind === 'refused' && saysDuplicate(outcome.detail)
  const code = outcome.kind === 'refused' ? outcome.code : null
  const isFirst = await changeSubmission(tx, row.id, IN_FLIGHT, {
    ...done,
    state: 'refused',
    is_open: 0,
    tracking_code: outcome.kind === 'refused' ? outcome.trackingCode : null,
    why: isDuplicate ? 'duplicate' : (code ?? 'message_refused'),
    detail: outcome.detail,
  })
  if (!isFirst) return
  await recordSubmission(tx, row, 'portal.refused', `${code ?? ''} ${outcome.detail}`.trim())
  await notifyState(tx, row, 'refused', code)
}

/** Writes what the portal says of a submission; a state that is known already is not written again. */
export async function recordStates(tx: Ctx, id: number, states: SubmissionStates): Promise<void> {
  const row = await submissionOf(tx, id)
  if (row.state !== 'registered') return
  const now = tx.now().getTime()
  const { processing, cancellation } = states
  const before = { processing: row.processing_code, cancellation: row.cancellation_code }
  const isNew = {
    processing: processing.code !== before.processing,
    // That none was asked for is no event.
    cancellation: cancellation.code !== (before.cancellation ?? NO_CANCELLATION),
  }
  for (const kind of ['processing', 'cancellation'] as const) {
    if (!isNew[kind]) continue
    const { code, description, reason } = states[kind]
    await insertState(tx, { submission_id: row.id, kind, code, description, reason, seen_at: now })
    await recordSubmission(tx, row, 'portal.state_changed', `${code} ${description}`.trim())
  }
  const codes = { processing: processing.code, cancellation: cancellation.code }
  const queries = isNew.processing || isNew.cancellation ? 0 : row.queries + 1
  await changeSubmission(tx, row.id, ['registered'], {
    processing_code: codes.processing,
    cancellation_code: codes.cancellation,
    is_open: isGivenBack(codes.processing) ? 0 : 1,
    next_query_at: isProcessed(codes) ? now + queryWait(queries + 1) : null,
    queries,
    why: null,
    detail: null,
  })
  failpoint('portal.states_written')
  if (isNew.processing) await notifyState(tx, row, 'processing', codes.processing)
  if (isNew.cancellation) await notifyState(tx, row, 'cancellation', codes.cancellation)
  tx.wake('portal')
}

/** Writes that the portal could not say it: it is asked again later. */
export async function postponeQuery(tx: Ctx, id: number, why: string, detail: string): Promise<void> {
  const row = await submissionOf(tx, id)
  if (row.next_query_at === null) return
  const queries = row.queries + 1
  await changeSubmission(tx, row.id, ['registered'], {
    queries,
    next_query_at: tx.now().getTime() + queryWait(queries),
    why,
    detail,
  })
  await notifyChange(tx, row)
}

export type CancellationOutcome = { kind: 'asked' } | { kind: 'unclear'; detail: string } | Refusal | Failure

/** Writes the outcome of an attempt to ask for a cancellation. */
export async function settleCancellation(
  tx: Ctx,
  row: CancellationRow,
  outcome: CancellationOutcome,
): Promise<void> {
  const now = tx.now().getTime()
  const submission = await submissionOf(tx, row.submission_id)
  const done = { lease_until: null, next_attempt_at: null, settled_at: now }
  if (outcome.kind === 'asked') {
    if (
      !(await changeCancellation(tx, row.id, ['sent', 'unknown'], {
        ...done,
        state: 'asked',
        why: null,
        detail: null,
      }))
    )
      return
    failpoint('portal.cancellation_written')
    await recordSubmission(tx, submission, 'portal.cancellation_asked', row.reason)
    await changeSubmission(tx, submission.id, ['registered'], { next_query_at: now, queries: 0 })
    tx.wake('portal')
  } else if (outcome.kind === 'refused' || outcome.kind === 'unclear') {
    const why = outcome.kind === 'refused' ? outcome.code : 'unclear'
    const change = { ...done, state: 'refused' as const, why, detail: outcome.detail }
    if (!(await changeCancellation(tx, row.id, ['sent', 'unknown'], change))) return
    await recordSubmission(tx, submission, 'portal.cancellation_refused', `${why} ${outcome.detail}`)
  } else {
    // Whether it was asked for is asked first when the outcome is not known.
    const wait = outcome.kind === 'nothing_done' ? (outcome.retryAfterSeconds ?? 0) * 1000 : 0
    await changeCancellation(tx, row.id, ['sent', 'unknown'], {
      state: outcome.kind === 'unknown' || row.state === 'unknown' ? 'unknown' : 'waiting',
      lease_until: null,
      why: outcome.kind === 'unknown' ? 'answer_lost' : outcome.reason,
      detail: outcome.detail,
      next_attempt_at: now + Math.max(attemptWait(row.attempts), wait),
    })
  }
  await notifyChange(tx, submission)
}
