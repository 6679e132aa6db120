/** What the portal does in the background. It loads nothing of the portal while nothing is due. */
import { createSystemCtx } from '../../context.ts'
import type { AppEnvironment, Book, Ctx } from '../../context.ts'
import type { Background } from '../../domain/concurrency/background-loop.ts'
import { createWorkerLoop, drainLanes, idsOf, inAllCompanies } from '../../platform/jobs/index.ts'
import type { BookWork } from '../../platform/jobs/index.ts'
import { changeCancellation, changeSubmission, claimed, nextDue } from './rows.ts'
import type { CancellationRow, SubmissionRow } from './rows.ts'
import { recordSubmission, notifyChange } from './settle.ts'

/** Wait before a book that cannot reach the portal now is looked at again. */
const CLOSED_WAIT_MS = 30 * 60_000

/** Works through what is due in a book. Returns when more is due, in milliseconds since 1970; null when nothing waits. */
export async function workForBook(
  env: AppEnvironment,
  book: Book,
  signal: AbortSignal,
): Promise<number | null> {
  const ctx = createSystemCtx(env, book)
  const due = await nextDue(ctx.db, book)
  const now = ctx.now().getTime()
  if (due === null || due > now) return due
  const [{ openPortal }, { workThrough }] = await Promise.all([import('./way.ts'), import('./work.ts')])
  const portal = await openPortal(ctx, signal)
  if (portal.service === null) return now + CLOSED_WAIT_MS
  await workThrough(ctx, portal.service, signal)
  return nextDue(ctx.db, book)
}

/**
 * Gives back what a process had claimed that has ended: what had not left is tried again, and what may have left is of
 * unknown outcome.
 */
async function recoverClaimed(
  ctx: Ctx,
  found: { submissions: readonly SubmissionRow[]; cancellations: readonly CancellationRow[] },
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const now = tx.now().getTime()
    for (const row of found.submissions) {
      if (row.state === 'waiting')
        await changeSubmission(tx, row.id, ['waiting'], { lease_until: null, next_attempt_at: now })
      else if (
        await changeSubmission(tx, row.id, ['sent'], {
          state: 'unknown',
          lease_until: null,
          why: 'interrupted',
          detail: null,
        })
      )
        await recordSubmission(tx, row, 'portal.unknown', 'interrupted')
      await notifyChange(tx, row)
    }
    for (const row of found.cancellations)
      await changeCancellation(tx, row.id, ['waiting', 'sent', 'unknown'], {
        state: row.state === 'waiting' ? 'waiting' : 'unknown',
        lease_until: null,
        next_attempt_at: now,
        ...(row.state === 'sent' ? { why: 'interrupted', detail: null } : {}),
      })
    tx.wake('portal')
  })
}

/** The work on the books of a company. */
export function portalWork({ env, log }: { env: AppEnvironment; log: (line: string) => void }): BookWork {
  return {
    name: 'portal',
    async reclaim(company, all) {
      const before = all ? Number.MAX_SAFE_INTEGER : env.now().getTime()
      const found = await claimed(company.reader, idsOf(company), before)
      for (const book of company.books) {
        const submissions = found.submissions.filter((row) => row.book_id === book.id)
        const cancellations = found.cancellations.filter((row) => row.book_id === book.id)
        if (submissions.length + cancellations.length > 0)
          await recoverClaimed(createSystemCtx(env, book), { submissions, cancellations })
      }
    },
    work: ({ books }, { signal }) =>
      drainLanes(books, (book) => workForBook(env, book, signal), { name: 'portal', log }),
  }
}

const POLL_MS = 60_000

/** Creates the jobs for every book. */
export function createPortalJobs(options: { env: AppEnvironment; log: (line: string) => void }): Background {
  return createWorkerLoop({
    gatherMs: 100,
    pollMs: POLL_MS,
    ...inAllCompanies(options.env, portalWork(options), options.log),
  })
}
