/** The outbox: facts written in the transaction that makes them true, for the window and for webhooks to pass on. */
import { canonicalJson } from '../core/canonical.ts'
import type { Ctx } from '../ctx.ts'
import type { Db } from '../store/query.ts'
import { prepare } from '../store/query.ts'

export type EventType =
  | 'invoice.drafted'
  | 'invoice.changed'
  | 'invoice.deleted'
  | 'invoice.issued'
  | 'invoice.cancelled'
  | 'invoice.amended'
  | 'registry.accepted'
  | 'registry.accepted_with_errors'
  | 'registry.rejected'
  | 'registry.conflict'
  | 'registry.stopped'
  | 'registry.changed'
  | 'certificate.changed'
  | 'certificate.expiring'
  | 'document.ready'
  | 'proposal.created'
  | 'proposal.decided'
  | 'contact.changed'
  | 'key.changed'
  | 'company.changed'
  | 'item.changed'
  | 'quote.changed'
  | 'recurrence.changed'
  | 'received.changed'
  | 'payment.changed'
  | 'bank.changed'
  | 'ledger.changed'
  | 'filing.changed'
  | 'import.changed'
  | 'mail.changed'
  | 'erp.connected'
  | 'erp.disconnected'
  | 'erp.needs_reconnection'
  | 'erp.changed'
  | 'erp.sync_started'
  | 'erp.sync_progress'
  | 'erp.sync_finished'

const insert = prepare((db, p: { bookId: number; type: string; at: number; data: string }) =>
  db.insertInto('events').values({ book_id: p.bookId, type: p.type, at: p.at, data: p.data }),
)

/** Writes a fact to the outbox. `data` is thin: identifiers, never content. */
export async function emitEvent(
  ctx: Ctx,
  type: EventType,
  data: Record<string, string | number | null>,
): Promise<void> {
  if (!ctx.inTransaction) throw new Error('An event is written in the transaction of the fact it tells.')
  await insert.run(ctx.db, { bookId: ctx.book.id, type, at: ctx.now().getTime(), data: canonicalJson(data) })
  ctx.afterCommit(() => ctx.env.wake('events'))
}

export interface StoredEvent {
  id: number
  bookId: string
  mode: 'live' | 'test'
  type: string
  createdAt: string
  data: Record<string, unknown>
}

const after = prepare((db, p: { id: number; limit: number }) =>
  db
    .selectFrom('events')
    .innerJoin('books', 'books.id', 'events.book_id')
    .select(['events.id', 'books.public_id as book', 'books.mode', 'events.type', 'events.at', 'events.data'])
    .where('events.id', '>', p.id)
    .orderBy('events.id')
    .limit(p.limit),
)

const newest = prepare((db, _p: Record<string, never>) =>
  db.selectFrom('events').select('id').orderBy('id', 'desc').limit(1),
)

/** Events after one, oldest first. */
export async function eventsAfter(db: Db, id: number, limit = 200): Promise<StoredEvent[]> {
  const found = await after.all(db, { id, limit })
  return found.map((row) => ({
    id: row.id,
    bookId: row.book,
    mode: row.mode,
    type: row.type,
    createdAt: new Date(row.at).toISOString(),
    data: JSON.parse(row.data) as Record<string, unknown>,
  }))
}

/** The newest event's id, 0 when there is none. */
export async function newestEventId(db: Db): Promise<number> {
  return (await newest.first(db, {}))?.id ?? 0
}
