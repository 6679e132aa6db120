/**
 * Queue to the mail server: one mail at a time; the attempt is stored before anything leaves, the outcome afterwards.
 * A mail that the server accepted is never sent again; one that may have arrived waits for a person.
 */
import { loadBook } from '../../platform/books/index.ts'
import type { Background } from '../../domain/concurrency/background-loop.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { createSystemCtx, orNotFound } from '../../context.ts'
import type { AppEnvironment, Ctx } from '../../context.ts'
import {
  createWorkerLoop,
  drainQueue,
  idsOf,
  inAllCompanies,
  messageOf as errorMessageOf,
  scheduledBackoff,
} from '../../platform/jobs/index.ts'
import type { BookWork, CompanyBooks, JobQueue } from '../../platform/jobs/index.ts'
import { serverOf } from './account.ts'
import { messageBytes, messageOf } from './message.ts'
import { recordReminder, recordMailChange } from './queue.ts'
import { changeMail, findAccount, interruptedMails, mailByRow, nextDue, nextDueAt } from './rows.ts'
import type { MailRow } from './rows.ts'
import { deliverMessage } from './smtp.ts'
import type { Delivery, SmtpLimits } from './smtp.ts'

const GATHER_MS = 100
const POLL_MS = 60_000
/** The shortest wait before the queue is checked again. */
const SHORTEST_MS = 1_000
/** Waits after each attempt that failed for a temporary reason; after the last one a person is asked. */
const backoff = scheduledBackoff([60_000, 5 * 60_000, 30 * 60_000])

interface MailJobOptions {
  env: AppEnvironment
  log: (line: string) => void
  limits?: SmtpLimits
}

async function jobCtx(env: AppEnvironment, bookId: string): Promise<Ctx> {
  return createSystemCtx(env, orNotFound(await loadBook(env.store.reader, bookId), 'internal'))
}

/** Returns true if nothing in a reminder is owed any more: paid or cancelled while the mail waited. */
async function isSettled(tx: Ctx, mailId: number): Promise<boolean> {
  const owed = await tx.db
    .selectFrom('mail_documents')
    .innerJoin('invoices', 'invoices.id', 'mail_documents.invoice_id')
    .select('invoices.id')
    .where('mail_documents.mail_id', '=', mailId)
    .where('invoices.is_owed', '=', 1)
    .limit(1)
    .executeTakeFirst()
  return owed === undefined
}

/** Takes the mail out of the queue, unless another decision was made meanwhile. */
function begin(ctx: Ctx, id: number): Promise<MailRow | null> {
  return ctx.transaction(async (tx) => {
    const row = await mailByRow(tx.db, id)
    if (row.state !== 'queued') return null
    if (row.kind === 'reminder' && (await isSettled(tx, id))) {
      await changeMail(tx, id, {
        state: 'discarded',
        next_attempt_at: null,
        settled_at: tx.now().getTime(),
      })
      await recordMailChange(tx, row, 'mail.discarded')
      return null
    }
    await changeMail(tx, id, { state: 'sending', attempts: row.attempts + 1, next_attempt_at: null })
    return mailByRow(tx.db, id)
  })
}

/** Stores the outcome of an attempt. */
function end(ctx: Ctx, row: MailRow, delivery: Delivery): Promise<void> {
  return ctx.transaction(async (tx) => {
    const at = tx.now().getTime()
    const detail = delivery.detail || null
    if (delivery.outcome === 'sent') {
      await changeMail(tx, row.id, {
        state: 'sent',
        settled_at: at,
        reason: null,
        detail,
        refused: JSON.stringify(delivery.refused),
      })
      await recordReminder(tx, row)
      return recordMailChange(tx, row, 'mail.sent')
    }
    const { reason } = delivery
    if (delivery.outcome === 'unknown') {
      await changeMail(tx, row.id, { state: 'unknown', settled_at: at, reason, detail })
      return recordMailChange(tx, row, 'mail.unknown')
    }
    // An attempt that Sello itself aborted does not count.
    const counted = reason === 'interrupted' ? row.attempts - 1 : row.attempts
    const wait = reason === 'interrupted' ? 0 : backoff(row.attempts)
    if (delivery.passing && wait !== null) {
      await changeMail(tx, row.id, {
        state: 'queued',
        attempts: counted,
        next_attempt_at: at + wait,
        reason,
        detail,
      })
      return
    }
    await changeMail(tx, row.id, { state: 'failed', settled_at: at, reason, detail })
    return recordMailChange(tx, row, 'mail.failed')
  })
}

async function attempt(
  ctx: Ctx,
  row: MailRow,
  { limits }: MailJobOptions,
  signal: AbortSignal,
): Promise<Delivery> {
  let server
  try {
    server = serverOf(ctx, await findAccount(ctx))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { outcome: 'failed', reason: 'not_configured', passing: false, detail: '' }
  }
  const bytes = await messageBytes(await messageOf(ctx, row), false)
  const to = [...(JSON.parse(row.recipients) as string[]), ...(JSON.parse(row.copies) as string[])]
  if (row.blind_copy !== null && !to.includes(row.blind_copy)) to.push(row.blind_copy)
  return deliverMessage(server, { from: row.from_address ?? '', to }, bytes, {
    ...(limits ? { limits } : {}),
    signal,
  })
}

interface MailJob {
  ctx: Ctx
  row: MailRow
}

function mailQueue(options: MailJobOptions, company: CompanyBooks): JobQueue<MailJob, Delivery> {
  const { env, log } = options
  const bookIds = idsOf(company)
  return {
    async claim() {
      for (;;) {
        const due = await nextDue(company.reader, bookIds, env.now().getTime())
        if (!due) return null
        const ctx = await jobCtx(env, due.book)
        const row = await begin(ctx, due.id)
        if (row) return { ctx, row }
      }
    },
    attempt: ({ ctx, row }, signal) => attempt(ctx, row, options, signal),
    settle: ({ ctx, row }, delivery) => end(ctx, row, delivery),
    // A bug before delivery: nothing has left, because `deliver` never throws.
    outcomeOfError({ row }, error) {
      log(`mail: ${row.public_id}: ${errorMessageOf(error)}`)
      return { outcome: 'failed', reason: 'refused', passing: false, detail: 'internal' }
    },
  }
}

/**
 * Sends everything that is due in a company; returns how many were tried. A restart waits for the attempt under way.
 */
export function sendDueMails(
  options: MailJobOptions,
  company: CompanyBooks,
  signal?: AbortSignal,
): Promise<number> {
  return drainQueue(mailQueue(options, company), {
    ...(signal ? { signal } : {}),
    inFlight: options.env.store,
  })
}

/** Marks mails in flight when their process ended as unknown: they may have arrived, so a person is asked. */
export async function recoverInterruptedMails(env: AppEnvironment, company: CompanyBooks): Promise<void> {
  for (const { id, book } of await interruptedMails(company.reader, idsOf(company))) {
    const ctx = await jobCtx(env, book)
    await end(ctx, await mailByRow(ctx.db, id), { outcome: 'unknown', reason: 'interrupted', detail: '' })
  }
}

/** Sends the mails of a company, one at a time. */
export function mailWork(options: MailJobOptions): BookWork {
  const { env } = options
  return {
    name: 'mail',
    reclaim: async (company, all) => (all ? recoverInterruptedMails(env, company) : undefined),
    async work(company, { signal }) {
      await sendDueMails(options, company, signal)
      return nextDueAt(company.reader, idsOf(company))
    },
  }
}

export function createMailJobs(options: MailJobOptions): Background {
  const { env, log } = options
  return createWorkerLoop({
    gatherMs: GATHER_MS,
    pollMs: POLL_MS,
    shortestWaitMs: SHORTEST_MS,
    ...inAllCompanies(env, mailWork(options), log),
  })
}
