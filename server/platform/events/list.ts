/** Lists events, for programs that poll. */
import type { listEventsContract } from './contract.ts'
import { createCursor, readCursor } from '../../domain/contract/cursor.ts'
import { addDays, startOfDay } from '../../domain/dates.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import type { UseCase } from '../../context.ts'
import { storedEvent } from './emit.ts'
import { eventView, readEventId, readTypes } from './view.ts'

const DEFAULT_LIMIT = 25

/** Lists events newest first, or oldest first from a given event on. */
export const listEvents: UseCase<typeof listEventsContract> = async (
  ctx,
  { limit = DEFAULT_LIMIT, cursor, ...filter },
) => {
  const { book } = ctx
  const types = readTypes(filter.types)
  if (filter.from !== undefined && filter.to !== undefined && filter.from > filter.to)
    throw validationFailed([
      { code: 'dates_reversed', field: 'from', severity: 'error', message: 'from is after to.' },
    ])
  let query = ctx.db
    .selectFrom('events')
    .leftJoin('actors', 'actors.id', 'events.actor_id')
    .select([
      'events.id',
      'events.type',
      'events.at',
      'events.data',
      'actors.kind as actorKind',
      'actors.public_id as actorId',
      'actors.name as actorName',
    ])
    .where('events.book_id', '=', book.id)
    .limit(limit + 1)
  if (types) query = query.where('events.type', 'in', [...types])
  if (filter.from !== undefined) query = query.where('events.at', '>=', startOfDay(filter.from).getTime())
  if (filter.to !== undefined)
    query = query.where('events.at', '<', startOfDay(addDays(filter.to, 1)).getTime())
  const isForward = filter.after !== undefined
  if (filter.after !== undefined)
    query = query.where('events.id', '>', readEventId(book, filter.after, 'after'))
  if (cursor !== undefined) {
    const [id] = readCursor(cursor, 'events', filter)
    query = query.where('events.id', isForward ? '>' : '<', Number(id))
  }
  const rows = await query.orderBy('events.id', isForward ? 'asc' : 'desc').execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map((row) => eventView(book, storedEvent({ ...row, book: book.publicId, mode: book.mode }))),
    nextCursor: rows.length > limit && last ? createCursor('events', filter, [last.id]) : null,
  }
}
