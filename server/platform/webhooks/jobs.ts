/**
 * The sender: runs the fan-out and delivers due messages to each endpoint, at most two at a time and the oldest
 * first. A slow endpoint delays only itself.
 */
import type { Background } from '../../domain/concurrency/background-loop.ts'
import { failpoint } from '../../db/failpoints.ts'
import { createSystemCtx } from '../../context.ts'
import type { AppEnvironment, Ctx } from '../../context.ts'
import { numberList } from '../../db/engine-sql.ts'
import type { Db } from '../../db/query.ts'
import {
  createWorker,
  createWorkerLoop,
  drainQueue,
  earliestDue,
  idsOf,
  inAllCompanies,
} from '../jobs/index.ts'
import type { BookWork, CompanyBooks, DueTime, JobQueue, Pass, Worker, WorkerOptions } from '../jobs/index.ts'
import { fanOut } from './fan-out.ts'
import { nextDueAt, returnLeases, webhookById } from './rows.ts'
import type { DeliveryRow } from './rows.ts'
import { RETENTION_MS } from './schedule.ts'
import { sendOnce } from './send.ts'
import type { Outcome, SendOptions } from './send.ts'
import { settle, leaseNextDelivery } from './settle.ts'

const AT_ONCE_EACH = 2
/** Limit for all endpoints together: each attempt may hang until its timeout. */
const AT_ONCE = 64
const GATHER_MS = 20
/** After a sleep of the computer timers continue where they were: polling by the clock finds due messages. */
const POLL_MS = 30_000

export interface WebhookJobOptions extends Omit<SendOptions, 'signal'> {
  env: AppEnvironment
  log: (line: string) => void
  random?: () => number
}

/** The messages of one endpoint. */
function endpointQueue(
  webhookId: number,
  ctx: Ctx,
  { env, random, ...sending }: WebhookJobOptions,
): JobQueue<DeliveryRow, Outcome | null> {
  return {
    claim: () => ctx.transaction((tx) => leaseNextDelivery(tx, webhookId)),
    async attempt(row, signal) {
      failpoint('webhooks.message_leased')
      const webhook = await webhookById(ctx.db, webhookId)
      if (!webhook) return null
      const outcome = await sendOnce(env, webhook, row, { ...sending, signal })
      failpoint('webhooks.message_answered')
      return outcome
    },
    async settle(row, outcome, claimNext) {
      // A webhook that was deleted meanwhile took everything with it.
      if (outcome === null) return null
      return settle(ctx, row.id, outcome, { claimNext, ...(random ? { random } : {}) })
    },
  }
}

/** Hands out the events of a company, starts what is due, and returns when more is due. */
async function startDue(
  options: WebhookJobOptions,
  company: CompanyBooks,
  { signal, lanes }: Pass,
): Promise<DueTime> {
  const { env } = options
  const { books, reader } = company
  const now = env.now().getTime()
  await fanOut(env, company)
  const active = await reader
    .selectFrom('webhooks')
    .select(['id', 'book_id', 'hold_until'])
    .where('book_id', 'in', numberList(idsOf(company)))
    .where('state', '=', 'active')
    .execute()
  const later: number[] = []
  for (const { id, book_id, hold_until } of active) {
    const due = await nextDueAt(reader, id)
    if (due === null) continue
    const at = Math.max(due, hold_until ?? 0)
    if (at > now) later.push(at)
    else if (!signal.aborted) {
      const book = books.find((one) => one.id === book_id)
      if (!book) continue
      const ctx = createSystemCtx(env, book)
      lanes.fill(id, () => drainQueue(endpointQueue(id, ctx, options), { signal }))
    }
  }
  return earliestDue(later)
}

/** Gives back the leased messages of a company: all of them if nobody else sends, else those whose lease has expired. */
async function reclaimLeases(
  env: AppEnvironment,
  { companyId, books, reader }: CompanyBooks,
  all: boolean,
): Promise<void> {
  const now = env.now().getTime()
  for (const { id } of books)
    if (await hasLeases(reader, id, now, !all))
      await env.store.transaction(companyId, (db) => returnLeases(db, id, now, !all))
}

/** Hands out and sends the messages of a company. */
export function webhookWork(options: WebhookJobOptions): BookWork {
  return {
    name: 'webhooks',
    reclaim: (company, all) => reclaimLeases(options.env, company, all),
    work: (company, pass) => startDue(options, company, pass),
  }
}

/** Limits of the messages that are sent at the same time: of one endpoint, and of all of them. */
export const WEBHOOK_LIMITS = { perLane: AT_ONCE_EACH, total: AT_ONCE }

function workerOptions(options: WebhookJobOptions): WorkerOptions {
  const { env, log } = options
  return {
    limits: WEBHOOK_LIMITS,
    ...inAllCompanies(env, webhookWork(options), log),
  }
}

/** The sender without its clock. */
export function createWebhookSender(options: WebhookJobOptions): Worker {
  return createWorker(workerOptions(options))
}

async function hasLeases(db: Db, bookId: number, now: number, onlyExpired: boolean): Promise<boolean> {
  let query = db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', 'in', (eb) => eb.selectFrom('webhooks').select('id').where('book_id', '=', bookId))
    .where('state', '=', 'leased')
  if (onlyExpired) query = query.where('leased_until', '<=', now)
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

/** Creates the sender as a background job whose first run starts at the first wake-up. */
export function createWebhookJobs(options: WebhookJobOptions): Background {
  return createWorkerLoop({ ...workerOptions(options), gatherMs: GATHER_MS, pollMs: POLL_MS })
}

/** Deletes deliveries 30 days after their success, and expired secrets. Dead letters remain. */
export async function pruneWebhooks(env: AppEnvironment): Promise<{ forgotten: number; secrets: number }> {
  const now = env.now().getTime()
  const before = now - RETENTION_MS
  const { reader } = env.store
  const old = await reader
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('state', '=', 'done')
    .where('settled_at', '<', before)
    .limit(1)
    .executeTakeFirst()
  const expired = await reader
    .selectFrom('webhooks')
    .select('id')
    .where('previous_until', '<=', now)
    .limit(1)
    .executeTakeFirst()
  if (!old && !expired) return { forgotten: 0, secrets: 0 }
  const done = await env.store.transaction(null, async (db) => {
    const forgotten = await db
      .deleteFrom('webhook_deliveries')
      .where('state', '=', 'done')
      .where('settled_at', '<', before)
      .executeTakeFirst()
    const secrets = await db
      .updateTable('webhooks')
      .set({ sealed_previous: null, previous_until: null })
      .where('previous_until', '<=', now)
      .executeTakeFirst()
    return { forgotten: Number(forgotten.numDeletedRows), secrets: Number(secrets.numUpdatedRows) }
  })
  if (done.secrets > 0) await env.store.purgeRemains()
  return done
}
