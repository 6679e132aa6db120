/**
 * Creates, changes and deletes webhooks, and redelivers messages. Only a person may use an address of this computer
 * or its network.
 */
import { recordAudit } from '../audit/index.ts'
import type { ContractInput, ContractOutput } from '../../domain/contract/define-contract.ts'
import type {
  createWebhookByPersonContract,
  createWebhookContract,
  deleteWebhookContract,
  getDeliveryContract,
  getWebhookContract,
  listDeliveriesContract,
  listWebhooksContract,
  redeliverContract,
  replayContract,
  rotateWebhookSecretContract,
  testWebhookContract,
  updateWebhookByPersonContract,
  updateWebhookContract,
} from './contract.ts'
import { createCursor, readCursor } from '../../domain/contract/cursor.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { assertVersion } from '../../domain/contract/version-guard.ts'
import { normalizeText } from '../../domain/text.ts'
import { purgeSecret, orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent, newestBookEventId } from '../events/index.ts'
import { checkedUrl, HttpClientFault } from '../http-client/exchange.ts'
import { WEBHOOKS_AT_MOST } from './limits.ts'
import { bodyOf, checkedTypes, TEST_TYPE } from './event-types.ts'
import { fanOutWithin } from './fan-out.ts'
import {
  resetSchedule,
  changeDelivery,
  changeWebhook,
  deliveriesOf,
  deliveryById,
  deliveryDetail,
  deliveryView,
  findDelivery,
  findWebhook,
  retryEndpointNow,
  replayRows,
  secretSealContext,
  webhooksOf,
  webhookView,
} from './rows.ts'
import type { WebhookRow } from './rows.ts'
import { OVERLAP_MS } from './schedule.ts'
import { reachOf, sendOnce } from './send.ts'
import { hostOf, LEASE_MS, settle } from './settle.ts'
import { newSecret } from './sign.ts'

const DEFAULT_LIMIT = 25

type NewInput = ContractInput<typeof createWebhookByPersonContract>
type ChangeInput = ContractInput<typeof updateWebhookByPersonContract>

/** Returns the address as stored. Throws `webhook_address_refused`, with the reason. */
function checkedAddress(ctx: Ctx, text: string, allowLocal: boolean): string {
  try {
    // If sending is not possible at all, the address is still checked as a public one.
    return checkedUrl(text.trim(), reachOf(ctx.env.sandbox, allowLocal) ?? 'public').href
  } catch (error) {
    if (!(error instanceof HttpClientFault)) throw error
    throw new AppError('webhook_address_refused', { field: 'url', details: { reason: error.reason } })
  }
}

function describe(text: string | null | undefined): string | null {
  const normalized = normalizeText(text ?? '')
  return normalized === '' ? null : normalized
}

const targetOf = (row: Pick<WebhookRow, 'public_id' | 'url'>) => ({
  type: 'webhook',
  id: row.public_id,
  label: hostOf(row),
})

async function addWebhook(ctx: Ctx, input: NewInput): Promise<ContractOutput<typeof createWebhookContract>> {
  const allowLocal = input.allowLocal === true
  const url = checkedAddress(ctx, input.url, allowLocal)
  const events = checkedTypes(input.events)
  return ctx.transaction(async (tx) => {
    if ((await webhooksOf(tx)).length >= WEBHOOKS_AT_MOST)
      throw new AppError('webhook_limit', { details: { max: WEBHOOKS_AT_MOST } })
    const now = tx.now().getTime()
    const publicId = tx.newId('whk')
    const secret = newSecret()
    await recordAudit(tx, { action: 'webhook.created', target: targetOf({ public_id: publicId, url }) })
    await emitEvent(tx, 'webhook.changed', { webhookId: publicId })
    await tx.db
      .insertInto('webhooks')
      .values({
        book_id: tx.book.id,
        public_id: publicId,
        url,
        description: describe(input.description),
        events: JSON.stringify(events),
        sealed_secret: tx.env.store.sealer.seal(
          secret,
          secretSealContext({ public_id: publicId, book_id: tx.book.id }),
        ),
        allow_local: allowLocal ? 1 : 0,
        after_event_id: await newestBookEventId(tx.db, tx.book.id),
        created_at: now,
        updated_at: now,
      })
      .execute()
    return { ...(await webhookView(tx, await findWebhook(tx, publicId))), secret }
  })
}

/**
 * The transports block keys from person-only operations; this check ensures that through any of them a key cannot use
 * a local address.
 */
function assertPerson(ctx: Ctx): void {
  if (ctx.actor.kind === 'key') throw new AppError('scope_missing', { details: { access: 'person' } })
}

/** Lists the webhooks of the book, oldest first. */
export const listWebhooks: UseCase<typeof listWebhooksContract> = async (ctx) => {
  const items = []
  for (const row of await webhooksOf(ctx)) items.push(await webhookView(ctx, row))
  return { items }
}

/** Returns one webhook. Throws `not_found`. */
export const getWebhook: UseCase<typeof getWebhookContract> = async (ctx, { id }) =>
  webhookView(ctx, await findWebhook(ctx, id))

/** Creates a webhook for a public address. Its secret is returned once. */
export const createWebhook: UseCase<typeof createWebhookContract> = (ctx, input) => addWebhook(ctx, input)

/** Creates a webhook as a person, who may use an address of this computer or its network. */
export const createWebhookByPerson: UseCase<typeof createWebhookByPersonContract> = async (ctx, input) => {
  assertPerson(ctx)
  return addWebhook(ctx, input)
}

async function change(ctx: Ctx, input: ChangeInput): Promise<ContractOutput<typeof updateWebhookContract>> {
  return ctx.transaction(async (tx) => {
    // Earlier events follow the earlier subscription.
    await fanOutWithin(tx)
    const row = await findWebhook(tx, input.id)
    assertVersion(input.expectedVersion, row.version)
    const now = tx.now().getTime()
    // If a key changes the address, it must be a public one, whatever a person allowed before.
    const allowLocal =
      input.allowLocal ?? (tx.actor.kind === 'key' && input.url !== undefined ? false : row.allow_local === 1)
    const url =
      input.url === undefined && input.allowLocal === undefined
        ? row.url
        : checkedAddress(tx, input.url ?? row.url, allowLocal)
    const state = input.state ?? row.state
    const wakes = state === 'active' && (row.state === 'disabled' || url !== row.url)
    await changeWebhook(tx.db, row.id, {
      url,
      allow_local: allowLocal ? 1 : 0,
      ...(input.events === undefined ? {} : { events: JSON.stringify(checkedTypes(input.events)) }),
      ...(input.description === undefined ? {} : { description: describe(input.description) }),
      state,
      disabled_reason: state === 'active' ? null : (row.disabled_reason ?? 'asked'),
      // A new address or a new chance starts without failures.
      ...(wakes ? { failing_since: null, failures: 0, hold_until: null } : {}),
      version: row.version + 1,
      updated_at: now,
    })
    if (wakes) await retryEndpointNow(tx.db, row.id, now)
    await recordAudit(tx, {
      action:
        state === row.state ? 'webhook.changed' : state === 'active' ? 'webhook.enabled' : 'webhook.disabled',
      target: targetOf({ public_id: row.public_id, url }),
    })
    await emitEvent(tx, 'webhook.changed', { webhookId: row.public_id })
    tx.wake('webhooks')
    return webhookView(tx, await findWebhook(tx, input.id))
  })
}

/** Changes a webhook. Throws `version_conflict`, `webhook_address_refused`. */
export const updateWebhook: UseCase<typeof updateWebhookContract> = (ctx, input) => change(ctx, input)

/** Changes a webhook as a person, who may use an address of this computer or its network. */
export const updateWebhookByPerson: UseCase<typeof updateWebhookByPersonContract> = async (ctx, input) => {
  assertPerson(ctx)
  return change(ctx, input)
}

/** Deletes a webhook with its deliveries and purges its secret from the files. */
export const deleteWebhook: UseCase<typeof deleteWebhookContract> = (ctx, { id, expectedVersion }) =>
  purgeSecret(ctx, async (tx) => {
    const row = await findWebhook(tx, id)
    assertVersion(expectedVersion, row.version)
    await tx.db.deleteFrom('webhooks').where('id', '=', row.id).execute()
    await recordAudit(tx, { action: 'webhook.deleted', target: targetOf(row) })
    await emitEvent(tx, 'webhook.changed', { webhookId: row.public_id })
    return { deleted: true as const }
  })

/** Creates a new secret; the previous one remains valid for signatures for 24 hours. */
export const rotateWebhookSecret: UseCase<typeof rotateWebhookSecretContract> = (ctx, { id }) =>
  purgeSecret(ctx, async (tx) => {
    const row = await findWebhook(tx, id)
    const now = tx.now().getTime()
    const secret = newSecret()
    await changeWebhook(tx.db, row.id, {
      sealed_secret: tx.env.store.sealer.seal(secret, secretSealContext(row)),
      sealed_previous: row.sealed_secret,
      previous_until: now + OVERLAP_MS,
      version: row.version + 1,
      updated_at: now,
    })
    await recordAudit(tx, { action: 'webhook.secret_rotated', target: targetOf(row) })
    await emitEvent(tx, 'webhook.changed', { webhookId: row.public_id })
    return { ...(await webhookView(tx, await findWebhook(tx, id))), secret }
  })

/** Sends a `webhook.test` message once and returns the delivery with its result. */
export const testWebhook: UseCase<typeof testWebhookContract> = async (ctx, { id }) => {
  const { webhook, delivery } = await ctx.transaction(async (tx) => {
    const webhook = await findWebhook(tx, id)
    const now = tx.now()
    const delivery = await tx.db
      .insertInto('webhook_deliveries')
      .values({
        webhook_id: webhook.id,
        public_id: tx.newId('msg'),
        type: TEST_TYPE,
        event_at: now.getTime(),
        body: bodyOf({
          id: tx.newId('evt'),
          type: TEST_TYPE,
          createdAt: now.toISOString(),
          mode: tx.book.mode,
          data: { webhookId: webhook.public_id },
          actor: { kind: tx.actor.kind, id: tx.actor.id, name: tx.actor.name },
        }),
        state: 'leased',
        leased_until: now.getTime() + LEASE_MS,
        created_at: now.getTime(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { webhook, delivery }
  })
  await settle(ctx, delivery.id, await sendOnce(ctx.env, webhook, delivery), { claimNext: false })
  return deliveryDetail(ctx.db, webhook, orNotFound(await deliveryById(ctx.db, delivery.id)))
}

/** Lists one page of deliveries, newest first. */
export const listDeliveries: UseCase<typeof listDeliveriesContract> = async (
  ctx,
  { id, state, limit = DEFAULT_LIMIT, cursor },
) => {
  const webhook = await findWebhook(ctx, id)
  const bound = { id: webhook.id, state: state ?? null }
  const [before] = cursor === undefined ? [null] : readCursor(cursor, 'webhooks.deliveries', bound)
  const rows = await deliveriesOf(ctx, webhook.id, {
    state,
    before: before === null || before === undefined ? null : Number(before),
    limit: limit + 1,
  })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map((row) => deliveryView(webhook, row)),
    nextCursor: rows.length > limit && last ? createCursor('webhooks.deliveries', bound, [last.id]) : null,
  }
}

/** Returns one delivery with its body and attempts. Throws `not_found`. */
export const getDelivery: UseCase<typeof getDeliveryContract> = async (ctx, { id }) => {
  const { delivery, webhook } = await findDelivery(ctx, id)
  return deliveryDetail(ctx.db, webhook, delivery)
}

/** Sends a delivery again. Ignores one that is in flight. */
export const redeliver: UseCase<typeof redeliverContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const { delivery, webhook } = await findDelivery(tx, id)
    if (delivery.state === 'leased') return deliveryView(webhook, delivery)
    await changeDelivery(tx.db, delivery.id, resetSchedule(tx.now().getTime()))
    await recordAudit(tx, { action: 'webhook.redelivered', target: targetOf(webhook) })
    tx.wake('webhooks')
    return deliveryView(webhook, orNotFound(await deliveryById(tx.db, delivery.id)))
  })

/**
 * Sends completed deliveries of events in a period again. Throws `validation_failed` if the period ends before it
 * begins.
 */
export const replay: UseCase<typeof replayContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const [from, to] = [Date.parse(input.from), Date.parse(input.to)]
    if (to <= from)
      throw validationFailed([
        { code: 'range_empty', field: 'to', severity: 'error', message: 'It ends before it begins.' },
      ])
    const webhook = await findWebhook(tx, input.id)
    const states = input.states ?? ['dead']
    const replayed = await replayRows(tx.db, webhook.id, { from, to, states, now: tx.now().getTime() })
    await recordAudit(tx, { action: 'webhook.replayed', target: targetOf(webhook) })
    tx.wake('webhooks')
    return { replayed }
  })
