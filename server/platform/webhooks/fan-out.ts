/**
 * Fan-out: turns events after the cursor into deliveries and moves the cursor in the same transaction, so that no
 * delivery is lost or duplicated if the program ends. Code that emits events is not involved.
 */
import type { AppEnvironment } from '../../context.ts'
import { eventIdOf, eventsAfter, newestEventId } from '../events/index.ts'
import type { StoredEvent } from '../events/index.ts'
import type { Db } from '../../db/query.ts'
import { prepare } from '../../db/query.ts'
import { bodyOf, isSubscribed } from './event-types.ts'
import { eventsOf } from './rows.ts'

/** Events processed in one transaction. */
const PAGE = 200

interface Endpoint {
  id: number
  book: string
  events: readonly string[]
  after: number
}

const cursor = prepare((db, _p: Record<string, never>) =>
  db.selectFrom('webhook_fan_out').select('event_id').where('id', '=', 1),
)
const moveCursor = prepare((db, p: { eventId: number }) =>
  db.updateTable('webhook_fan_out').set({ event_id: p.eventId }).where('id', '=', 1),
)
const insert = prepare(
  (
    db,
    p: {
      webhookId: number
      publicId: string
      eventId: number
      type: string
      eventAt: number
      body: string
      now: number
    },
  ) =>
    db
      .insertInto('webhook_deliveries')
      .values({
        webhook_id: p.webhookId,
        public_id: p.publicId,
        event_id: p.eventId,
        type: p.type,
        event_at: p.eventAt,
        body: p.body,
        state: 'due',
        next_at: p.now,
        created_at: p.now,
      })
      .onConflict((conflict) => conflict.columns(['webhook_id', 'event_id']).doNothing()),
)

async function endpointsOf(db: Db): Promise<Endpoint[]> {
  const rows = await db
    .selectFrom('webhooks')
    .innerJoin('books', 'books.id', 'webhooks.book_id')
    .select(['webhooks.id', 'webhooks.events', 'webhooks.after_event_id', 'books.public_id'])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    book: row.public_id,
    events: eventsOf(row),
    after: row.after_event_id,
  }))
}

const takers = (endpoints: readonly Endpoint[], event: StoredEvent): Endpoint[] =>
  endpoints.filter(
    ({ book, events, after }) =>
      book === event.bookId && event.id > after && isSubscribed(events, event.type),
  )

/**
 * Returns the position at which the fan-out continues: after the last processed event, and not before the first
 * webhook was created.
 */
async function startOf(db: Db, endpoints: readonly Endpoint[]): Promise<number> {
  const at = (await cursor.first(db, {}))?.event_id ?? 0
  return Math.max(at, Math.min(...endpoints.map(({ after }) => after)))
}

/** Processes one page within a transaction; returns true if there may be more. */
async function handOutPage(env: AppEnvironment, db: Db): Promise<boolean> {
  const endpoints = await endpointsOf(db)
  if (endpoints.length === 0) return false
  const events = await eventsAfter(db, await startOf(db, endpoints), PAGE)
  const now = env.now().getTime()
  for (const event of events)
    for (const { id: webhookId, book } of takers(endpoints, event))
      await insert.run(db, {
        webhookId,
        publicId: env.newId('msg'),
        eventId: event.id,
        type: event.type,
        eventAt: Date.parse(event.createdAt),
        body: bodyOf({ ...event, id: eventIdOf({ publicId: book }, event.id) }),
        now,
      })
  const last = events.at(-1)
  if (last) await moveCursor.run(db, { eventId: last.id })
  return events.length === PAGE
}

/**
 * Processes all events within a transaction: called before a webhook's subscription changes, so that earlier events
 * follow the earlier subscription.
 */
export async function fanOutWithin(env: AppEnvironment, db: Db): Promise<void> {
  while (await handOutPage(env, db));
}

/** Creates the deliveries of every unprocessed event. Writes nothing without a matching webhook. */
export async function fanOut(env: AppEnvironment): Promise<void> {
  for (;;) {
    const { reader } = env.store
    const endpoints = await endpointsOf(reader)
    if (endpoints.length === 0) return
    const start = await startOf(reader, endpoints)
    if ((await newestEventId(reader)) <= start) return
    if (!(await env.store.transaction(null, (db) => handOutPage(env, db)))) return
  }
}
