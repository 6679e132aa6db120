/**
 * Integrity check of the webhooks: their secrets open, and every event for one is pending, delivered or given up with
 * its reason.
 */
import { combineProofs, proveRows } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import type { Ctx } from '../../context.ts'
import { newestBookEventId } from '../events/index.ts'
import { canOpenSealed } from '../../db/seal.ts'
import { isSubscribed } from './event-types.ts'
import { RETENTION_MS } from './schedule.ts'
import { eventsOf, secretSealContext, webhooksOf } from './rows.ts'
import type { WebhookRow } from './rows.ts'

/** Checks that every sealed secret of the book's webhooks opens in its own row. */
export async function verifyWebhookSecrets(ctx: Ctx): Promise<Proof> {
  const { sealer } = ctx.env.store
  return proveRows(await webhooksOf(ctx), (row) => {
    const sealed = [row.sealed_secret, ...(row.sealed_previous === null ? [] : [row.sealed_previous])]
    return sealed.every((secret) => canOpenSealed(sealer, secret, secretSealContext(row)))
      ? null
      : `The secret of ${row.public_id} does not open.`
  })
}

/** Returns events of a webhook's subscription without a delivery. Its subscription before the last change is unknown. */
async function undelivered(ctx: Ctx, webhook: WebhookRow, handedOut: number): Promise<Proof> {
  const rows = await ctx.db
    .selectFrom('events')
    .leftJoin('webhook_deliveries', (join) =>
      join
        .onRef('webhook_deliveries.event_id', '=', 'events.id')
        .on('webhook_deliveries.webhook_id', '=', webhook.id),
    )
    .select(['events.id', 'events.type', 'webhook_deliveries.id as delivery'])
    .where('events.book_id', '=', ctx.book.id)
    .where('events.id', '>', webhook.after_event_id)
    .where('events.id', '<=', handedOut)
    .where('events.at', '>', webhook.updated_at)
    // Delivered messages are deleted after a while.
    .where('events.at', '>', ctx.now().getTime() - RETENTION_MS)
    .execute()
  const wanted = eventsOf(webhook)
  return proveRows(
    rows.filter(({ type }) => isSubscribed(wanted, type)),
    ({ id, type, delivery }) =>
      delivery === null ? `Event ${id} (${type}) was never handed to ${webhook.public_id}.` : null,
  )
}

/** Checks the outbox against its deliveries: no event is lost between the two. */
export async function verifyDeliveries(ctx: Ctx): Promise<Proof> {
  const cursor = await ctx.db
    .selectFrom('event_cursors')
    .select('event_id')
    .where('book_id', '=', ctx.book.id)
    .executeTakeFirst()
  const handedOut = cursor?.event_id ?? 0
  const newest = await newestBookEventId(ctx.db, ctx.book.id)
  const proofs: Proof[] = [
    proveRows([handedOut], (at) =>
      at > newest ? `Events up to ${at} count as handed out; the last one is ${newest}.` : null,
    ),
  ]
  for (const webhook of await webhooksOf(ctx)) proofs.push(await undelivered(ctx, webhook, handedOut))
  const deliveries = await ctx.db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select([
      'webhook_deliveries.public_id',
      'webhook_deliveries.state',
      'webhook_deliveries.next_at',
      'webhook_deliveries.leased_until',
      'webhook_deliveries.reason',
    ])
    .where('webhooks.book_id', '=', ctx.book.id)
    .execute()
  proofs.push(
    proveRows(deliveries, ({ public_id, state, next_at, leased_until, reason }) => {
      if (state === 'due') return next_at === null ? `${public_id} is due at no time.` : null
      if (state === 'leased') return leased_until === null ? `${public_id} is on its way for ever.` : null
      return state === 'dead' && reason === null ? `${public_id} was given up for no reason.` : null
    }),
  )
  return combineProofs(...proofs)
}
