/** The audit history as callers see it: append-only and hash-chained. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { businessDate, Instant, line, PathId } from '../../domain/contract/fields.ts'

const ActorKind = z.enum(['user', 'key', 'system'])
const Channel = z.enum(['ui', 'rest', 'mcp', 'system'])
const Outcome = z.enum(['ok', 'refused', 'failed'])

export const AuditEvent = z
  .strictObject({
    id: z.string(),
    at: Instant,
    actor: z.strictObject({ kind: ActorKind, id: z.string().nullable(), name: z.string() }),
    channel: Channel,
    action: z.string(),
    target: z.strictObject({ type: z.string(), id: z.string(), label: z.string().optional() }).nullable(),
    outcome: Outcome,
    code: z.string().optional(),
    requestId: z.string(),
    hash: z.string(),
    previousHash: z.string().nullable(),
  })
  .meta({ id: 'AuditEvent' })
export type AuditEvent = z.infer<typeof AuditEvent>

export const listAuditContract = defineContract({
  name: 'audit.list',
  summary: 'History of actions, newest first. Each event carries the hash of the one before.',
  access: 'audit.read',
  effect: 'read',
  rest: { method: 'GET', path: '/audit/events' },
  input: z.strictObject({
    from: businessDate().optional(),
    to: businessDate().optional(),
    actor: line(80).optional().meta({ description: 'Key id, or user or system.' }),
    action: line(60).optional(),
    invoiceId: PathId.optional(),
    limit: z.int().min(1).max(100).optional(),
    cursor: z.string().max(200).optional(),
  }),
  output: z.strictObject({ items: z.array(AuditEvent), nextCursor: z.string().nullable() }),
  errors: ['validation_failed'],
})

/** An event without its position in the chain, as shown in a list. */
export const ListedEvent = AuditEvent.omit({ hash: true, previousHash: true, requestId: true })
export type ListedEvent = z.infer<typeof ListedEvent>

export const windowAuditContract = defineContract({
  name: 'audit.window',
  summary: 'A stretch of the history by position, newest first, with how many events the filter finds.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({
    from: businessDate().optional(),
    to: businessDate().optional(),
    actor: line(80).optional().meta({ description: 'Key id, or user or system.' }),
    action: line(60).optional(),
    outcome: Outcome.optional(),
    offset: z.int().min(0).max(10_000_000).optional(),
    limit: z.int().min(0).max(200).optional(),
  }),
  output: z.strictObject({ items: z.array(ListedEvent), count: z.int() }),
  errors: ['validation_failed'],
})

export const auditTermsContract = defineContract({
  name: 'audit.words',
  summary: 'Who and what occurs in the history, for its filters.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({
    actors: z.array(z.strictObject({ kind: ActorKind, id: z.string(), name: z.string() })),
    actions: z.array(z.string()),
  }),
  errors: [],
})

export const auditPeopleContract = defineContract({
  name: 'audit.people',
  summary:
    'The people of an office who have done something in the books: when first and last, and how much of what.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string().meta({ description: 'The last one.' }),
        firstAt: Instant,
        lastAt: Instant,
        enteredAt: Instant.nullable().meta({
          description: 'When the person last opened the books from the list of companies.',
        }),
        entries: z.int(),
        actions: z.array(z.strictObject({ action: z.string(), count: z.int() })),
      }),
    ),
  }),
  errors: [],
})

export const verifyAuditContract = defineContract({
  name: 'audit.verify',
  summary: 'Recompute the audit chain from its first event.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({
    ok: z.boolean(),
    events: z.int(),
    head: z.string().nullable(),
    broken: z.strictObject({ id: z.string(), why: z.string() }).optional(),
  }),
  errors: [],
})
