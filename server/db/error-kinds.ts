/** What an error of the database means, whichever engine has thrown it. */

/**
 * `taken`: another row has a value that must be unique. `refused`: the rows would contradict each other, or what they
 * protect. `unreadable`: the store itself is damaged.
 */
type DatabaseFault = 'taken' | 'refused' | 'unreadable'

const KINDS: readonly (readonly [RegExp, DatabaseFault])[] = [
  [/^(SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY|ROWID)|23505)$/, 'taken'],
  [/^(SQLITE_CONSTRAINT_|23)/, 'refused'],
  [/^(SQLITE_(CORRUPT|NOTADB|IOERR)|XX00[12]|58030)/, 'unreadable'],
]

/** Returns what an error means; null if it is no such error of the database. */
export function databaseFault(error: unknown): DatabaseFault | null {
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  return KINDS.find(([pattern]) => pattern.test(code))?.[1] ?? null
}
