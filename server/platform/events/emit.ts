/** The outbox: events written in the transaction of their change, for the window, streams and webhooks. */
import { canonicalJson } from '../../domain/canonical-json.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/query.ts'
import { prepare } from '../../db/query.ts'
import { actorRow } from '../audit/index.ts'
import type { EventData } from './contract.ts'
import type { EventType } from './types.ts'

interface NewEvent {
  bookId: number
  type: string
  at: number
  data: string
  actorId: number
}

const insert = prepare((db, p: NewEvent) =>
  db
    .insertInto('events')
    .values({ book_id: p.bookId, type: p.type, at: p.at, data: p.data, actor_id: p.actorId }),
)

/** Writes an event to the outbox. `data` contains identifiers, never content. */
export async function emitEvent<Type extends EventType>(
  ctx: Ctx,
  type: Type,
  data: EventData<Type>,
): Promise<void> {
  if (!ctx.inTransaction) throw new Error('An event is written in the transaction of the fact it tells.')
  await insert.later(ctx.db, {
    bookId: ctx.book.id,
    type,
    at: ctx.now().getTime(),
    data: canonicalJson(data),
    actorId: await actorRow(ctx),
  })
  ctx.wake('events')
}

export interface StoredEvent {
  id: number
  bookId: string
  mode: 'live' | 'test'
  type: string
  createdAt: string
  data: Record<string, unknown>
  /** Who did it; null for events of versions that did not record it. */
  actor: { kind: 'user' | 'key' | 'system'; id: string; name: string } | null
}

/** Columns of an event with its book and whoever did it. */
const COLUMNS = [
  'events.id',
  'books.public_id as book',
  'books.mode',
  'events.type',
  'events.at',
  'events.data',
  'actors.kind as actorKind',
  'actors.public_id as actorId',
  'actors.name as actorName',
] as const

const after = prepare((db, p: { id: number; limit: number }) =>
  db
    .selectFrom('events')
    .innerJoin('books', 'books.id', 'events.book_id')
    .leftJoin('actors', 'actors.id', 'events.actor_id')
    .select(COLUMNS)
    .where('events.id', '>', p.id)
    .orderBy('events.id')
    .limit(p.limit),
)

const afterInCompany = prepare((db, p: { companyId: number; id: number; limit: number }) =>
  db
    .selectFrom('events')
    .innerJoin('books', 'books.id', 'events.book_id')
    .leftJoin('actors', 'actors.id', 'events.actor_id')
    .select(COLUMNS)
    .where('books.company_id', '=', p.companyId)
    .where('events.id', '>', p.id)
    .orderBy('events.id')
    .limit(p.limit),
)

const newestInCompany = prepare((db, p: { companyId: number }) =>
  db
    .selectFrom('events')
    .innerJoin('books', 'books.id', 'events.book_id')
    .select('events.id')
    .where('books.company_id', '=', p.companyId)
    .orderBy('events.id', 'desc')
    .limit(1),
)

const newest = prepare((db, _p: Record<string, never>) =>
  db.selectFrom('events').select('id').orderBy('id', 'desc').limit(1),
)
const newestInBook = prepare((db, p: { bookId: number }) =>
  db.selectFrom('events').select('id').where('book_id', '=', p.bookId).orderBy('id', 'desc').limit(1),
)

interface EventRow {
  id: number
  book: string
  mode: 'live' | 'test'
  type: string
  at: number
  data: string
  actorKind: 'user' | 'key' | 'system' | null
  actorId: string | null
  actorName: string | null
}

export function storedEvent({ id, book, mode, type, at, data, ...actor }: EventRow): StoredEvent {
  const { actorKind: kind, actorId, actorName: name } = actor
  return {
    id,
    bookId: book,
    mode,
    type,
    createdAt: new Date(at).toISOString(),
    data: JSON.parse(data) as Record<string, unknown>,
    actor: kind === null || actorId === null || name === null ? null : { kind, id: actorId, name },
  }
}

/**
 * Returns the events after a given one, of all books, oldest first. Where several companies write at a time an event
 * with a lower id may be committed later: on a desk only.
 */
export async function eventsAfter(db: Db, id: number, limit = 200): Promise<StoredEvent[]> {
  return (await after.all(db, { id, limit })).map(storedEvent)
}

const afterInBook = prepare((db, p: { bookId: number; id: number; limit: number }) =>
  db
    .selectFrom('events')
    .innerJoin('books', 'books.id', 'events.book_id')
    .leftJoin('actors', 'actors.id', 'events.actor_id')
    .select(COLUMNS)
    .where('events.book_id', '=', p.bookId)
    .where('events.id', '>', p.id)
    .orderBy('events.id')
    .limit(p.limit),
)

/** Returns the events of one book after a given one, oldest first. */
export async function bookEventsAfter(
  db: Db,
  bookId: number,
  id: number,
  limit: number,
): Promise<StoredEvent[]> {
  return (await afterInBook.all(db, { bookId, id, limit })).map(storedEvent)
}

/**
 * Returns the id of the newest event of a book, 0 if there is none. Every later event of the book has a higher one,
 * which is not so across books: identifiers are given before the commit.
 */
export async function newestBookEventId(db: Db, bookId: number): Promise<number> {
  return (await newestInBook.first(db, { bookId }))?.id ?? 0
}

/** Returns the events of both books of a company after a given one, oldest first. */
export async function companyEventsAfter(
  db: Db,
  companyId: number,
  id: number,
  limit: number,
): Promise<StoredEvent[]> {
  return (await afterInCompany.all(db, { companyId, id, limit })).map(storedEvent)
}

/**
 * Returns the id of the newest event of a company, 0 if there is none. Every later event of the company has a higher
 * one: its transactions run one after another.
 */
export async function newestCompanyEventId(db: Db, companyId: number): Promise<number> {
  return (await newestInCompany.first(db, { companyId }))?.id ?? 0
}

/** Returns the newest event's id, 0 if there is none. */
export async function newestEventId(db: Db): Promise<number> {
  return (await newest.first(db, {}))?.id ?? 0
}
