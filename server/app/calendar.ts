/** What the calendar says: drafts of recurring invoices, reminders, warnings about certificates and deadlines; and what is deleted in time. */
import { watchCertificates } from '../company/certificates/index.ts'
import { createSystemCtx } from '../context.ts'
import type { AppEnvironment, Book } from '../context.ts'
import { addDays, businessDateOf, startOfDay } from '../domain/dates.ts'
import { pruneUnlinkedFiles } from '../platform/attachments/index.ts'
import { pruneIdempotency } from '../platform/idempotency/index.ts'
import { pruneTrash } from '../platform/trash/index.ts'
import { pruneConfirmations } from '../sales/invoices/index.ts'
import { accrueOverdueCash } from '../tax/totals/index.ts'
import { pruneCalls } from './assistants/index.ts'
import { pruneWorks } from './work-retention.ts'

/** Wait after work that failed. */
const AGAIN_MS = 10 * 60_000

/**
 * Does what the day asks of several books. Reports failures to `say`. Returns when there is more to do, in milliseconds
 * since 1970: at the beginning of the next day, or sooner if something failed.
 */
export async function runCalendar(
  env: AppEnvironment,
  books: readonly Book[],
  say: (line: string) => void,
  signal?: AbortSignal,
): Promise<number> {
  const today = businessDateOf(env.now())
  for (const book of books) await watchCertificates(createSystemCtx(env, book))
  const [
    { prepareRecurring },
    { runReminderPlan },
    { announceDeadlines },
    { pruneRejected },
    { remindOfReports },
  ] = await Promise.all([
    import('../sales/recurring/index.ts'),
    import('../documents/mail/index.ts'),
    import('../accounting/returns/index.ts'),
    import('../purchases/incoming/index.ts'),
    import('../integrations/exchange/index.ts'),
  ])
  let isDone = true
  for (const book of books) {
    if (signal?.aborted) return env.now().getTime()
    const ctx = createSystemCtx(env, book)
    // An archived company gets no new documents; what it must keep and delete goes on.
    const { failed, open } = book.archived ? { failed: [], open: 0 } : await prepareRecurring(ctx)
    for (const line of failed) say(`recurring: ${line}`)
    const unsent = book.archived ? [] : await runReminderPlan(ctx)
    for (const line of unsent) say(`reminders: ${line}`)
    await accrueOverdueCash(ctx)
    await announceDeadlines(ctx)
    await remindOfReports(ctx)
    await pruneRejected(ctx)
    await pruneUnlinkedFiles(ctx)
    if (open + unsent.length > 0) isDone = false
  }
  return isDone ? startOfDay(addDays(today, 1)).getTime() : env.now().getTime() + AGAIN_MS
}

/** Deletes what has expired, in all books. */
export async function pruneExpired(env: AppEnvironment): Promise<void> {
  await pruneIdempotency(env)
  const { pruneWebhooks } = await import('../platform/webhooks/index.ts')
  await pruneWebhooks(env)
  await pruneCalls(env)
  await env.store.transaction(null, (db) => pruneTrash(db, env.now()))
  await env.store.transaction(null, (db) => pruneConfirmations(db, env.now()))
  await pruneWorks(env)
  const { pruneFilingConfirmations } = await import('../accounting/returns/index.ts')
  await env.store.transaction(null, (db) => pruneFilingConfirmations(db, env.now()))
  const { pruneExchangeConfirmations } = await import('../integrations/exchange/index.ts')
  await env.store.transaction(null, (db) => pruneExchangeConfirmations(db, env.now()))
}
