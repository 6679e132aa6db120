/** Rows selected by identifier, as a person selects them in a list. */
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { AppError } from '../domain/errors/app-error.ts'
import { isOneOfStrings } from './engine-sql.ts'

/**
 * Returns the condition that a row is one of the given ones, by its public id in `column`; `count` counts the
 * matching rows. Throws `not_found` at `ids` if one does not exist, so that a file never lacks a requested row.
 */
export async function chosen(
  ids: readonly string[],
  column: string,
  count: (named: RawBuilder<SqlBool>) => Promise<number>,
): Promise<RawBuilder<SqlBool>> {
  const named = isOneOfStrings(sql.ref(column), JSON.stringify(ids))
  if ((await count(named)) < new Set(ids).size) throw new AppError('not_found', { field: 'ids' })
  return named
}
