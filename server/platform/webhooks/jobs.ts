/**
 * The sender: runs the fan-out and delivers due messages to each endpoint, at most two at a time and the oldest
 * first. A slow endpoint delays only itself.
 */
import { listBooks } from '../books/index.ts'
import { createLoop } from '../../domain/concurrency/background-loop.ts'
import type { Background } from '../../domain/concurrency/background-loop.ts'
import { failpoint } from '../../db/failpoints.ts'
import { createCtx } from '../../context.ts'
import type { AppEnvironment, Ctx } from '../../context.ts'
import { emptyLog } from '../../db/purge-secret.ts'
import { handOut } from './fan-out.ts'
import { nextDueAt, returnLeases, webhookById } from './rows.ts'
import { RETENTION_MS } from './schedule.ts'
import { sendOnce } from './send.ts'
import type { SendOptions } from './send.ts'
import { settle, takeNext } from './settle.ts'

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

export interface WebhookSender {
  /**
   * Runs the fan-out, starts due deliveries, and returns the milliseconds until the next one is due; undefined if
   * none is waiting.
   */
  look(): Promise<number | undefined>
  /** Resolves when no delivery is in flight. */
  quiet(): Promise<void>
  /** Aborts deliveries in flight, which become due again. */
  stop(): Promise<void>
}

async function ctxFor(env: AppEnvironment, bookId: number): Promise<Ctx | null> {
  const book = (await listBooks(env.store.reader)).find(({ id }) => id === bookId)
  if (!book) return null
  const actor = { kind: 'system', id: 'system', name: 'Sello' } as const
  return createCtx({ env, book, actor, channel: 'system', requestId: env.newId('req') })
}

/** Creates the sender without its timer. `onIdle` is called whenever an endpoint has no further due delivery. */
export function createWebhookSender(
  options: WebhookJobOptions,
  onIdle: () => void = () => {},
): WebhookSender {
  const { env, log, random } = options
  const ending = new AbortController()
  const working = new Map<number, number>()
  const all = new Set<Promise<void>>()
  let started = false

  async function work(webhookId: number, ctx: Ctx): Promise<void> {
    let row = await ctx.transaction((tx) => takeNext(tx, webhookId))
    while (row) {
      failpoint('webhooks.message_leased')
      const webhook = await webhookById(env.store.reader, webhookId)
      if (!webhook) return
      const outcome = await sendOnce(env, webhook, row, { ...options, signal: ending.signal })
      failpoint('webhooks.message_answered')
      row = await settle(ctx, row.id, outcome, {
        goOn: !ending.signal.aborted,
        ...(random ? { random } : {}),
      })
    }
  }

  function start(webhookId: number, ctx: Ctx): void {
    working.set(webhookId, (working.get(webhookId) ?? 0) + 1)
    const worker = work(webhookId, ctx)
      .then(() => true)
      .catch((error: unknown) => {
        // Its deliveries become due again when their lease expires.
        log(`webhooks: ${error instanceof Error ? error.message : String(error)}`)
        return false
      })
      .then((ok) => {
        working.set(webhookId, (working.get(webhookId) ?? 1) - 1)
        all.delete(worker)
        if (ok && !ending.signal.aborted) onIdle()
      })
    all.add(worker)
  }

  async function look(): Promise<number | undefined> {
    const now = env.now().getTime()
    const { reader } = env.store
    await handOut(env)
    if (await hasLeases(env, now, started))
      await env.store.transaction((db) => returnLeases(db, now, started))
    started = true
    const active = await reader
      .selectFrom('webhooks')
      .select(['id', 'book_id', 'hold_until'])
      .where('state', '=', 'active')
      .execute()
    let next = Number.POSITIVE_INFINITY
    for (const { id, book_id, hold_until } of active) {
      const due = await nextDueAt(reader, id)
      if (due === null) continue
      const at = Math.max(due, hold_until ?? 0)
      if (at > now) next = Math.min(next, at - now)
      else if (!ending.signal.aborted) {
        const ctx = await ctxFor(env, book_id)
        while (ctx && (working.get(id) ?? 0) < AT_ONCE_EACH && all.size < AT_ONCE) start(id, ctx)
      }
    }
    return Number.isFinite(next) ? next : undefined
  }

  return {
    look,
    async quiet() {
      while (all.size > 0) await Promise.all(all)
    },
    async stop() {
      ending.abort()
      while (all.size > 0) await Promise.all(all)
    },
  }
}

async function hasLeases(env: AppEnvironment, now: number, onlyExpired: boolean): Promise<boolean> {
  let query = env.store.reader
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', 'in', (eb) => eb.selectFrom('webhooks').select('id'))
    .where('state', '=', 'leased')
  if (onlyExpired) query = query.where('leased_until', '<=', now)
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

/** Creates the sender as a background job whose first run starts at the first wake-up. */
export function createWebhookJobs(options: WebhookJobOptions): Background {
  const sender = createWebhookSender(options, () => loop.wake())
  const loop = createLoop({
    name: 'webhooks',
    gatherMs: GATHER_MS,
    pollMs: POLL_MS,
    log: options.log,
    run: () => sender.look(),
  })
  return {
    wake: () => loop.wake(),
    async stop() {
      // The loop is stopped first, so that no delivery starts; those in flight are aborted at the same time.
      await Promise.all([loop.stop(), sender.stop()])
      await sender.stop()
    },
  }
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
  const done = await env.store.transaction(async (db) => {
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
  if (done.secrets > 0) await emptyLog(env.store)
  return done
}
