/** Webhooks as callers see them: endpoints, their deliveries and the results. The secret is shown once. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { Instant, line, PathId } from '../../domain/contract/fields.ts'

const DELIVERY_STATES = ['due', 'done', 'dead'] as const

export const Webhook = z
  .strictObject({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()).meta({ description: 'Types, families such as `invoice.*`, or `*`.' }),
    description: z.string().nullable(),
    state: z.enum(['active', 'disabled']).meta({
      description: 'To a disabled one nothing is sent; what is for it waits until it is active again.',
    }),
    disabledReason: z.enum(['asked', 'gone', 'failing']).nullable().meta({
      description: 'Somebody asked for it, the receiver answered 410, or every attempt of 5 days failed.',
    }),
    allowLocal: z
      .boolean()
      .meta({ description: 'Whether a person allowed an address of this computer or its network.' }),
    failingSince: Instant.nullable().meta({ description: 'First failure since the last success.' }),
    lastSuccessAt: Instant.nullable(),
    holdUntil: Instant.nullable().meta({ description: 'The receiver asked to be left alone until then.' }),
    previousSecretUntil: Instant.nullable().meta({
      description: 'Until then messages carry a signature by the secret before, too.',
    }),
    deliveries: z
      .strictObject({ due: z.int(), dead: z.int() })
      .meta({ description: 'How many wait, and how many were given up.' }),
    version: z.int(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof Webhook>

const NewWebhook = z.strictObject({
  ...Webhook.shape,
  secret: z.string().meta({ description: 'What messages are signed with, `whsec_…`. Shown only now.' }),
})

export const WebhookDelivery = z
  .strictObject({
    id: z.string().meta({ description: 'The `webhook-id` of the message, the same in every attempt.' }),
    webhookId: z.string(),
    eventId: z.string().meta({ description: 'The `id` in its body.' }),
    type: z.string(),
    state: z.enum(DELIVERY_STATES).meta({
      description: 'Waiting or on its way, taken by the receiver, or given up (the dead letters).',
    }),
    reason: z.string().nullable().meta({
      description:
        'Why the last attempt failed: `status_<n>`, `redirect`, `timeout`, `interrupted`, `address_<why>`, `sandbox`, or what the network said.',
    }),
    attempts: z.int(),
    nextAttemptAt: Instant.nullable(),
    createdAt: Instant,
    settledAt: Instant.nullable(),
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const WebhookAttempt = z
  .strictObject({
    number: z.int(),
    at: Instant,
    ms: z.int().meta({ description: 'Milliseconds until the answer or the fault.' }),
    status: z.int().nullable().meta({ description: 'Null where nobody answered.' }),
    fault: z.string().nullable().meta({ description: 'Null where the message was taken.' }),
    answer: z.string().nullable().meta({ description: 'First 256 characters of what the receiver said.' }),
  })
  .meta({ id: 'WebhookAttempt' })
export type WebhookAttempt = z.infer<typeof WebhookAttempt>

export const WebhookDeliveryDetail = z
  .strictObject({
    ...WebhookDelivery.shape,
    body: z.string().meta({ description: 'As it is sent, byte by byte: what the signature covers.' }),
    history: z.array(WebhookAttempt).meta({ description: 'Newest first, at most 50.' }),
  })
  .meta({ id: 'WebhookDeliveryDetail' })
export type WebhookDeliveryDetail = z.infer<typeof WebhookDeliveryDetail>

const url = line(2000).meta({
  format: 'uri',
  description: 'Where messages are posted: https, port 443 or from 1024 on.',
})
const events = z
  .array(
    z
      .string()
      .max(60)
      .regex(/^(?:\*|[a-z]+\.(?:\*|[a-z_]+))$/),
  )
  .min(1)
  .max(100)
  .meta({
    description:
      'Types of the events page, families such as `invoice.*`, or `*` for all. Steps of work under way are not sent.',
  })
const description = line(200).nullable().optional()
const allowLocal = z
  .boolean()
  .optional()
  .meta({ description: 'Allow http to this computer, and https to its own network.' })
const version = z.int().optional().meta({ description: 'Refuse when it has changed since.' })

export const listWebhooksContract = defineContract({
  name: 'webhooks.list',
  summary: 'The webhooks of the book, oldest first.',
  access: 'webhooks.read',
  effect: 'read',
  rest: { method: 'GET', path: '/webhooks' },
  input: z.strictObject({}),
  output: z.strictObject({ items: z.array(Webhook) }),
  errors: [],
})

export const getWebhookContract = defineContract({
  name: 'webhooks.get',
  summary: 'One webhook.',
  access: 'webhooks.read',
  effect: 'read',
  rest: { method: 'GET', path: '/webhooks/:id' },
  input: z.strictObject({ id: PathId }),
  output: Webhook,
  errors: ['not_found'],
})

const newFields = { url, events, description }

export const createWebhookContract = defineContract({
  name: 'webhooks.create',
  summary: 'Have events sent to an address from now on.',
  description:
    'The answer holds the secret that messages are signed with; it is shown only now. Events told before are not sent: `GET /events` lists them.',
  access: 'webhooks.write',
  effect: 'write',
  rest: { method: 'POST', path: '/webhooks', status: 201 },
  input: z.strictObject(newFields),
  output: NewWebhook,
  errors: ['webhook_address_refused', 'webhook_limit', 'validation_failed'],
})

/** Only a person may use an address of this computer or its network. */
export const createWebhookByPersonContract = defineContract({
  name: 'webhooks.createByPerson',
  summary: 'Make a webhook in the app, also for an address of this computer.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ ...newFields, allowLocal }),
  output: NewWebhook,
  errors: ['webhook_address_refused', 'webhook_limit', 'validation_failed'],
})

const changes = {
  id: PathId,
  url: url.optional(),
  events: events.optional(),
  description,
  state: z.enum(['active', 'disabled']).optional().meta({
    description: 'Made active again, it gets what waited meanwhile, at once.',
  }),
  expectedVersion: version,
}

export const updateWebhookContract = defineContract({
  name: 'webhooks.update',
  summary: 'Change where, what and whether a webhook sends.',
  access: 'webhooks.write',
  effect: 'write',
  rest: { method: 'PATCH', path: '/webhooks/:id' },
  input: z.strictObject(changes),
  output: Webhook,
  errors: ['not_found', 'version_conflict', 'webhook_address_refused', 'validation_failed'],
})

export const updateWebhookByPersonContract = defineContract({
  name: 'webhooks.updateByPerson',
  summary: 'Change a webhook in the app, also to an address of this computer.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ ...changes, allowLocal }),
  output: Webhook,
  errors: ['not_found', 'version_conflict', 'webhook_address_refused', 'validation_failed'],
})

export const deleteWebhookContract = defineContract({
  name: 'webhooks.delete',
  summary: 'Delete a webhook, its secret and all its deliveries.',
  access: 'webhooks.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/webhooks/:id' },
  input: z.strictObject({ id: PathId, expectedVersion: version }),
  output: z.strictObject({ deleted: z.literal(true) }),
  errors: ['not_found', 'version_conflict'],
})

export const rotateWebhookSecretContract = defineContract({
  name: 'webhooks.rotateSecret',
  summary: 'Give a webhook a new secret. For 24 hours messages carry signatures by both.',
  access: 'webhooks.write',
  effect: 'write',
  rest: { method: 'POST', path: '/webhooks/:id/rotate-secret' },
  input: z.strictObject({ id: PathId }),
  output: NewWebhook,
  errors: ['not_found'],
})

export const testWebhookContract = defineContract({
  name: 'webhooks.test',
  summary: 'Send a `webhook.test` event to a webhook now, once, and answer what came of it.',
  description: 'It is sent to a disabled webhook, too. It takes as long as the receiver, at most 20 seconds.',
  access: 'webhooks.write',
  effect: 'write',
  external: true,
  rest: { method: 'POST', path: '/webhooks/:id/test' },
  input: z.strictObject({ id: PathId }),
  output: WebhookDeliveryDetail,
  errors: ['not_found'],
})

export const listDeliveriesContract = defineContract({
  name: 'webhooks.deliveries',
  summary: 'What was sent to a webhook or is to be sent, newest first.',
  description:
    '`state=dead` are the dead letters: given up, with the reason, kept until they are sent again or the webhook is deleted. What was taken is kept for 30 days.',
  access: 'webhooks.read',
  effect: 'read',
  rest: { method: 'GET', path: '/webhooks/:id/deliveries' },
  input: z.strictObject({
    id: PathId,
    state: z.enum(DELIVERY_STATES).optional(),
    limit: z.int().min(1).max(100).optional().meta({ description: '25 when not said.' }),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({ items: z.array(WebhookDelivery), nextCursor: z.string().nullable() }),
  errors: ['not_found', 'validation_failed'],
})

export const getDeliveryContract = defineContract({
  name: 'webhooks.delivery',
  summary: 'One delivery with its body and its attempts.',
  access: 'webhooks.read',
  effect: 'read',
  rest: { method: 'GET', path: '/webhooks/deliveries/:id/attempts' },
  input: z.strictObject({ id: PathId }),
  output: WebhookDeliveryDetail,
  errors: ['not_found'],
})

export const redeliverContract = defineContract({
  name: 'webhooks.redeliver',
  summary: 'Send one delivery again, with the same `webhook-id` and a whole new schedule.',
  access: 'webhooks.write',
  effect: 'write',
  rest: { method: 'POST', path: '/webhooks/deliveries/:id/redeliver' },
  input: z.strictObject({ id: PathId }),
  output: WebhookDelivery,
  errors: ['not_found'],
})

export const replayContract = defineContract({
  name: 'webhooks.replay',
  summary: 'Send the deliveries of a stretch of time again, each with its `webhook-id`.',
  access: 'webhooks.write',
  effect: 'write',
  rest: { method: 'POST', path: '/webhooks/:id/replay' },
  input: z.strictObject({
    id: PathId,
    from: z.iso.datetime({ offset: true }).meta({ description: 'Events from this instant on.' }),
    to: z.iso.datetime({ offset: true }).meta({ description: 'And before this one.' }),
    states: z
      .array(z.enum(['done', 'dead']))
      .min(1)
      .max(2)
      .optional()
      .meta({ description: 'The dead ones when not said.' }),
  }),
  output: z.strictObject({ replayed: z.int().meta({ description: 'How many are sent again.' }) }),
  errors: ['not_found', 'validation_failed'],
})
