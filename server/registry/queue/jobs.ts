/** Background jobs of the registry: send queued records soon after issue, and retry when due. */
import { certificateState, credentialOf } from '../../company/certificates/index.ts'
import { findCompany } from '../../company/index.ts'
import { createSystemCtx } from '../../context.ts'
import type { AppEnvironment, Book, Ctx } from '../../context.ts'
import type { Background } from '../../domain/concurrency/background-loop.ts'
import { waitForMoreWork } from '../../domain/concurrency/background-loop.ts'
import { createWorkerLoop, drainLanes, inAllCompanies } from '../../platform/jobs/index.ts'
import type { BookWork } from '../../platform/jobs/index.ts'
import { taxpayerOf } from '../chain/append.ts'
import { guardBook } from '../chain/outside-marks.ts'
import type { Authority } from './authority.ts'
import { systemOf } from '../systems/index.ts'
import { recoverInterrupted, sendDueRecords } from './sender.ts'
import type { OnStatus } from './settle.ts'

interface RegistryJobOptions {
  env: AppEnvironment
  onStatus: OnStatus
  log: (line: string) => void
}

/** Combines what is issued in a burst into one submission; a fifth of a second is not noticeable. */
const GATHER_MS = 200
/** Interval at which the queue is checked when nothing woke it and nothing is due: the clock may have been set. */
const POLL_MS = 30_000
/** Minimum wait, so that a due time in the past does not cause a busy loop. */
const SHORTEST_MS = 50

/**
 * Returns the authority that the book's records go to. A test book has its own simulated authority in this process
 * and never opens a socket; a live book uses the real one, and a sandbox only its mock endpoint. `signal` aborts
 * exchanges in flight.
 */
export async function authorityOf(ctx: Ctx, signal?: AbortSignal): Promise<Authority<unknown>> {
  if (ctx.book.mode === 'test') return onDemand(ctx)
  const { env } = ctx
  return systemOf(ctx.book).connect({
    environment: ctx.book.environment,
    credential: await credentialOf(ctx),
    now: env.now,
    version: env.version,
    sandbox: env.sandbox,
    standIn: env.mockEndpoint,
    signal,
  })
}

/** Loads the simulated authority with the first message: usually nothing waits, and its rules are large. */
function onDemand(ctx: Ctx): Authority<unknown> {
  const system = systemOf(ctx.book)
  return {
    submit: async (message) => (await system.simulator(ctx)).submit(message),
    query: async (message) => (await system.simulator(ctx)).query(message),
  }
}

/**
 * Returns false when no message could leave: without a certificate, or in a sandbox without a mock endpoint. An
 * attempt that cannot succeed would only fill the history and delay the first one that can.
 */
async function canSend(ctx: Ctx): Promise<boolean> {
  if (ctx.book.mode === 'test') return true
  if (ctx.env.sandbox && !ctx.env.mockEndpoint) return false
  const { status } = await certificateState(ctx)
  return status === 'ok' || status === 'expiring'
}

/**
 * Marks the progress of the book outside the database before anything is sent. Returns false if it could not be
 * marked, or if the database is an older copy.
 */
async function isGuarded(ctx: Ctx): Promise<boolean> {
  try {
    return await guardBook(ctx)
  } catch (error) {
    ctx.env.report('marks', error)
    return false
  }
}

/**
 * Sends everything due in a book, in as many messages as the pace allows now. Returns when the next work is due, in
 * milliseconds since 1970; null when nothing waits.
 */
export async function sendBook(
  env: AppEnvironment,
  book: Book,
  onStatus: OnStatus,
  signal?: AbortSignal,
): Promise<number | null> {
  const ctx = createSystemCtx(env, book)
  if (!(await canSend(ctx))) return null
  if (!(await isGuarded(ctx))) return ctx.now().getTime() + POLL_MS
  const company = await findCompany(ctx)
  const options = {
    authority: await authorityOf(ctx, signal),
    issuer: taxpayerOf(company),
    onStatus,
  }
  for (;;) {
    const { settled, nextAt } = await sendDueRecords(ctx, options)
    if (nextAt === null || nextAt > ctx.now().getTime()) return nextAt
    // Records issued meanwhile are combined too: a message of one record costs nearly as much as a full one.
    if (settled < systemOf(book).wire.maxRecords) await waitForMoreWork(GATHER_MS, signal)
    if (signal?.aborted) return nextAt
  }
}

/** Sends for the books of a company, each at its own pace: a slow authority of one book does not delay another. */
export function registryWork({ env, onStatus, log }: RegistryJobOptions): BookWork {
  return {
    name: 'registry',
    async reclaim({ books }, all) {
      // A record has no lease that expires: only a process that ended leaves some that nobody sends.
      if (!all) return
      for (const book of books) await recoverInterrupted(createSystemCtx(env, book))
    },
    // Stopping does not wait for a message in flight: its outcome is then unknown, and the next start queries it.
    work: ({ books }, { signal }) =>
      drainLanes(books, (book) => sendBook(env, book, onStatus, signal), { name: 'registry', log }),
  }
}

/** Creates the jobs that send for every book. */
export function createRegistryJobs(options: RegistryJobOptions): Background {
  const { env, log } = options
  return createWorkerLoop({
    gatherMs: GATHER_MS,
    pollMs: POLL_MS,
    shortestWaitMs: SHORTEST_MS,
    ...inAllCompanies(env, registryWork(options), log),
  })
}
