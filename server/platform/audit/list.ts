/** Reads the history: pages, the events of one target, and the verification of the chain. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createCursor, readCursor } from '../../domain/contract/cursor.ts'
import { startOfDay, addDays } from '../../domain/dates.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import type { Db } from '../../db/query.ts'
import type { AuditEvent, listAuditContract, ListedEvent, verifyAuditContract } from './contract.ts'
import { auditHash } from './record.ts'
import type { HistoryRow } from './record.ts'
import type { HashedEvent } from './hashed.ts'

const DEFAULT_LIMIT = 25
/** Most events of one target that are shown with it. */
export const MOST_EVENTS = 100
/** Hashing a page of this size takes about ten milliseconds. */
const VERIFY_PAGE = 500

/** The data of a book whose history is read. */
type HistoryScope = Pick<Ctx, 'db'> & { book: Pick<Ctx['book'], 'id' | 'publicId'> }

/** Selects the events of the book with their actors. */
export function rows(ctx: HistoryScope) {
  return ctx.db
    .selectFrom('audit_events')
    .innerJoin('actors', 'actors.id', 'audit_events.actor_id')
    .select([
      'audit_events.sequence',
      'audit_events.at',
      'actors.kind as actor_kind',
      'actors.public_id as actor_id',
      'actors.name as actor_name',
      'audit_events.channel',
      'audit_events.action',
      'audit_events.target_type',
      'audit_events.target_id',
      'audit_events.target_label',
      'audit_events.outcome',
      'audit_events.code',
      'audit_events.request_id',
      'audit_events.hash',
    ])
    .where('audit_events.book_id', '=', ctx.book.id)
}

type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

/** Returns an event as a list shows it. */
export function listedEvent(row: Omit<Row, 'hash'>): ListedEvent {
  return {
    id: `aud_${row.sequence}`,
    at: new Date(row.at).toISOString(),
    actor: {
      kind: row.actor_kind,
      // The owner of a desk and the program have no identifier of their own.
      id: row.actor_id === row.actor_kind ? null : row.actor_id,
      name: row.actor_name,
    },
    channel: row.channel,
    action: row.action,
    target:
      row.target_type === null || row.target_id === null
        ? null
        : {
            type: row.target_type,
            id: row.target_id,
            ...(row.target_label === null ? {} : { label: row.target_label }),
          },
    outcome: row.outcome,
    ...(row.code === null ? {} : { code: row.code }),
  }
}

function eventOf(row: Row, previousHash: Uint8Array | null): AuditEvent {
  return {
    ...listedEvent(row),
    requestId: row.request_id,
    hash: Buffer.from(row.hash).toString('hex'),
    previousHash: previousHash ? Buffer.from(previousHash).toString('hex') : null,
  }
}

function hashedOf(row: Row, book: string): HashedEvent {
  return {
    book,
    sequence: row.sequence,
    at: row.at,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    channel: row.channel,
    action: row.action,
    target:
      row.target_type === null || row.target_id === null
        ? null
        : { type: row.target_type, id: row.target_id, label: row.target_label },
    outcome: row.outcome,
    code: row.code,
    requestId: row.request_id,
  }
}

const hashAt = prepare((db, p: { bookId: number; sequence: number }) =>
  db
    .selectFrom('audit_events')
    .select('hash')
    .where('book_id', '=', p.bookId)
    .where('sequence', '=', p.sequence),
)

/** Throws `validation_failed` if the first day is after the last. */
export function assertOrder({ from, to }: { from?: string | undefined; to?: string | undefined }): void {
  if (from && to && from > to)
    throw validationFailed([
      { code: 'dates_reversed', field: 'from', severity: 'error', message: 'from is after to.' },
    ])
}

/** Lists the history of the book, newest first. */
export const listAudit: UseCase<typeof listAuditContract> = async (ctx, input) => {
  const limit = input.limit ?? DEFAULT_LIMIT
  assertOrder(input)
  const { cursor, limit: _limit, ...filter } = input
  const position = cursor === undefined ? null : readCursor(cursor, 'audit', filter)
  let query = rows(ctx)
  if (input.from) query = query.where('audit_events.at', '>=', startOfDay(input.from).getTime())
  if (input.to) query = query.where('audit_events.at', '<', startOfDay(addDays(input.to, 1)).getTime())
  if (input.actor) {
    const actor = input.actor
    query = query.where((where) =>
      where.or([where('actors.public_id', '=', actor), where('actors.name', '=', actor)]),
    )
  }
  if (input.action) query = query.where('audit_events.action', '=', input.action)
  if (input.invoiceId) query = query.where('audit_events.target_id', '=', input.invoiceId)
  if (position) query = query.where('audit_events.sequence', '<', Number(position[0]))
  const page = await query
    .orderBy('audit_events.sequence', 'desc')
    .limit(limit + 1)
    .execute()
  const shown = page.slice(0, limit)
  const items: AuditEvent[] = []
  for (const row of shown) {
    const previous = row.sequence > 1 ? await eventHash(ctx.db, ctx.book.id, row.sequence - 1) : null
    items.push(eventOf(row, previous))
  }
  const last = shown.at(-1)
  return {
    items,
    nextCursor: page.length > limit && last ? createCursor('audit', filter, [last.sequence]) : null,
  }
}

const history = prepare((db, p: { bookId: number; targetId: string }) =>
  db
    .selectFrom('audit_events')
    .innerJoin('actors', 'actors.id', 'audit_events.actor_id')
    .select([
      'audit_events.at',
      'audit_events.action',
      'actors.kind as actor_kind',
      'actors.name as actor_name',
      'audit_events.outcome',
    ])
    .where('audit_events.book_id', '=', p.bookId)
    .where('audit_events.target_id', '=', p.targetId)
    .orderBy('audit_events.sequence')
    .limit(MOST_EVENTS),
)

/** Returns the events of one target, oldest first; at most `MOST_EVENTS`. */
export function historyOf(ctx: Ctx, targetId: string): Promise<HistoryRow[]> {
  return history.all(ctx.db, { bookId: ctx.book.id, targetId })
}

/** An event with the data needed to verify the chain elsewhere: the hashed content and the hash. */
interface ProvenEvent {
  event: HashedEvent
  hash: string
}

/** Returns the number of events and the last hash; 0 before the first event. */
export async function historyHead(ctx: Ctx): Promise<{ events: number; head: string | null }> {
  const last = await ctx.db
    .selectFrom('audit_events')
    .select(['sequence', 'hash'])
    .where('book_id', '=', ctx.book.id)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { events: last?.sequence ?? 0, head: headOf(last?.hash ?? null) }
}

/** Returns the last event of the history; null if there is none, or its content does not match its hash. */
export async function provenHead(
  scope: HistoryScope,
): Promise<{ sequence: number; hash: Uint8Array } | null> {
  const [last, previous] = await rows(scope).orderBy('audit_events.sequence', 'desc').limit(2).execute()
  if (!last) return null
  return auditHash(hashedOf(last, scope.book.publicId), previous?.hash ?? null).equals(last.hash)
    ? last
    : null
}

/** Returns the hash of an event of the history; null if the book has no such event. */
export async function eventHash(db: Db, bookId: number, sequence: number): Promise<Uint8Array | null> {
  return (await hashAt.first(db, { bookId, sequence }))?.hash ?? null
}

/** Returns the history from its first event up to a sequence number, one page at a time. */
export async function* provenEvents(ctx: Ctx, last: number): AsyncGenerator<ProvenEvent[]> {
  for (let after = 0; after < last;) {
    const page = await pageAfter(ctx, after)
    const end = page.at(-1)
    if (!end) return
    yield page
      .filter(({ sequence }) => sequence <= last)
      .map((row) => ({
        event: hashedOf(row, ctx.book.publicId),
        hash: Buffer.from(row.hash).toString('hex'),
      }))
    after = end.sequence
    await nextTurn()
  }
}

function pageAfter(ctx: Ctx, sequence: number): Promise<Row[]> {
  return rows(ctx)
    .where('audit_events.sequence', '>', sequence)
    .orderBy('audit_events.sequence')
    .limit(VERIFY_PAGE)
    .execute()
}

/** Recomputes the chain from its first event. */
export const verifyAudit: UseCase<typeof verifyAuditContract> = async (ctx) => {
  let previous: Uint8Array | null = null
  let events = 0
  for (;;) {
    const page = await pageAfter(ctx, events)
    for (const row of page) {
      const why =
        row.sequence !== events + 1
          ? 'an event is missing'
          : auditHash(hashedOf(row, ctx.book.publicId), previous).equals(row.hash)
            ? null
            : 'its content does not match its hash'
      if (why) return { ok: false, events, head: headOf(previous), broken: { id: `aud_${events + 1}`, why } }
      events = row.sequence
      previous = row.hash
    }
    if (page.length < VERIFY_PAGE) return { ok: true, events, head: headOf(previous) }
    // The store answers synchronously: other work runs between pages.
    await nextTurn()
  }
}

function headOf(hash: Uint8Array | null): string | null {
  return hash ? Buffer.from(hash).toString('hex') : null
}
