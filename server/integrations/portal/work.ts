/**
 * Carries out what waits: submissions and cancellations, each claimed by one process and written as sent before its first
 * byte leaves, and questions for states. A submission whose answer was lost is never sent again by itself.
 */
import { gunzipSync } from 'node:zlib'
import type { Ctx } from '../../context.ts'
import { failpoint } from '../../db/failpoints.ts'
import { drainQueue } from '../../platform/jobs/index.ts'
import type { JobQueue } from '../../platform/jobs/index.ts'
import {
  changeCancellation,
  changeSubmission,
  dueCancellation,
  dueQueries,
  dueSubmission,
  submissionOf,
} from './rows.ts'
import type { CancellationRow, SubmissionRow } from './rows.ts'
import type { PortalService } from './service.ts'
import { postponeQuery, recordStates, settleCancellation, settleSubmission } from './settle.ts'
import type { CancellationOutcome, SubmissionOutcome } from './settle.ts'
import { LEASE_MS, NO_CANCELLATION } from './states.ts'

/** States asked for with one message: an assumption, no limit of the service is known. */
const STATES_AT_ONCE = 50

/** The queue of what is to be submitted; with `only`, of one submission, whenever it is due. */
function submissionQueue(
  ctx: Ctx,
  service: PortalService,
  only: number | null,
): JobQueue<SubmissionRow, SubmissionOutcome | null> {
  let isTaken = false
  return {
    claim: () =>
      ctx.transaction(async (tx) => {
        if (only !== null && isTaken) return null
        const row = only === null ? await dueSubmission(tx) : await submissionOf(tx, only)
        if (!row || row.state !== 'waiting' || row.lease_until !== null) return null
        isTaken = true
        await changeSubmission(tx, row.id, ['waiting'], {
          lease_until: tx.now().getTime() + LEASE_MS,
          attempts: row.attempts + 1,
          next_attempt_at: null,
        })
        return submissionOf(tx, row.id)
      }),
    attempt: async (row) => {
      failpoint('portal.claimed')
      const isMine = await ctx.transaction((tx) =>
        changeSubmission(tx, row.id, ['waiting'], { state: 'sent', sent_at: tx.now().getTime() }),
      )
      // Somebody took it back meanwhile: it must not leave.
      if (!isMine) return null
      failpoint('portal.send_written')
      const outcome = await service.submit({
        email: row.email,
        name: row.file_name,
        bytes: gunzipSync(row.file),
      })
      failpoint('portal.answer_read')
      return outcome
    },
    settle: async (row, outcome) => {
      if (outcome === null) return
      await ctx.transaction((tx) => settleSubmission(tx, row, outcome))
      failpoint('portal.outcome_committed')
    },
  }
}

/**
 * Finds out whether a cancellation was asked for whose answer was lost. Null: certainly not. A refusal that the portal had
 * given before could be an earlier one's or this one's.
 */
async function earlierOutcome(
  ctx: Ctx,
  service: PortalService,
  row: CancellationRow,
): Promise<CancellationOutcome | null> {
  const { registry_number: number, cancellation_code: before } = await submissionOf(ctx, row.submission_id)
  const answer = await service.states([number ?? ''])
  if (answer.kind !== 'answered') return answer
  const states = answer.states[0]
  if (!states)
    return { kind: 'unknown', detail: [...answer.refused.values()][0] ?? 'The portal does not show it.' }
  const { code } = states.cancellation
  if (code === NO_CANCELLATION) return null
  return code === before && code !== '4200'
    ? { kind: 'unclear', detail: `The portal shows ${code}, as before.` }
    : { kind: 'asked' }
}

/** The queue of cancellations to ask for; with `only`, of one of them. */
function cancellationQueue(
  ctx: Ctx,
  service: PortalService,
  only: number | null,
): JobQueue<CancellationRow, CancellationOutcome | null> {
  let isTaken = false
  const current = (tx: Ctx, id: number): Promise<CancellationRow> =>
    tx.db.selectFrom('portal_cancellations').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return {
    claim: () =>
      ctx.transaction(async (tx) => {
        if (only !== null && isTaken) return null
        const row = only === null ? await dueCancellation(tx) : await current(tx, only)
        if (!row || (row.state !== 'waiting' && row.state !== 'unknown') || row.lease_until !== null)
          return null
        isTaken = true
        await changeCancellation(tx, row.id, [row.state], {
          lease_until: tx.now().getTime() + LEASE_MS,
          attempts: row.attempts + 1,
          next_attempt_at: null,
        })
        return current(tx, row.id)
      }),
    attempt: async (row) => {
      if (row.state === 'unknown') {
        const known = await earlierOutcome(ctx, service, row)
        if (known) return known
      }
      const isMine = await ctx.transaction((tx) =>
        changeCancellation(tx, row.id, ['waiting', 'unknown'], {
          state: 'sent',
          sent_at: tx.now().getTime(),
        }),
      )
      if (!isMine) return null
      failpoint('portal.cancellation_sent')
      const { registry_number: number } = await submissionOf(ctx, row.submission_id)
      const outcome = await service.cancel(number ?? '', row.reason)
      failpoint('portal.cancellation_answered')
      return outcome
    },
    settle: async (row, outcome) => {
      if (outcome !== null) await ctx.transaction((tx) => settleCancellation(tx, row, outcome))
    },
  }
}

/** Asks for the states of submissions, and writes what is new. */
export async function askForStates(
  ctx: Ctx,
  service: PortalService,
  rows: readonly SubmissionRow[],
): Promise<void> {
  const byNumber = new Map(rows.map((row) => [row.registry_number ?? '', row.id]))
  const answer = await service.states([...byNumber.keys()])
  failpoint('portal.states_read')
  await ctx.transaction(async (tx) => {
    for (const [number, id] of byNumber) {
      const found =
        answer.kind === 'answered' ? answer.states.find((one) => one.registryNumber === number) : null
      if (found) await recordStates(tx, id, found)
      else if (answer.kind === 'answered')
        await postponeQuery(tx, id, 'not_shown', answer.refused.get(number) ?? 'The answer does not name it.')
      else
        await postponeQuery(tx, id, answer.kind === 'unknown' ? 'answer_lost' : answer.reason, answer.detail)
    }
  })
}

/** Attempts one submission now, if it waits and nobody works on it. */
export async function attemptSubmission(ctx: Ctx, service: PortalService, id: number): Promise<void> {
  await drainQueue(submissionQueue(ctx, service, id), { inFlight: ctx.env.store })
}

/** Attempts one cancellation now. */
export async function attemptCancellation(ctx: Ctx, service: PortalService, id: number): Promise<void> {
  await drainQueue(cancellationQueue(ctx, service, id), { inFlight: ctx.env.store })
}

/** Works through all that is due in a book. */
export async function workThrough(ctx: Ctx, service: PortalService, signal: AbortSignal): Promise<void> {
  const options = { signal, inFlight: ctx.env.store }
  await drainQueue(submissionQueue(ctx, service, null), options)
  await drainQueue(cancellationQueue(ctx, service, null), options)
  const asked = new Set<number>()
  for (;;) {
    // One that is still due after its answer must not be asked for without end.
    const rows = (await dueQueries(ctx, STATES_AT_ONCE)).filter(({ id }) => !asked.has(id))
    if (rows.length === 0 || signal.aborted) return
    for (const { id } of rows) asked.add(id)
    await askForStates(ctx, service, rows)
  }
}
