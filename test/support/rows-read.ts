/**
 * Counts the rows that statements read. A function that counts its calls is the first condition of a statement:
 * SQLite calls it for each row of an index or a scan, before any other condition that the index does not answer.
 */
import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import type { Connection } from '../../server/db/embedded/connection.ts'

interface Ran {
  source: string
  values: unknown[]
}
type Method = (this: { source: string }, ...values: unknown[]) => unknown

/** Collects every query that runs from now on until the end of the test, with its parameters. */
export function watchQueries(): Ran[] {
  const ran: Ran[] = []
  const probe = new Database(':memory:')
  const prototype = Object.getPrototypeOf(probe.prepare('select 1')) as Record<string, Method>
  probe.close()
  for (const name of ['all', 'get', 'iterate']) {
    const real = prototype[name]!
    prototype[name] = function (...values) {
      if (/^\s*(select|with)\b/i.test(this.source)) ran.push({ source: this.source, values })
      return real.apply(this, values)
    }
    onTestFinished(() => void (prototype[name] = real))
  }
  return ran
}

/** Matches the first table of each level of a statement with conditions. */
const LEVEL = /\bfrom "(\w+)"((?: as "(\w+)")?(?:(?!\bfrom\b|\bunion\b|\bwhere\b)[\s\S])*?) where /g

/** Returns how many rows of these tables a query reads when it runs again. */
export function rowsRead({ handle }: Connection, { source, values }: Ran, tables: RegExp): number {
  let count = 0
  let isWatched = false
  const counted = source.replace(LEVEL, (whole, table: string, rest: string, alias?: string) => {
    if (!tables.test(table)) return whole
    isWatched = true
    return `from "${table}"${rest} where rows_read("${alias ?? table}".rowid) and `
  })
  if (!isWatched) return 0
  handle.function('rows_read', { deterministic: false, varargs: true }, () => {
    count += 1
    return 1
  })
  handle.prepare(counted).all(...values)
  return count
}
