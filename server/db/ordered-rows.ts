/** Rows of a list in its order: pages by cursor, stretches by position, all of them piece by piece, and how many there are. */
import { sql } from 'kysely'
import type { SelectQueryBuilder, SqlBool } from 'kysely'
import { createCursor, readCursor } from '../domain/contract/cursor.ts'

type Position = (string | number | null)[]

/** The order of a list. The last column tells apart rows that are equal in the others. */
export interface RowOrder<Row> {
  /** SQL of the columns, the one that decides first. */
  columns: readonly string[]
  descending?: boolean
  /** The values of these columns in a row. */
  position: (row: Row) => Position
}

/** Rows that are in memory at a time while all of a list are read. */
const BATCH = 500

/** Orders rows. */
export function inOrder<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { columns, descending = false }: Pick<RowOrder<never>, 'columns' | 'descending'>,
): SelectQueryBuilder<DB, TB, Row> {
  let ordered = query
  for (const column of columns) ordered = ordered.orderBy(sql.raw(column), descending ? 'desc' : 'asc')
  return ordered
}

/** Leaves the rows after a position. Row values: the OR form of the same condition cannot use the index. */
function after<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { columns, descending = false }: Pick<RowOrder<never>, 'columns' | 'descending'>,
  position: Position,
): SelectQueryBuilder<DB, TB, Row> {
  const names = sql.join(columns.map((column) => sql.raw(column)))
  return query.where(sql<SqlBool>`(${names}) ${sql.raw(descending ? '<' : '>')} (${sql.join(position)})`)
}

export interface CursorPage {
  /** Name of the list, and the filter and order that its cursors are good for. */
  list: string
  bound: object
  cursor: string | undefined
  limit: number
  /** Rows to leave out; for lists that can be read by position as well. */
  offset?: number | undefined
}

/**
 * Reads a page that stays right while rows are inserted. `query` is null where the filter names nothing. Throws
 * `validation_failed` when the cursor belongs to another list or filter.
 */
export async function cursorPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row> | null,
  order: RowOrder<Row>,
  { list, bound, cursor, limit, offset = 0 }: CursorPage,
): Promise<{ rows: Row[]; nextCursor: string | null }> {
  const position = cursor === undefined ? null : readCursor(cursor, list, bound)
  if (query === null) return { rows: [], nextCursor: null }
  const from = position ? after(query, order, position) : query
  let page = inOrder(from, order).limit(limit + 1)
  if (offset > 0) page = page.offset(offset)
  const found = (await page.execute()) as Row[]
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return {
    rows,
    nextCursor: found.length > limit && last ? createCursor(list, bound, order.position(last)) : null,
  }
}

/** Reads all rows of a list in its order, one batch at a time. */
export async function* batchesOf<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row> | null,
  order: RowOrder<Row>,
): AsyncGenerator<readonly Row[], void, undefined> {
  if (query === null) return
  for (let from = query; ;) {
    const rows = (await inOrder(from, order).limit(BATCH).execute()) as Row[]
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    from = after(query, order, order.position(last))
  }
}

/** Counts the rows of a list. */
export async function countOf<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
): Promise<number> {
  const counted = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return (counted as { count: number }).count
}
