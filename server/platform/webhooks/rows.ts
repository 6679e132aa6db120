/** SQL of webhooks: endpoints, deliveries and attempts, and their form for callers. */
import { smallest } from '../../db/engine-sql.ts'
import { sql } from 'kysely'
import type { Selectable, Updateable } from 'kysely'
import { orNotFound } from '../../context.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/query.ts'
import { prepare } from '../../db/query.ts'
import type { WebhookAttemptsTable, WebhookDeliveriesTable, WebhooksTable } from '../../db/schema.ts'
import type { Webhook, WebhookAttempt, WebhookDelivery, WebhookDeliveryDetail } from './contract.ts'

export type WebhookRow = Selectable<WebhooksTable>
export type DeliveryRow = Selectable<WebhookDeliveriesTable>
type AttemptRow = Selectable<WebhookAttemptsTable>

const HISTORY_AT_MOST = 50

const iso = (at: number): string => new Date(at).toISOString()
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

/** Returns the location of a sealed secret, which cannot be opened elsewhere. */
export function secretSealContext(row: Pick<WebhookRow, 'public_id' | 'book_id'>): string {
  return `webhooks|secret|${row.public_id}|${row.book_id}`
}

export function eventsOf(row: Pick<WebhookRow, 'events'>): readonly string[] {
  return JSON.parse(row.events) as string[]
}

export function webhooksOf(ctx: Ctx): Promise<WebhookRow[]> {
  return ctx.db.selectFrom('webhooks').selectAll().where('book_id', '=', ctx.book.id).orderBy('id').execute()
}

const silenced = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('webhooks')
    .select(sql<number>`count(*)`.as('count'))
    .where('book_id', '=', p.bookId)
    .where('disabled_reason', 'in', ['gone', 'failing']),
)

/** Counts the webhooks that Sello disabled because their receiver is gone or kept failing. */
export async function countDisabled(ctx: Ctx): Promise<number> {
  return (await silenced.first(ctx.db, { bookId: ctx.book.id }))?.count ?? 0
}

/** Returns a webhook of the book. Throws `not_found`. */
export async function findWebhook(ctx: Ctx, publicId: string): Promise<WebhookRow> {
  return orNotFound(
    await ctx.db
      .selectFrom('webhooks')
      .selectAll()
      .where('book_id', '=', ctx.book.id)
      .where('public_id', '=', publicId)
      .executeTakeFirst(),
  )
}

const byId = prepare((db, p: { id: number }) => db.selectFrom('webhooks').selectAll().where('id', '=', p.id))

/** Returns a webhook of any book by its row; null once it is deleted. */
export async function webhookById(db: Db, id: number): Promise<WebhookRow | null> {
  return (await byId.first(db, { id })) ?? null
}

export async function changeWebhook(db: Db, id: number, changes: Updateable<WebhooksTable>): Promise<void> {
  await db.updateTable('webhooks').set(changes).where('id', '=', id).execute()
}

/** Returns a delivery of the book with its webhook. Throws `not_found`. */
export async function findDelivery(
  ctx: Ctx,
  publicId: string,
): Promise<{ delivery: DeliveryRow; webhook: WebhookRow }> {
  const delivery = orNotFound(
    await ctx.db
      .selectFrom('webhook_deliveries')
      .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
      .selectAll('webhook_deliveries')
      .where('webhooks.book_id', '=', ctx.book.id)
      .where('webhook_deliveries.public_id', '=', publicId)
      .executeTakeFirst(),
  )
  return { delivery, webhook: orNotFound(await webhookById(ctx.db, delivery.webhook_id)) }
}

const deliveryByRow = prepare((db, p: { id: number }) =>
  db.selectFrom('webhook_deliveries').selectAll().where('id', '=', p.id),
)

export async function deliveryById(db: Db, id: number): Promise<DeliveryRow | null> {
  return (await deliveryByRow.first(db, { id })) ?? null
}

export async function changeDelivery(
  db: Db,
  id: number,
  changes: Updateable<WebhookDeliveriesTable>,
): Promise<void> {
  await db.updateTable('webhook_deliveries').set(changes).where('id', '=', id).execute()
}

/** Returns the values that restart the schedule of a delivery; the count of its attempts continues. */
export function resetSchedule(now: number): Updateable<WebhookDeliveriesTable> {
  return { state: 'due', next_at: now, leased_until: null, settled_at: null, tries: 0 }
}

/** Returns a webhook as callers see it. */
export async function webhookView(ctx: Ctx, row: WebhookRow): Promise<Webhook> {
  const counts = await ctx.db
    .selectFrom('webhook_deliveries')
    .select((eb) => ['state', eb.fn.countAll<number>().as('n')])
    .where('webhook_id', '=', row.id)
    .where('state', 'in', ['due', 'leased', 'dead'])
    .groupBy('state')
    .execute()
  const count = (...states: DeliveryRow['state'][]): number =>
    counts.reduce((sum, { state, n }) => sum + (states.includes(state) ? n : 0), 0)
  const now = ctx.now().getTime()
  const still = (at: number | null): string | null => (at !== null && at > now ? iso(at) : null)
  return {
    id: row.public_id,
    url: row.url,
    events: [...eventsOf(row)],
    description: row.description,
    state: row.state,
    disabledReason: row.disabled_reason,
    allowLocal: row.allow_local === 1,
    failingSince: isoOrNull(row.failing_since),
    lastSuccessAt: isoOrNull(row.last_success_at),
    holdUntil: still(row.hold_until),
    previousSecretUntil: still(row.previous_until),
    deliveries: { due: count('due', 'leased'), dead: count('dead') },
    version: row.version,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

/** Returns a delivery as callers see it. */
export function deliveryView(webhook: Pick<WebhookRow, 'public_id'>, row: DeliveryRow): WebhookDelivery {
  return {
    id: row.public_id,
    webhookId: webhook.public_id,
    eventId: (JSON.parse(row.body) as { id: string }).id,
    type: row.type,
    state: row.state === 'leased' ? 'due' : row.state,
    reason: row.reason,
    attempts: row.attempts,
    nextAttemptAt: isoOrNull(row.next_at),
    createdAt: iso(row.created_at),
    settledAt: isoOrNull(row.settled_at),
  }
}

function attemptView(row: AttemptRow): WebhookAttempt {
  const { number, ms, status, fault, answer } = row
  return { number, at: iso(row.at), ms, status, fault, answer }
}

/** Returns a delivery with its body and its last attempts. */
export async function deliveryDetail(
  db: Db,
  webhook: Pick<WebhookRow, 'public_id'>,
  row: DeliveryRow,
): Promise<WebhookDeliveryDetail> {
  const attempts = await db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('delivery_id', '=', row.id)
    .orderBy('number', 'desc')
    .limit(HISTORY_AT_MOST)
    .execute()
  return { ...deliveryView(webhook, row), body: row.body, history: attempts.map(attemptView) }
}

/** Returns one page of a webhook's deliveries before a row, newest first. */
export function deliveriesOf(
  ctx: Ctx,
  webhookId: number,
  options: { state: 'due' | 'done' | 'dead' | undefined; before: number | null; limit: number },
): Promise<DeliveryRow[]> {
  const { state, before, limit } = options
  let query = ctx.db.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', webhookId)
  if (state !== undefined) query = query.where('state', 'in', state === 'due' ? ['due', 'leased'] : [state])
  if (before !== null) query = query.where('id', '<', before)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

const nextOf = prepare((db, p: { webhookId: number; now: number }) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', p.webhookId)
    .where('state', '=', 'due')
    .where('next_at', '<=', p.now)
    .orderBy('id')
    .limit(1),
)

const lease = prepare((db, p: { id: number; until: number }) =>
  db
    .updateTable('webhook_deliveries')
    .set({ state: 'leased', next_at: null, leased_until: p.until })
    .where('id', '=', p.id),
)

/** Leases the oldest due delivery of a webhook; null if there is none. */
export async function leaseNext(
  db: Db,
  webhookId: number,
  { now, until }: { now: number; until: number },
): Promise<DeliveryRow | null> {
  const row = await nextOf.first(db, { webhookId, now })
  if (!row) return null
  await lease.run(db, { id: row.id, until })
  return { ...row, state: 'leased', next_at: null, leased_until: until }
}

const earliest = prepare((db, p: { webhookId: number }) =>
  db
    .selectFrom('webhook_deliveries')
    .select('next_at')
    .where('webhook_id', '=', p.webhookId)
    .where('state', '=', 'due')
    .orderBy('next_at')
    .limit(1),
)

/** Returns the time of a webhook's next due delivery; null if none is waiting. */
export async function nextDueAt(db: Db, webhookId: number): Promise<number | null> {
  return (await earliest.first(db, { webhookId }))?.next_at ?? null
}

/**
 * Releases the leases of a book's messages: all of them (when no other sender runs), or the expired ones. Returns their
 * number.
 */
export async function returnLeases(
  db: Db,
  bookId: number,
  now: number,
  onlyExpired: boolean,
): Promise<number> {
  let query = db
    .updateTable('webhook_deliveries')
    .set({ state: 'due', next_at: now, leased_until: null })
    .where('webhook_id', 'in', (eb) => eb.selectFrom('webhooks').select('id').where('book_id', '=', bookId))
    .where('state', '=', 'leased')
  if (onlyExpired) query = query.where('leased_until', '<=', now)
  return Number((await query.executeTakeFirst()).numUpdatedRows)
}

/** Makes completed deliveries of events in a period due again, `to` excluded. Returns their number. */
export async function replayRows(
  db: Db,
  webhookId: number,
  { from, to, states, now }: { from: number; to: number; states: readonly ('done' | 'dead')[]; now: number },
): Promise<number> {
  const changed = await db
    .updateTable('webhook_deliveries')
    .set(resetSchedule(now))
    .where('webhook_id', '=', webhookId)
    .where('state', 'in', states)
    .where('event_at', '>=', from)
    .where('event_at', '<', to)
    .executeTakeFirst()
  return Number(changed.numUpdatedRows)
}

/** Makes the waiting deliveries of a webhook due now. */
export async function retryEndpointNow(db: Db, webhookId: number, now: number): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ next_at: smallest<number>(sql.ref('next_at'), now) })
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'due')
    .execute()
}
