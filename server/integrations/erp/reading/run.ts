/** Starts, resumes and stops syncs: one at a time in a book, only on request. */
import { setTimeout as pause } from 'node:timers/promises'
import { recordAudit } from '../../../platform/audit/index.ts'
import type { cancelRunContract, syncContract } from '../contract.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { ErrorCode } from '../../../domain/errors/catalog.ts'
import { createSystemCtx } from '../../../context.ts'
import type { AppEnvironment, Ctx, UseCase } from '../../../context.ts'
import { emitEvent, newestBookEventId } from '../../../platform/events/index.ts'
import type { BookWork } from '../../../platform/jobs/index.ts'
import { activeIn, Stopped } from './active.ts'
import { runningRuns, settleInterrupted } from './interrupted.ts'
import { callsLeft, quotaOf } from '../connection/budget.ts'
import { planOf, resourcesOfPlan } from './plan.ts'
import type { Plan, Wish } from './plan.ts'
import type { Resource } from '../port.ts'
import { providerOf } from '../providers.ts'
import { readResources } from './read.ts'
import { connectionById, openConnection, targetOf } from '../connection/rows.ts'
import type { ConnectionRow } from '../connection/rows.ts'
import { findRun, lastRun, resourcesOf, runById, runningRun, runView } from './run-rows.ts'
import type { RunRow } from './run-rows.ts'

const RESUME_MS = 24 * 3_600_000
/** A sync that has just ended is returned again instead of starting a new one. */
const PAUSE_MS = 60_000
const WAIT_MS = 25_000
/** How often a run on another server is looked at. */
const LOOK_MS = 250
/** How often the server that works on a run looks whether it was stopped. */
const WATCH_MS = 1_000

/** Stops the sync of a connection, unless it uses the key in `keep`, and waits until it has ended. */
export async function stopRun(ctx: Ctx, connectionId: number, keep: string | null = null): Promise<void> {
  if (ctx.env.noteDue) {
    const run = await runningRun(ctx, connectionId)
    const { sealed_key: sealedKey, updated_at: changedAt } = await connectionById(ctx, connectionId)
    // A run on another server uses the key that was there when it began.
    if (run && (keep === null || run.started_at <= changedAt))
      await endRun(ctx, run.id, sealedKey, new Stopped('person'))
    return
  }
  for (const run of [...activeIn(ctx.env).values()])
    if (run.connectionId === connectionId && (keep === null || run.sealedKey !== keep)) {
      run.abort.abort(new Stopped('person'))
      await run.ended
    }
}

/** Returns a recent failed run that can be resumed, if it reads the same. */
async function resumable(ctx: Ctx, row: ConnectionRow, wish: Wish): Promise<RunRow | null> {
  const run = await lastRun(ctx, row.id)
  if (!run || run.resumable === 0) return null
  // A run that had to wait does not count as older for it.
  const since = Math.max(run.started_at, row.wait_until ?? 0)
  if (since < ctx.now().getTime() - RESUME_MS) return null
  if (wish.mode === 'full' && run.mode !== 'full') return null
  return (await readsTheSame(ctx, row, run, wish)) ? run : null
}

/** Returns true if a run reads exactly what is requested. */
async function readsTheSame(ctx: Ctx, row: ConnectionRow, run: RunRow, wish: Wish): Promise<boolean> {
  const names = (await resourcesOf(ctx, run.id)).map(({ resource }) => resource)
  const wished = resourcesOfPlan(providerOf(row.provider), wish.resources)
  return names.length === wished.length && wished.every((name) => names.includes(name))
}

async function guard(ctx: Ctx, row: ConnectionRow, estimate: number, force: boolean): Promise<void> {
  if (force) return
  const quota = await quotaOf(ctx, row)
  const left = callsLeft(quota)
  if (left !== null && estimate > left)
    throw new AppError('erp_quota_guard', { details: { estimate, left, quota } })
  waited(ctx, row)
}

/** Enforces the wait that the account named in its refusal: no call is made before. Throws the error of that refusal. */
function waited(ctx: Ctx, { wait_until: until, last_error_code: code }: ConnectionRow): void {
  const left = (until ?? 0) - ctx.now().getTime()
  if (left <= 0) return
  throw new AppError(code === 'erp_rate_limited' ? 'erp_rate_limited' : 'erp_quota_exhausted', {
    retryAfterSeconds: Math.ceil(left / 1000),
  })
}

/** Returns the remaining calls: for a resumed run, what it has not used yet. */
function callsOf(plan: Plan, earlier: RunRow | null): number {
  return earlier ? Math.max(1, earlier.estimate - earlier.calls) : plan.estimate
}

async function insertRun(tx: Ctx, row: ConnectionRow, plan: Plan): Promise<RunRow> {
  const run = await tx.db
    .insertInto('erp_runs')
    .values({
      book_id: tx.book.id,
      connection_id: row.id,
      public_id: tx.newId('run'),
      state: 'running',
      mode: plan.mode,
      estimate: plan.estimate,
      started_at: tx.now().getTime(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  for (const [position, each] of plan.resources.entries())
    await tx.db
      .insertInto('erp_run_resources')
      .values({
        run_id: run.id,
        resource: each.resource,
        position,
        state: each.isFresh ? 'skipped' : 'waiting',
        since: each.since,
        window_from: each.window?.from ?? null,
        window_to: each.window?.to ?? null,
      })
      .execute()
  return run
}

/** Resumes a stopped run: complete resources stay, failed ones are tried again. */
async function reopenRun(tx: Ctx, run: RunRow): Promise<RunRow> {
  await tx.db
    .updateTable('erp_run_resources')
    .set({ state: 'waiting', error_code: null, error_details: null })
    .where('run_id', '=', run.id)
    .where('state', 'in', ['failed', 'running'])
    .execute()
  return tx.db
    .updateTable('erp_runs')
    .set({ state: 'running', finished_at: null, error_code: null, resumable: 0 })
    .where('id', '=', run.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

interface Begun {
  run: RunRow
  isNew: boolean
  sealedKey: string | null
}

/** Returns the run to answer with: a running one, one that has just ended, or a new one that must be worked on. */
async function beginRun(tx: Ctx, wish: Wish): Promise<Begun> {
  const row = await openConnection(tx)
  if (!row) throw new AppError('erp_not_connected')
  const { sealed_key: sealedKey } = row
  const running = await runningRun(tx, row.id)
  if (running) return { run: running, isNew: false, sealedKey }
  if (row.state === 'needs_reconnection') throw new AppError('erp_needs_reconnection')
  const last = await lastRun(tx, row.id)
  const isRecent = last?.state === 'completed' && (last.finished_at ?? 0) > tx.now().getTime() - PAUSE_MS
  const isRepetition = isRecent && !wish.force && wish.mode !== 'full' && wish.resources === null
  if (last && isRepetition && (await readsTheSame(tx, row, last, wish)))
    return { run: last, isNew: false, sealedKey }
  const earlier = await resumable(tx, row, wish)
  const plan = await planOf(tx, row, providerOf(row.provider), wish)
  await guard(tx, row, callsOf(plan, earlier), wish.force)
  const run = earlier ? await reopenRun(tx, earlier) : await insertRun(tx, row, plan)
  await recordAudit(tx, { action: 'erp.sync_started', target: targetOf(row) })
  await emitEvent(tx, 'erp.sync_started', { runId: run.public_id, connectionId: row.public_id })
  return { run, isNew: true, sealedKey }
}

/** Errors that end a run as stopped. */
const STOPS: ReadonlySet<ErrorCode> = new Set([
  'erp_key_rejected',
  'erp_plan_required',
  'erp_rate_limited',
  'erp_quota_exhausted',
  'erp_unavailable',
  'erp_stand_in_missing',
  'erp_address_refused',
])
/** Temporary errors: the next run continues from there. */
const PASSES: ReadonlySet<ErrorCode> = new Set([
  'erp_rate_limited',
  'erp_quota_exhausted',
  'erp_unavailable',
  'erp_interrupted',
])

/** Returns true if an error ends the whole run; any other ends only its resource. */
function endsRun(code: ErrorCode): boolean {
  return STOPS.has(code)
}

/** Returns the end of the wait of a refusal that names one: calls before it are wasted. */
function waitUntil(cause: unknown, now: number): number | null {
  if (!(cause instanceof AppError) || cause.retryAfterSeconds === undefined) return null
  if (cause.code !== 'erp_quota_exhausted' && cause.code !== 'erp_rate_limited') return null
  return now + cause.retryAfterSeconds * 1000
}

interface Ending {
  state: 'completed' | 'partial' | 'failed' | 'cancelled'
  code: ErrorCode | null
}

const NEEDED: readonly Resource[] = ['contacts', 'issued', 'received']

/** Ends a run. `begunAt`: the newest event of the book when its work began, where others may have ended it since. */
async function endRun(
  ctx: Ctx,
  runId: number,
  sealedKey: string | null,
  cause: unknown,
  begunAt?: number,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const run = await runById(tx, runId)
    // A person stopped it on another server, and may have begun it again.
    if (run.state !== 'running' || (begunAt !== undefined && (await hasFinishedSince(tx, begunAt)))) return
    const rows = await resourcesOf(tx, runId)
    const isDone = (state: string) => state === 'completed' || state === 'skipped'
    const done = rows.filter(({ state }) => state === 'completed').length
    const all = rows.every(({ state }) => isDone(state))
    const ending: Ending =
      cause instanceof Stopped
        ? cause.by === 'person'
          ? { state: 'cancelled', code: null }
          : { state: 'failed', code: 'erp_interrupted' }
        : cause instanceof AppError
          ? { state: done > 0 ? 'partial' : 'failed', code: cause.code }
          : cause !== null
            ? { state: 'failed', code: 'internal' }
            : all
              ? { state: 'completed', code: null }
              : {
                  state: done > 0 ? 'partial' : 'failed',
                  code: (rows.find(({ state }) => state === 'failed')?.error_code as ErrorCode) ?? null,
                }
    const { state, code } = ending
    const now = tx.now().getTime()
    await tx.db
      .updateTable('erp_run_resources')
      .set({ state: 'waiting' })
      .where('run_id', '=', runId)
      .where('state', '=', 'running')
      .execute()
    await tx.db
      .updateTable('erp_runs')
      .set({
        state,
        error_code: code,
        finished_at: now,
        resumable: state === 'cancelled' || (code !== null && PASSES.has(code)) ? 1 : 0,
      })
      .where('id', '=', runId)
      .execute()
    const complete = NEEDED.every((name) =>
      rows.some(({ resource, state: done }) => resource === name && isDone(done)),
    )
    // Disconnected, or connected with another key by now: the previous key's outcome does not apply to it.
    const isCurrent = (await connectionById(tx, run.connection_id)).sealed_key === sealedKey
    const { public_id: connectionId } = await tx.db
      .updateTable('erp_connections')
      .set({
        updated_at: now,
        ...(isCurrent ? { wait_until: waitUntil(cause, now) } : {}),
        ...(complete ? { last_sync_at: now } : done > 0 ? { last_partial_at: now } : {}),
        ...(code === null || !isCurrent
          ? state === 'completed'
            ? { last_error_code: null, last_error_at: null }
            : {}
          : { last_error_code: code, last_error_at: now }),
        ...(code === 'erp_key_rejected' && isCurrent ? { state: 'needs_reconnection' as const } : {}),
      })
      .where('id', '=', run.connection_id)
      .returning('public_id')
      .executeTakeFirstOrThrow()
    await emitEvent(tx, 'erp.sync_finished', { runId: run.public_id, connectionId, state, code })
    if (code === 'erp_key_rejected' && isCurrent)
      await emitEvent(tx, 'erp.needs_reconnection', { connectionId })
  })
}

/** Works on a run until it ends, and writes how it ended. */
async function perform(
  ctx: Ctx,
  runId: number,
  sealedKey: string | null,
  signal: AbortSignal,
  begunAt?: number,
): Promise<void> {
  let cause: unknown = null
  try {
    await readResources(ctx, runId, signal, endsRun)
  } catch (error) {
    cause = signal.aborted ? signal.reason : error
    if (!(cause instanceof AppError || cause instanceof Stopped)) ctx.env.report('erp', cause)
  }
  await endRun(ctx, runId, sealedKey, cause, begunAt)
}

/** Works on a run in the background of this process. */
function workOn(asked: Ctx, { run, sealedKey }: Begun): Promise<void> {
  const { env, book } = asked
  const runs = activeIn(env)
  const abort = new AbortController()
  const ended = perform(createSystemCtx(env, book), run.id, sealedKey, abort.signal)
    .finally(() => {
      // The run may have been resumed in the turn in which its end was written.
      if (runs.get(run.id)?.abort === abort) runs.delete(run.id)
    })
    .catch(() => {
      // The books can no longer be written: the next start marks the run as interrupted.
    })
  runs.set(run.id, { connectionId: run.connection_id, sealedKey, abort, ended })
  return ended
}

/** Returns true if a sync of the book has ended after an event: it may have begun again since. */
async function hasFinishedSince(ctx: Ctx, eventId: number): Promise<boolean> {
  const finished = await ctx.db
    .selectFrom('events')
    .select('id')
    .where('book_id', '=', ctx.book.id)
    .where('id', '>', eventId)
    .where('type', '=', 'erp.sync_finished')
    .limit(1)
    .executeTakeFirst()
  return finished !== undefined
}

/** Works on the syncs that requests have begun, one after another, where the server of a request does not do it itself. */
export function erpWork(env: AppEnvironment): BookWork {
  return {
    name: 'erp',
    reclaim: async (company, all) => (all ? settleInterrupted(env, company) : undefined),
    async work(company, { signal }) {
      for (;;) {
        const [run] = await runningRuns(company)
        const book = company.books.find(({ id }) => id === run?.book_id)
        if (!run || !book || signal.aborted) return null
        const { id } = run
        const ctx = createSystemCtx(env, book)
        const { connection_id: connectionId } = await runById(ctx, id)
        const { sealed_key: sealedKey } = await connectionById(ctx, connectionId)
        const stopping = new AbortController()
        const stop = (): void => stopping.abort(new Stopped('closing'))
        signal.addEventListener('abort', stop, { once: true })
        // A person may stop it on another server while a call of this one hangs.
        const begunAt = await newestBookEventId(ctx.db, book.id)
        const watching = setInterval(() => {
          hasFinishedSince(ctx, begunAt).then(
            (hasFinished) => hasFinished && stopping.abort(new Stopped('person')),
            () => {},
          )
        }, WATCH_MS)
        watching.unref()
        try {
          await perform(ctx, id, sealedKey, stopping.signal, begunAt)
        } finally {
          clearInterval(watching)
          signal.removeEventListener('abort', stop)
        }
      }
    },
  }
}

/** Waits until a run has ended, wherever it is worked on, or `WAIT_MS` have passed. */
async function waitForEnd(ctx: Ctx, runId: number): Promise<void> {
  const until = performance.now() + WAIT_MS
  while (performance.now() < until && (await runById(ctx, runId)).state === 'running') await pause(LOOK_MS)
}

/**
 * Returns the estimated calls of an ordinary sync that begins now; null while one is running. Throws the reason why
 * it cannot begin.
 */
export async function examineReading(ctx: Ctx): Promise<number | null> {
  const row = await openConnection(ctx)
  if (!row) throw new AppError('erp_not_connected')
  if (await runningRun(ctx, row.id)) return null
  if (row.state === 'needs_reconnection') throw new AppError('erp_needs_reconnection')
  const wish: Wish = { mode: 'auto', resources: null, force: false }
  const earlier = await resumable(ctx, row, wish)
  const plan = await planOf(ctx, row, providerOf(row.provider), wish)
  const estimate = callsOf(plan, earlier)
  await guard(ctx, row, estimate, wish.force)
  return estimate
}

/** Starts a sync, or returns the running one. With `wait`, returns when it has ended or after 25 seconds. */
export const syncErp: UseCase<typeof syncContract> = async (ctx, input) => {
  const wish: Wish = {
    mode: input.mode ?? 'auto',
    resources:
      input.resources === undefined ? null : ([...new Set(input.resources.split(','))] as Resource[]),
    force: input.force === true,
  }
  const begun = await ctx.transaction(async (tx) => {
    const found = await beginRun(tx, wish)
    if (found.isNew) tx.wake('erp')
    return found
  })
  const { run, isNew } = begun
  if (ctx.env.noteDue) {
    if (input.wait === 1) await waitForEnd(ctx, run.id)
    return runView(ctx, await runById(ctx, run.id))
  }
  const ended = isNew ? workOn(ctx, begun) : activeIn(ctx.env).get(run.id)?.ended
  if (input.wait === 1 && ended) {
    let timer: NodeJS.Timeout | undefined
    await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, WAIT_MS)))])
    clearTimeout(timer)
  }
  return runView(ctx, await runById(ctx, run.id))
}

/** Stops a running sync; one that has ended does not change. */
export const cancelRun: UseCase<typeof cancelRunContract> = async (ctx, { id }) => {
  const run = await findRun(ctx, id)
  const working = activeIn(ctx.env).get(run.id)
  if (ctx.env.noteDue) await stopRun(ctx, run.connection_id)
  else if (working) {
    working.abort.abort(new Stopped('person'))
    await working.ended
  }
  return runView(ctx, await runById(ctx, run.id))
}
