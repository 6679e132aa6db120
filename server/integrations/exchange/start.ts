/** Work of the exchange in the background. What a book without it never needs is loaded with the first turn. */
import { createSystemCtx } from '../../context.ts'
import type { AppEnvironment, Ctx } from '../../context.ts'
import type { Background } from '../../domain/concurrency/background-loop.ts'
import { createWorkerLoop, drainLanes, idsOf, inAllCompanies } from '../../platform/jobs/index.ts'
import type { BookWork } from '../../platform/jobs/index.ts'
import type { OpenedPort } from './sending/turn.ts'

/**
 * Returns the platform of a book: the simulated one of a test book, or the real one; null with the code of what keeps it
 * closed. The real one stays closed while an assumption blocks it. `signal` aborts messages.
 */
export async function portFor(ctx: Ctx, _signal?: AbortSignal): Promise<OpenedPort> {
  if (ctx.book.mode === 'live') {
    const { blockingLive } = await import('../../documents/e-invoice/index.ts')
    return { port: null, why: blockingLive().length > 0 ? 'live_closed' : 'not_configured' }
  }
  const { simulatedPort } = await import('./simulated.ts')
  return { port: await simulatedPort(ctx), why: null }
}

/** Works for the books of a company that use the platform. Others cost one query. */
export function exchangeWork({
  env,
  log,
  open = portFor,
}: {
  env: AppEnvironment
  log: (line: string) => void
  open?: typeof portFor
}): BookWork {
  return {
    name: 'exchange',
    async work(company, { signal }) {
      const using = await company.reader
        .selectFrom('exchange_settings')
        .select('book_id')
        .where('book_id', 'in', idsOf(company))
        .execute()
      const books = company.books.filter(({ id }) => using.some((row) => row.book_id === id))
      if (books.length === 0) return null
      const { exchangeTurn } = await import('./sending/turn.ts')
      return drainLanes(
        books,
        (book) => exchangeTurn(createSystemCtx(env, book), (ctx) => open(ctx, signal), signal),
        { name: 'exchange', log },
      )
    },
  }
}

const POLL_MS = 30_000
const GATHER_MS = 500

/** Creates the jobs that work for every book. */
export function createExchangeJobs(options: {
  env: AppEnvironment
  log: (line: string) => void
}): Background {
  return createWorkerLoop({
    gatherMs: GATHER_MS,
    pollMs: POLL_MS,
    ...inAllCompanies(options.env, exchangeWork(options), options.log),
  })
}
