/**
 * What filing does in the background: it asks what became of sendings whose answers were lost, and fetches receipts. It
 * never sends a return.
 */
import { createSystemCtx } from '../../../context.ts'
import type { AppEnvironment, Book, Ctx } from '../../../context.ts'
import type { Background } from '../../../domain/concurrency/background-loop.ts'
import { createWorkerLoop, drainLanes, idsOf, inAllCompanies } from '../../../platform/jobs/index.ts'
import type { BookWork } from '../../../platform/jobs/index.ts'
import { fetchDocument, resolveSending } from './resolve.ts'
import { sendingsIn, waitingSendings } from './rows.ts'
import type { SendingRow } from './rows.ts'
import { settleOtherwise } from './settle.ts'
import { filingServiceOf } from './way.ts'

/** Longer than any exchange with the agency may take: what is still under way then has been interrupted. */
const INTERRUPTED_AFTER_MS = 15 * 60_000

/** Writes what is known of sendings that a process left behind: those that were not yet sent are certainly not filed. */
export async function recoverSendings(ctx: Ctx, rows: readonly SendingRow[]): Promise<void> {
  for (const row of rows)
    await (row.state === 'preparing'
      ? settleOtherwise(ctx, row, { state: 'not_sent', why: 'interrupted' })
      : settleOtherwise(ctx, row, {
          state: 'unknown',
          why: 'interrupted',
          nextQueryAt: ctx.now().getTime(),
        }))
}

/** Asks for whatever is due in a book. Returns when more is due, in milliseconds since 1970; null when nothing waits. */
export async function askForBook(
  env: AppEnvironment,
  book: Book,
  { signal, serviceOf = filingServiceOf }: { signal?: AbortSignal; serviceOf?: typeof filingServiceOf } = {},
): Promise<number | null> {
  const ctx = createSystemCtx(env, book)
  const waiting = await waitingSendings(ctx.db, book.id)
  if (waiting.length === 0) return null
  const service = await serviceOf(ctx, signal)
  if (service === null) return null
  for (const row of waiting) {
    const due = row.next_query_at ?? 0
    if (due > ctx.now().getTime() || signal?.aborted) return due
    await (row.state === 'accepted' ? fetchDocument(ctx, row, service) : resolveSending(ctx, row, service))
  }
  return (await waitingSendings(ctx.db, book.id))[0]?.next_query_at ?? null
}

/** Asks for the books of a company. */
export function filingWork({ env, log }: { env: AppEnvironment; log: (line: string) => void }): BookWork {
  return {
    name: 'filing',
    async reclaim(company, all) {
      const now = env.now().getTime()
      const rows = await sendingsIn(company.reader, idsOf(company), ['preparing', 'sent'])
      for (const book of company.books)
        await recoverSendings(
          createSystemCtx(env, book),
          rows.filter(
            (row) => row.book_id === book.id && (all || row.created_at < now - INTERRUPTED_AFTER_MS),
          ),
        )
    },
    work: ({ books }, { signal }) =>
      drainLanes(books, (book) => askForBook(env, book, { signal }), { name: 'filing', log }),
  }
}

const POLL_MS = 30_000

/** Creates the jobs that ask for every book. */
export function createFilingJobs(options: { env: AppEnvironment; log: (line: string) => void }): Background {
  return createWorkerLoop({
    gatherMs: 100,
    pollMs: POLL_MS,
    ...inAllCompanies(options.env, filingWork(options), options.log),
  })
}
