/** Records the result of an attempt: the attempt, the delivery's next step, and the state of its endpoint. */
import { recordAudit } from '../audit/index.ts'
import type { Ctx } from '../../context.ts'
import { emitEvent } from '../events/index.ts'
import { prepare } from '../../db/query.ts'
import { TEST_TYPE } from './event-types.ts'
import { changeDelivery, changeWebhook, deliveryById, leaseNext, webhookById } from './rows.ts'
import type { DeliveryRow, WebhookRow } from './rows.ts'
import { isGivenUp, MAX_RETRY_AFTER_MS, retryDelayMs } from './schedule.ts'
import type { Outcome } from './send.ts'

/** Longer than any attempt: the lease of a message expires after it. */
export const LEASE_MS = 60_000

const insertAttempt = prepare(
  (
    db,
    p: {
      deliveryId: number
      number: number
      at: number
      ms: number
      status: number | null
      fault: string | null
      answer: string | null
    },
  ) =>
    db.insertInto('webhook_attempts').values({
      delivery_id: p.deliveryId,
      number: p.number,
      at: p.at,
      ms: p.ms,
      status: p.status,
      fault: p.fault,
      answer: p.answer,
    }),
)

/** Leases the next due message of an endpoint, if it may be sent now. Within a transaction. */
export async function leaseNextDelivery(tx: Ctx, webhookId: number): Promise<DeliveryRow | null> {
  const now = tx.now().getTime()
  const webhook = await webhookById(tx.db, webhookId)
  if (!webhook || webhook.state !== 'active' || (webhook.hold_until ?? 0) > now) return null
  return leaseNext(tx.db, webhookId, { now, until: now + LEASE_MS })
}

/** Disables an endpoint. Its messages wait; the history and an event record it. */
async function switchOff(tx: Ctx, webhook: WebhookRow, reason: 'gone' | 'failing'): Promise<void> {
  await changeWebhook(tx.db, webhook.id, {
    state: 'disabled',
    disabled_reason: reason,
    version: webhook.version + 1,
    updated_at: tx.now().getTime(),
  })
  await recordAudit(tx, {
    action: 'webhook.switched_off',
    target: { type: 'webhook', id: webhook.public_id, label: hostOf(webhook) },
    outcome: 'failed',
    code: reason,
  })
  await emitEvent(tx, 'webhook.disabled', { webhookId: webhook.public_id, reason })
}

/** Returns the host by which people recognize an endpoint. */
export function hostOf({ url }: Pick<WebhookRow, 'url'>): string {
  return new URL(url).host
}

async function noteSuccess(tx: Ctx, webhook: WebhookRow): Promise<void> {
  await changeWebhook(tx.db, webhook.id, {
    failing_since: null,
    failures: 0,
    hold_until: null,
    last_success_at: tx.now().getTime(),
  })
}

async function noteFailure(tx: Ctx, webhook: WebhookRow, outcome: Outcome): Promise<void> {
  const now = tx.now().getTime()
  const failingSince = webhook.failing_since ?? outcome.at.getTime()
  const failures = webhook.failures + 1
  await changeWebhook(tx.db, webhook.id, {
    failing_since: failingSince,
    failures,
    ...(outcome.retryAfter === null
      ? {}
      : { hold_until: now + Math.min(outcome.retryAfter * 1000, MAX_RETRY_AFTER_MS) }),
  })
  if (webhook.state !== 'active') return
  if (outcome.gone) await switchOff(tx, webhook, 'gone')
  else if (isGivenUp(failingSince, failures, now)) await switchOff(tx, webhook, 'failing')
}

/**
 * Returns the delivery's next step after a failure. A test is sent once; a 410 answer does not use up an attempt,
 * because it disables the endpoint.
 */
function afterFailure(row: DeliveryRow, outcome: Outcome, now: number, random: () => number) {
  const isTest = row.type === TEST_TYPE
  const tries = row.tries + (outcome.gone && !isTest ? 0 : 1)
  const delayMs = isTest ? null : outcome.gone ? 0 : retryDelayMs(tries, outcome.retryAfter, random)
  const common = { tries, reason: outcome.fault, leased_until: null }
  return delayMs === null
    ? { ...common, state: 'dead' as const, next_at: null, settled_at: now }
    : { ...common, state: 'due' as const, next_at: now + delayMs, settled_at: null }
}

/**
 * Records the outcome of an attempt, and leases the next message in the same transaction if `goOn` is set; null if
 * there is none. If the webhook was deleted in the meantime, its deliveries are gone as well.
 */
export function settle(
  ctx: Ctx,
  deliveryId: number,
  outcome: Outcome,
  { claimNext, random = Math.random }: { claimNext: boolean; random?: () => number },
): Promise<DeliveryRow | null> {
  return ctx.transaction(async (tx) => {
    const row = await deliveryById(tx.db, deliveryId)
    const webhook = row ? await webhookById(tx.db, row.webhook_id) : null
    if (!row || !webhook) return null
    const now = tx.now().getTime()
    if (outcome.interrupted) {
      await changeDelivery(tx.db, row.id, {
        state: 'due',
        next_at: now,
        leased_until: null,
        settled_at: null,
      })
      return null
    }
    const { ms, status, fault, answer } = outcome
    const number = row.attempts + 1
    await insertAttempt.run(tx.db, {
      deliveryId,
      number,
      at: outcome.at.getTime(),
      ms,
      status,
      fault,
      answer,
    })
    await changeDelivery(tx.db, row.id, {
      attempts: number,
      ...(fault === null
        ? {
            state: 'done' as const,
            tries: row.tries + 1,
            next_at: null,
            leased_until: null,
            settled_at: now,
            reason: null,
          }
        : afterFailure(row, outcome, now, random)),
    })
    // A result of the previous address does not apply to a new one.
    if (outcome.url === webhook.url) {
      if (fault === null) await noteSuccess(tx, webhook)
      else if (row.type !== TEST_TYPE) await noteFailure(tx, webhook, outcome)
    }
    return claimNext ? leaseNextDelivery(tx, webhook.id) : null
  })
}
