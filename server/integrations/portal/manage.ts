/** What can be done with a submission: read it, ask for its states, cancel it, and say what became of a lost one. */
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { lastIdIn, pageById } from '../../domain/contract/cursor.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { orNotFound, refuseUnattended } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type {
  cancelContract,
  getSubmissionContract,
  listSubmissionsContract,
  PortalSubmission,
  refreshContract,
  settleContract,
  simulateContract,
  submittedFileContract,
} from './contract.ts'
import {
  cancellationsOf,
  changeSubmission,
  findSubmission,
  insertCancellation,
  listedSubmissions,
  submissionOf,
  submissionsOf,
  submissionWithNumber,
} from './rows.ts'
import type { SubmissionRow } from './rows.ts'
import { recordStates, recordSubmission, notifyChange } from './settle.ts'
import { maySettle, submissionView } from './views.ts'
import { openPortal } from './way.ts'
import type { OpenPortal } from './way.ts'
import { askForStates, attemptCancellation, attemptSubmission } from './work.ts'

const LIST = 'portal.list'
const DEFAULT_LIMIT = 25

/** Returns submissions, newest first. */
export const listSubmissions: UseCase<typeof listSubmissionsContract> = async (ctx, input) => {
  const { limit = DEFAULT_LIMIT, cursor, ...filter } = input
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : lastIdIn(cursor, LIST, filter)
  const rows = await listedSubmissions(ctx, filter, { before, limit: limit + 1 })
  const { shown, nextCursor } = pageById(rows, limit, LIST, filter)
  return { items: await Promise.all(shown.map((row) => submissionView(ctx, row))), nextCursor }
}

async function fresh(ctx: Ctx, id: string): Promise<PortalSubmission> {
  return submissionView(ctx, orNotFound(await findSubmission(ctx, id)))
}

/** Returns one submission. */
export const getSubmission: UseCase<typeof getSubmissionContract> = (ctx, { id }) => fresh(ctx, id)

/** Returns the file of a submission as it is sent. */
export const submittedFile: UseCase<typeof submittedFileContract> = async (ctx, { id }) => {
  const row = orNotFound(await findSubmission(ctx, id))
  const bytes = gunzipSync(row.file)
  const sha256 = createHash('sha256').update(bytes).digest()
  if (!sha256.equals(row.sha256)) throw new AppError('stored_file_damaged', { details: { id } })
  return { bytes, sha256: sha256.toString('hex'), fileName: row.file_name, mediaType: 'application/xml' }
}

async function portalOf(ctx: Ctx): Promise<OpenPortal> {
  const portal = await openPortal(ctx)
  if (portal.service === null) throw new AppError('portal_not_possible', { details: { why: [portal.why] } })
  return portal
}

function wrongState(row: SubmissionRow): AppError {
  const { state, processing_code: processing, cancellation_code: cancellation } = row
  return new AppError('portal_wrong_state', { details: { state, processing, cancellation } })
}

/** Asks for the states of a registered submission, or attempts one that waits. */
export const refreshSubmission: UseCase<typeof refreshContract> = async (ctx, { id }) => {
  const row = orNotFound(await findSubmission(ctx, id))
  if (row.state === 'registered') await askForStates(ctx, (await portalOf(ctx)).service, [row])
  else if (row.state === 'waiting') await attemptSubmission(ctx, (await portalOf(ctx)).service, row.id)
  return fresh(ctx, id)
}

/** Takes back a submission that has not left. Returns false if it has. */
async function takenBack(ctx: Ctx, row: SubmissionRow): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const now = await submissionOf(tx, row.id)
    if (now.state !== 'waiting' || now.lease_until !== null) return false
    await changeSubmission(tx, row.id, ['waiting'], {
      state: 'withdrawn',
      is_open: 0,
      next_attempt_at: null,
      settled_at: tx.now().getTime(),
    })
    await recordSubmission(tx, row, 'portal.withdrawn')
    await notifyChange(tx, row)
    return true
  })
}

/** Asks for the cancellation of a registered submission, or takes back one that waits. */
export const cancelSubmission: UseCase<typeof cancelContract> = async (ctx, { id, reason }) => {
  const row = orNotFound(await findSubmission(ctx, id))
  refuseUnattended(ctx)
  if (row.state === 'waiting' && (await takenBack(ctx, row))) return fresh(ctx, id)
  const { service } = await portalOf(ctx)
  const cancellationId = await ctx.transaction(async (tx) => {
    const now = await submissionOf(tx, row.id)
    if (now.state !== 'registered' || !(await submissionView(tx, now)).can.cancel) throw wrongState(now)
    const publicId = tx.newId('pcn')
    const at = tx.now().getTime()
    await insertCancellation(tx, {
      book_id: tx.book.id,
      submission_id: row.id,
      public_id: publicId,
      reason,
      state: 'waiting',
      requested_by: tx.actor.name,
      created_at: at,
      next_attempt_at: at,
    })
    await recordSubmission(tx, row, 'portal.cancellation_requested', reason)
    await notifyChange(tx, row)
    tx.wake('portal')
    return (await cancellationsOf(tx, row.id)).find(({ public_id }) => public_id === publicId)?.id ?? 0
  })
  await attemptCancellation(ctx, service, cancellationId)
  const after = orNotFound(await findSubmission(ctx, id))
  const asked = (await cancellationsOf(ctx, row.id)).find((one) => one.id === cancellationId)
  if (asked?.state === 'asked') await askForStates(ctx, service, [after])
  return fresh(ctx, id)
}

/**
 * Writes what a person says of a submission whose answer was lost. A number is proved: the portal must know it, and no other
 * submission of these books may have it.
 */
export const settleUnknown: UseCase<typeof settleContract> = async (ctx, { id, registryNumber }) => {
  const row = orNotFound(await findSubmission(ctx, id))
  if (!maySettle(row)) throw wrongState(row)
  const settledAt = ctx.now().getTime()
  if (registryNumber === null) {
    await ctx.transaction(async (tx) => {
      const change = { state: 'not_arrived' as const, is_open: 0, why: 'stated', settled_at: settledAt }
      if (!(await changeSubmission(tx, row.id, ['unknown'], change))) throw wrongState(row)
      await recordSubmission(tx, row, 'portal.not_arrived')
      await notifyChange(tx, row)
    })
    return fresh(ctx, id)
  }
  const number = registryNumber.trim()
  if (await submissionWithNumber(ctx, number))
    throw new AppError('portal_number_unknown', { field: 'registryNumber', details: { why: 'taken' } })
  const answer = await (await portalOf(ctx)).service.states([number])
  if (answer.kind !== 'answered')
    throw new AppError('portal_not_possible', { details: { why: ['unreachable'], detail: answer.detail } })
  const [found] = answer.states
  if (!found)
    throw new AppError('portal_number_unknown', {
      field: 'registryNumber',
      details: { why: 'not_found', detail: answer.refused.get(number) ?? '' },
    })
  await ctx.transaction(async (tx) => {
    if (await submissionWithNumber(tx, number))
      throw new AppError('portal_number_unknown', { field: 'registryNumber', details: { why: 'taken' } })
    // Submitted again since: this one cannot be open beside it.
    const others = await submissionsOf(tx, row.invoice_id)
    if (others.some((one) => one.is_open === 1 && one.id !== row.id)) throw wrongState(row)
    const change = {
      state: 'registered' as const,
      is_open: 1,
      registry_number: number,
      why: null,
      detail: null,
      settled_at: settledAt,
      next_query_at: settledAt,
    }
    if (!(await changeSubmission(tx, row.id, ['unknown', 'refused'], change))) throw wrongState(row)
    await recordSubmission(tx, row, 'portal.registered', number)
    await recordStates(tx, row.id, found)
    await notifyChange(tx, row)
  })
  return fresh(ctx, id)
}

/** Moves a submission of a test book to a state, and reads it as usual. */
export const simulateState: UseCase<typeof simulateContract> = async (ctx, { id, code, reason }) => {
  const row = orNotFound(await findSubmission(ctx, id))
  if (row.environment !== 'simulator')
    throw new AppError('portal_not_possible', { details: { why: ['simulator_only'] } })
  const { simulatedPortal } = await import('./simulated.ts')
  const portal = await simulatedPortal(ctx)
  const number = row.registry_number
  if (number === null || !(await portal.move(number, code, reason ?? null))) throw wrongState(row)
  await askForStates(ctx, (await portalOf(ctx)).service, [row])
  return fresh(ctx, id)
}
