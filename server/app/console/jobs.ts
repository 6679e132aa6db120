/**
 * The background work of the console. On a desk one loop does the units of all companies and keeps the summaries; in an
 * office servers take the units by companies, and one of them keeps the summaries of all.
 */
import type { AppEnvironment, Book } from '../../context.ts'
import { createWorkerLoop } from '../../platform/jobs/index.ts'
import type { BookWork, DueTime } from '../../platform/jobs/index.ts'
import type { Background } from '../../domain/concurrency/background-loop.ts'
import { listBooks } from '../../platform/books/index.ts'
import { refreshSummaries } from '../summaries/index.ts'
import { reclaim, runUnits } from './work/run.ts'

/** How often summaries are looked at in an office. */
const OFFICE_LOOK_MS = 3_000
/** The same on a desk while some are not current. */
const DESK_LOOK_MS = 2_000
const GATHER_MS = 20
const POLL_MS = 60_000

interface JobOptions {
  env: AppEnvironment
  log: (line: string) => void
}

const isLive = ({ mode }: Book): boolean => mode === 'live'

/** Creates the loop of a desk. */
export function createConsoleJobs({ env, log }: JobOptions): Background {
  const books = async (companyId: number): Promise<Book | undefined> =>
    (await listBooks(env.store.reader)).find((book) => book.companyId === companyId && isLive(book))
  return createWorkerLoop({
    name: 'console',
    log,
    now: env.now,
    gatherMs: GATHER_MS,
    pollMs: POLL_MS,
    async reclaim(all) {
      if (all) await reclaim(env, null)
    },
    async work({ signal, lanes }) {
      lanes.fill(0, () => runUnits(env, { companyId: null, books, signal }))
      const { isStale } = await refreshSummaries(env, { log, signal })
      return isStale ? env.now().getTime() + DESK_LOOK_MS : null
    },
  })
}

/** The units of one company, for whoever holds its lease. */
export function bulkWork(env: AppEnvironment): BookWork {
  return {
    name: 'bulk',
    reclaim: ({ companyId }) => reclaim(env, companyId),
    async work({ companyId, books }, { signal }): Promise<DueTime> {
      const live = books.find(isLive)
      await runUnits(env, { companyId, books: () => Promise.resolve(live), signal })
      return null
    },
  }
}

/** Keeps the summaries of all companies of an office. Returns when to look again. */
export async function summaryPass(
  env: AppEnvironment,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<number> {
  await refreshSummaries(env, { log, signal })
  return env.now().getTime() + OFFICE_LOOK_MS
}
