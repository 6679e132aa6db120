/** Runs the self-check in the background of a running Sello: one at a time, with the result kept for later requests. */
import { whereWritable } from '../../domain/errors/to-app-error.ts'
import { createCtx } from '../../context.ts'
import type { AppEnvironment, Ctx, UseCase } from '../../context.ts'
import { checkBooks } from './check-books.ts'
import type { Verification, verificationContract, verifyBooksContract } from './contract.ts'
import { UNSEEN } from './invariants.ts'

const SETTING = 'verification'

interface Run {
  progress: { done: number; total: number } | null
  failed: boolean
  /** Result since this start: books that cannot be written do not store it. */
  last: Verification['last']
  /** Aborted when the books close: the check ends without a result. */
  stop: AbortController
  /** Resolves when the check in progress has ended in any way. */
  work: Promise<void>
}

const runs = new WeakMap<AppEnvironment, Run>()

function runOf(env: AppEnvironment): Run {
  const known = runs.get(env) ?? {
    progress: null,
    failed: false,
    last: null,
    stop: new AbortController(),
    work: Promise.resolve(),
  }
  runs.set(env, known)
  return known
}

async function viewOf({ db, env }: Ctx): Promise<Verification> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', SETTING).executeTakeFirst()
  const { progress, failed, last } = runOf(env)
  return {
    underWay: progress && { ...progress },
    failed,
    last: last ?? (row ? (JSON.parse(row.value) as Verification['last']) : null),
    unseen: [...UNSEEN],
  }
}

async function prove(ctx: Ctx, run: Run): Promise<void> {
  const { env, actor, channel, requestId } = ctx
  try {
    const { ok, checks } = await checkBooks(
      env,
      (book) => createCtx({ env, book, actor, channel, requestId }),
      { seen: (done, total) => (run.progress = { done, total }), signal: run.stop.signal },
    )
    const last: Verification['last'] = { at: env.now().toISOString(), version: env.version, ok, checks }
    run.last = last
    const value = JSON.stringify(last)
    await whereWritable(
      env.store.transaction(null, (db) =>
        db
          .insertInto('settings')
          .values({ name: SETTING, value })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
          .execute(),
      ),
    )
  } catch (error) {
    if (run.stop.signal.aborted) return
    run.failed = true
    env.report('verification', error)
  } finally {
    run.progress = null
  }
}

/** Starts the check unless one is running. */
export const verifyBooks: UseCase<typeof verifyBooksContract> = async (ctx) => {
  const run = runOf(ctx.env)
  if (!run.progress) {
    run.progress = { done: 0, total: 0 }
    run.failed = false
    run.work = prove(ctx, run)
  }
  return viewOf(ctx)
}

/** Returns the progress and the last result. */
export const getVerification: UseCase<typeof verificationContract> = (ctx) => viewOf(ctx)

/** Aborts the check in progress and prevents new ones; resolves when it no longer uses the store. */
export async function stopVerification(env: AppEnvironment): Promise<void> {
  const run = runOf(env)
  run.stop.abort()
  await run.work
}

/** Aborts the check in progress; resolves when it no longer uses the store. Another one may start then. */
export async function abortVerification(env: AppEnvironment): Promise<void> {
  await stopVerification(env)
  runOf(env).stop = new AbortController()
}
