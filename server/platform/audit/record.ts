/** The append-only history: each event includes the previous hash, so that changes and gaps are detected. */
import { createHash } from 'node:crypto'
import type { Actor, Channel, Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import { actorRow } from './actors.ts'
import { hashedText } from './hashed.ts'
import type { HashedEvent } from './hashed.ts'

interface AuditEntry {
  action: string
  target?: { type: string; id: string; label?: string }
  outcome?: 'ok' | 'refused' | 'failed'
  code?: string
}

/** Returns the SHA-256 over the previous hash and the canonical event. */
export function auditHash(event: HashedEvent, previous: Uint8Array | null): Buffer {
  const hash = createHash('sha256')
  if (previous) hash.update(previous)
  return hash.update(hashedText(event)).digest()
}

const lastEvent = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('audit_events')
    .select(['sequence', 'hash'])
    .where('book_id', '=', p.bookId)
    .orderBy('sequence', 'desc')
    .limit(1),
)

/** An event in the history of one target. */
export interface HistoryRow {
  at: number
  action: string
  actor_kind: Actor['kind']
  actor_name: string
  outcome: 'ok' | 'refused' | 'failed'
}

interface EventRow {
  bookId: number
  sequence: number
  at: number
  actorId: number
  channel: Channel
  action: string
  targetType: string | null
  targetId: string | null
  targetLabel: string | null
  outcome: 'ok' | 'refused' | 'failed'
  code: string | null
  requestId: string
  hash: Uint8Array
}

const insertEvent = prepare((db, p: EventRow) =>
  db.insertInto('audit_events').values({
    book_id: p.bookId,
    sequence: p.sequence,
    at: p.at,
    actor_id: p.actorId,
    channel: p.channel,
    action: p.action,
    target_type: p.targetType,
    target_id: p.targetId,
    target_label: p.targetLabel,
    outcome: p.outcome,
    code: p.code,
    request_id: p.requestId,
    hash: p.hash,
  }),
)

/**
 * Appends an event to the history of the book, and returns it as the history of its target shows it. Only inside a
 * transaction: the event commits together with its action.
 */
export async function recordAudit(ctx: Ctx, entry: AuditEntry): Promise<HistoryRow> {
  if (!ctx.inTransaction) throw new Error('An audit event is written in the transaction of what it tells.')
  const {
    rows: [previous],
  } = await lastEvent.together(ctx.db, { bookId: ctx.book.id })
  const sequence = (previous?.sequence ?? 0) + 1
  const at = ctx.now().getTime()
  const { kind, id, name } = ctx.actor
  const target = entry.target
  const event: HashedEvent = {
    book: ctx.book.publicId,
    sequence,
    at,
    actor: { kind, id, name },
    channel: ctx.channel,
    action: entry.action,
    target: target ? { type: target.type, id: target.id, label: target.label ?? null } : null,
    outcome: entry.outcome ?? 'ok',
    code: entry.code ?? null,
    requestId: ctx.requestId,
  }
  await insertEvent.later(ctx.db, {
    bookId: ctx.book.id,
    sequence,
    at,
    actorId: await actorRow(ctx),
    channel: ctx.channel,
    action: event.action,
    targetType: target?.type ?? null,
    targetId: target?.id ?? null,
    targetLabel: target?.label ?? null,
    outcome: entry.outcome ?? 'ok',
    code: event.code,
    requestId: ctx.requestId,
    hash: auditHash(event, previous?.hash ?? null),
  })
  return { at, action: event.action, actor_kind: kind, actor_name: name, outcome: entry.outcome ?? 'ok' }
}
