/**
 * Cursors: a position in a list as opaque text, bound to the list and its filter, so that it cannot be used with
 * another list or filter.
 */
import { canonicalJson } from '../canonical-json.ts'
import { sha256Hex } from '../sha256.ts'
import { validationFailed } from '../errors/app-error.ts'

type Position = (string | number | null)[]

/** Detects mistakes, not malice: a caller who computes it only moves within a list that the caller may read. */
function markOf(list: string, filter: unknown, position: Position): string {
  return sha256Hex(`${list}:${canonicalJson(filter)}:${canonicalJson(position)}`).slice(0, 12)
}

/** Creates the cursor for the position after the last row shown. */
export function createCursor(list: string, filter: unknown, position: Position): string {
  return Buffer.from(JSON.stringify([markOf(list, filter, position), ...position]), 'utf8').toString(
    'base64url',
  )
}

/** Returns the position in a cursor. Throws `validation_failed` if the cursor is invalid or belongs to another filter. */
export function readCursor(cursor: string, list: string, filter: unknown): Position {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(parsed)) {
      const [mark, ...position] = parsed as unknown[]
      const plain = position.every(
        (part) => part === null || typeof part === 'string' || typeof part === 'number',
      )
      if (plain && mark === markOf(list, filter, position as Position)) return position as Position
    }
  } catch {
    // Falls through to the single answer for every unusable cursor.
  }
  throw validationFailed([
    {
      code: 'cursor_invalid',
      field: 'cursor',
      severity: 'error',
      message: 'The cursor does not belong to this list and filter.',
      fix: 'Start again without a cursor, keeping the filter the same from page to page.',
    },
  ])
}

/**
 * Returns the row number in the cursor of a list ordered by row number alone. Throws `validation_failed` like
 * `readCursor`.
 */
export function lastIdIn(cursor: string, list: string, filter: unknown): number {
  return Number(readCursor(cursor, list, filter)[0])
}

/** Returns a page of rows, of which one more was read than is shown, and the cursor to the next page. */
export function pageById<Row extends { id: number }>(
  rows: readonly Row[],
  limit: number,
  list: string,
  filter: unknown,
): { shown: readonly Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { shown, nextCursor: rows.length > limit && last ? createCursor(list, filter, [last.id]) : null }
}
