/**
 * Fan-out: turns the events of a book after its cursor into deliveries and moves the cursor in the same transaction, so that no
 * delivery is lost or duplicated if the program ends. Code that emits events is not involved.
 */
import type { AppEnvironment, Book, Ctx } from '../../context.ts'
import { bookEventsAfter, eventIdOf } from '../events/index.ts'
import type { StoredEvent } from '../events/index.ts'
import { idsOf } from '../jobs/index.ts'
import type { CompanyBooks } from '../jobs/index.ts'
import { numberList } from '../../db/engine-sql.ts'
import type { Db } from '../../db/query.ts'
import { prepare } from '../../db/query.ts'
import { bodyOf, isSubscribed } from './event-types.ts'
import { eventsOf } from './rows.ts'

/** Events processed in one transaction. */
const PAGE = 200

interface Endpoint {
  id: number
  events: readonly string[]
  after: number
}

const cursor = prepare((db, p: { bookId: number }) =>
  db.selectFrom('event_cursors').select('event_id').where('book_id', '=', p.bookId),
)
const moveCursor = prepare((db, p: { bookId: number; eventId: number }) =>
  db
    .insertInto('event_cursors')
    .values({ book_id: p.bookId, event_id: p.eventId })
    .onConflict((conflict) => conflict.column('book_id').doUpdateSet({ event_id: p.eventId })),
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

async function endpointsOf(db: Db, bookId: number): Promise<Endpoint[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select(['id', 'events', 'after_event_id'])
    .where('book_id', '=', bookId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ id: row.id, events: eventsOf(row), after: row.after_event_id }))
}

const takers = (endpoints: readonly Endpoint[], event: StoredEvent): Endpoint[] =>
  endpoints.filter(({ events, after }) => event.id > after && isSubscribed(events, event.type))

/**
 * Returns the position at which the fan-out of a book continues: after the last processed event, and not before its
 * first webhook was created.
 */
async function startOf(db: Db, bookId: number, endpoints: readonly Endpoint[]): Promise<number> {
  const at = (await cursor.first(db, { bookId }))?.event_id ?? 0
  return Math.max(at, Math.min(...endpoints.map(({ after }) => after)))
}

/** Processes one page within a transaction; returns true if there may be more. */
async function handOutPage(env: AppEnvironment, db: Db, book: Book): Promise<boolean> {
  const endpoints = await endpointsOf(db, book.id)
  if (endpoints.length === 0) return false
  const events = await bookEventsAfter(db, book.id, await startOf(db, book.id, endpoints), PAGE)
  const now = env.now().getTime()
  for (const event of events)
    for (const { id: webhookId } of takers(endpoints, event))
      await insert.run(db, {
        webhookId,
        publicId: env.newId('msg'),
        eventId: event.id,
        type: event.type,
        eventAt: Date.parse(event.createdAt),
        body: bodyOf({ ...event, id: eventIdOf(book, event.id) }),
        now,
      })
  const last = events.at(-1)
  if (last) await moveCursor.run(db, { bookId: book.id, eventId: last.id })
  return events.length === PAGE
}

/**
 * Processes all events of a book within a transaction: called before a webhook's subscription changes, so that
 * earlier events follow the earlier subscription.
 */
export async function fanOutWithin(ctx: Ctx): Promise<void> {
  while (await handOutPage(ctx.env, ctx.db, ctx.book));
}

/** Creates the deliveries of every unprocessed event of a book. Writes nothing without a matching webhook. */
async function fanOutBook(env: AppEnvironment, book: Book): Promise<void> {
  const { store } = env
  for (;;) {
    const reader = store.readerOf(book.companyId)
    const endpoints = await endpointsOf(reader, book.id)
    if (endpoints.length === 0) return
    const start = await startOf(reader, book.id, endpoints)
    if ((await bookEventsAfter(reader, book.id, start, 1)).length === 0) return
    if (!(await store.transaction(book.companyId, (db) => handOutPage(env, db, book)))) return
  }
}

/** Does so for each book of a company that has a webhook. */
export async function fanOut(env: AppEnvironment, company: CompanyBooks): Promise<void> {
  const rows = await company.reader
    .selectFrom('webhooks')
    .select('book_id')
    .distinct()
    .where('book_id', 'in', numberList(idsOf(company)))
    .orderBy('book_id')
    .execute()
  const withWebhooks = new Set(rows.map((row) => row.book_id))
  for (const book of company.books) if (withWebhooks.has(book.id)) await fanOutBook(env, book)
}
