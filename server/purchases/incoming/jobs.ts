/** Reads the documents that have come in, one after the other, in the background. */
import { createSystemCtx } from '../../context.ts'
import type { AppEnvironment, Book, Ctx } from '../../context.ts'
import type { Background } from '../../domain/concurrency/background-loop.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { emitEvent } from '../../platform/events/index.ts'
import {
  createWorkerLoop,
  drainLanes,
  drainQueue,
  exponentialBackoff,
  idsOf,
  inAllCompanies,
  messageOf,
} from '../../platform/jobs/index.ts'
import type { BookWork, JobQueue } from '../../platform/jobs/index.ts'
import type { ProposedEntry } from './propose.ts'
import { readDocument, settleRead, settleUnread, whyUnread } from './read.ts'
import { claimIncoming, incomingByRow, nextIncomingAt, releaseIncoming, RUN_AT_MOST } from './rows.ts'
import type { IncomingRow } from './rows.ts'

interface ReadingOptions {
  env: AppEnvironment
  log: (line: string) => void
}

/** Longer than the limits of the processes that read one document. */
const LEASE_MS = 10 * 60_000

/** Waits after a failure that may pass, such as a computer that is busy. */
const backoff = exponentialBackoff({ firstMs: 5_000, longestMs: 120_000 })

type Outcome = { read: ProposedEntry } | { error: unknown; isCut: boolean }

/** Records how far a document has been read. Returns false if nobody waits for it any more, such as after a rejection. */
async function recordProgress(
  ctx: Ctx,
  row: IncomingRow,
  pagesRead: number,
  pages: number,
): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const now = await incomingByRow(tx, row.id)
    if (now?.state !== 'reading' || now.version !== row.version) return false
    await tx.db
      .updateTable('incoming_documents')
      .set({ pages_read: pagesRead, pages, lease_until: tx.now().getTime() + LEASE_MS })
      .where('id', '=', row.id)
      .execute()
    await emitEvent(tx, 'incoming.progress', { documentId: row.public_id, pagesRead, pages })
    return true
  })
}

function queueOf({ env, log }: ReadingOptions, book: Book): JobQueue<IncomingRow, Outcome> {
  const ctx = createSystemCtx(env, book)
  const claim = async (tx: Ctx): Promise<IncomingRow | null> => {
    const row = await claimIncoming(tx, { now: tx.now().getTime(), leaseMs: LEASE_MS })
    if (row) await emitEvent(tx, 'incoming.changed', { documentId: row.public_id, state: row.state })
    return row
  }
  return {
    claim: () => ctx.transaction(claim),
    async attempt(row, signal) {
      const unwanted = new AbortController()
      const ended = AbortSignal.any([signal, unwanted.signal])
      let told: Promise<void> = Promise.resolve()
      const record = async (pagesRead: number, pages: number): Promise<void> => {
        try {
          if (!(await recordProgress(ctx, row, pagesRead, pages))) unwanted.abort()
        } catch (error) {
          log(`incoming: ${row.public_id}: ${messageOf(error)}`)
        }
      }
      try {
        const read = await readDocument(ctx, row, {
          signal: ended,
          onPage: (pagesRead, pages) => {
            told = told.then(() => record(pagesRead, pages))
          },
        })
        return { read }
      } catch (error) {
        return { error, isCut: ended.aborted }
      } finally {
        await told
      }
    },
    async settle(row, outcome) {
      await ctx.transaction(async (tx) => {
        if ('read' in outcome) return settleRead(tx, row, outcome.read)
        const why = whyUnread(outcome.error)
        if (why !== null) return settleUnread(tx, row, { why })
        const now = tx.now().getTime()
        if (outcome.isCut) return settleUnread(tx, row, { dueAt: now, counts: false })
        if (outcome.error instanceof AppError && outcome.error.code === 'too_busy')
          return settleUnread(tx, row, { dueAt: now + backoff(1), counts: false })
        log(`incoming: ${row.public_id}: ${messageOf(outcome.error)}`)
        if (row.attempts >= RUN_AT_MOST) return settleUnread(tx, row, { why: 'broken' })
        return settleUnread(tx, row, { dueAt: now + backoff(row.attempts), counts: true })
      })
    },
  }
}

/** Reads the waiting documents of a company. */
export function incomingWork(options: ReadingOptions): BookWork {
  const { env, log } = options
  return {
    name: 'incoming',
    async reclaim({ books }, all) {
      for (const book of books)
        await createSystemCtx(env, book).transaction(async (tx) => {
          await releaseIncoming(tx, { now: tx.now().getTime(), all })
        })
    },
    async work(company, { signal }) {
      await drainLanes(
        company.books,
        async (book) => {
          await drainQueue(queueOf(options, book), { signal })
          return null
        },
        { name: 'incoming', log },
      )
      return nextIncomingAt(company.reader, idsOf(company))
    },
  }
}

const GATHER_MS = 50
const POLL_MS = 60_000
const SHORTEST_MS = 1_000

/** Creates the jobs that read for every book. */
export function createIncomingJobs(options: ReadingOptions): Background {
  return createWorkerLoop({
    gatherMs: GATHER_MS,
    pollMs: POLL_MS,
    shortestWaitMs: SHORTEST_MS,
    ...inAllCompanies(options.env, incomingWork(options), options.log),
  })
}
