/** Rows chosen by name, as a person selects them in a list. */
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { AppError } from '../domain/errors/catalog.ts'

/**
 * The condition that a row is one of those named, by its public id in `column`; `count` says how many rows meet it. Throws
 * `not_found` at `ids` when one named is of nobody, so that a file never lacks a row that was asked for.
 */
export async function chosen(
  ids: readonly string[],
  column: string,
  count: (named: RawBuilder<SqlBool>) => Promise<number>,
): Promise<RawBuilder<SqlBool>> {
  const named = sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`
  if ((await count(named)) < new Set(ids).size) throw new AppError('not_found', { field: 'ids' })
  return named
}
