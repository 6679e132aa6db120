/**
 * Position of a pass. Full passes go by identifier; passes over changes go by the time of the last change, which Odoo
 * shows in seconds and sorts by microseconds: so the last second of a page never counts as complete.
 */
import { CursorRefused } from '../port.ts'
import type { Json } from '../reading/untrusted-values.ts'
import type { Domain } from './call.ts'
import { isId } from './call.ts'

/** Rows of a page. */
export const PAGE_SIZE = 200
/** Identifiers per page: each is only a few bytes. */
export const IDS_SIZE = 1000
/** A change may be committed later than its timestamp: this interval is read again. */
const OVERLAP_SECONDS = 300

export type PagePosition =
  | { pass: 'all'; afterId: number; mark: string | null }
  /** Changed at or after a second, except the rows of that second that were already read. */
  | { pass: 'changed'; from: string; without: number[] }
  /** Changed within one second in which more rows changed than a page holds. */
  | { pass: 'within'; second: string; afterId: number }
  /** Identifiers alone, to find deleted records. */
  | { pass: 'present'; afterId: number; mark: string | null }

const TIME = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.\d+)?$/

/** Returns `YYYY-MM-DD HH:MM:SS` in UTC, or null for anything else. */
export function timeOf(value: unknown): string | null {
  const time = typeof value === 'string' ? (TIME.exec(value)?.[1] ?? null) : null
  return time === null || Number.isNaN(Date.parse(`${time.replace(' ', 'T')}Z`)) ? null : time
}

function shifted(time: string, seconds: number): string {
  const at = new Date(Date.parse(`${time.replace(' ', 'T')}Z`) + seconds * 1000)
  return at.toISOString().slice(0, 19).replace('T', ' ')
}

/** Parses a cursor of ours. Throws `CursorRefused` for any other. */
export function pagePositionOf(cursor: string | null, since: string | null): PagePosition {
  if (cursor !== null) return placeOfCursor(cursor)
  const from = timeOf(since)
  return from === null
    ? { pass: 'all', afterId: 0, mark: null }
    : { pass: 'changed', from: shifted(from, -OVERLAP_SECONDS), without: [] }
}

function placeOfCursor(cursor: string): PagePosition {
  let parts: unknown
  try {
    parts = JSON.parse(cursor)
  } catch {
    throw new CursorRefused()
  }
  if (!Array.isArray(parts)) throw new CursorRefused()
  const [pass, first, second] = parts as unknown[]
  const time = timeOf(first)
  const isAfter = first === 0 || isId(first)
  if ((pass === 'all' || pass === 'present') && isAfter)
    return { pass, afterId: Number(first), mark: timeOf(second) }
  if (pass === 'changed' && time !== null && Array.isArray(second) && second.every(isId))
    return { pass, from: time, without: second }
  if (pass === 'within' && time !== null && (second === 0 || isId(second)))
    return { pass, second: time, afterId: Number(second) }
  throw new CursorRefused()
}

export function cursorOf(place: PagePosition): string {
  if (place.pass === 'changed') return JSON.stringify([place.pass, place.from, place.without])
  if (place.pass === 'within') return JSON.stringify([place.pass, place.second, place.afterId])
  return JSON.stringify([place.pass, place.afterId, place.mark])
}

/** Returns filter, order and limit of a search from a position. */
export function searchFrom(place: PagePosition): { domain: Domain; order: string; limit: number } {
  if (place.pass === 'changed') {
    const { from, without } = place
    const domain: Domain =
      without.length === 0
        ? [['write_date', '>=', from]]
        : [
            '|',
            ['write_date', '>=', shifted(from, 1)],
            '&',
            ['write_date', '>=', from],
            ['id', 'not in', without],
          ]
    return { domain, order: 'write_date,id', limit: PAGE_SIZE }
  }
  const after: Domain = [['id', '>', place.afterId]]
  if (place.pass === 'within') {
    const { second } = place
    const domain: Domain = [['write_date', '>=', second], ['write_date', '<', shifted(second, 1)], ...after]
    return { domain, order: 'id', limit: PAGE_SIZE }
  }
  return { domain: after, order: 'id', limit: place.pass === 'present' ? IDS_SIZE : PAGE_SIZE }
}

/** Returns the next position after a page of rows, and the change up to which everything was read. */
export function after(
  place: Exclude<PagePosition, { pass: 'present' }>,
  rows: readonly Json[],
): PagePosition | null {
  const isFull = rows.length >= PAGE_SIZE
  if (place.pass === 'all') return isFull ? { ...place, afterId: greatestId(rows, place.afterId) } : null
  if (place.pass === 'within')
    return isFull
      ? { ...place, afterId: greatestId(rows, place.afterId) }
      : { pass: 'changed', from: shifted(place.second, 1), without: [] }
  const times = rows.map((row) => timeOf(row.write_date) ?? place.from)
  const last = times.at(-1) ?? place.from
  if (!isFull) return { pass: 'present', afterId: 0, mark: last }
  if (times[0] === last) return { pass: 'within', second: last, afterId: 0 }
  return {
    pass: 'changed',
    from: last,
    without: rows.flatMap((row, at) => (times[at] === last && isId(row.id) ? [row.id] : [])),
  }
}

export function greatestId(rows: readonly Json[], least: number): number {
  return rows.reduce((greatest, { id }) => (isId(id) && id > greatest ? id : greatest), least)
}
