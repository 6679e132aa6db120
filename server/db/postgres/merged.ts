/**
 * Several writes as one statement: a round trip and a message of the protocol cost more than most writes. PostgreSQL
 * runs the parts of a `with` on one snapshot, so that no part may depend on another.
 */
import type { Bindable } from '../engines.ts'

export interface Write {
  readonly sql: string
  readonly values: readonly Bindable[]
}

/** The table that a write changes, or that a query reads first. */
const TABLE = /^(?:insert into|update|delete from|select [^()]* from) "(\w+)"/
/** A text in quotes with what looks like a value: it cannot be renumbered. */
const UNSAFE = /'[^']*\$\d/

/** Most texts whose merged form is kept. */
const MOST_MERGED = 2_000

const tables = new Map<string, string | null>()

/** Returns the table that a statement writes or reads; null if it cannot be merged. */
export function tableOf(sql: string): string | null {
  let table = tables.get(sql)
  if (table !== undefined) return table
  table = UNSAFE.test(sql) ? null : (TABLE.exec(sql)?.[1] ?? null)
  if (tables.size >= MOST_MERGED) tables.clear()
  tables.set(sql, table)
  return table
}

const merged = new Map<string, string>()

/** Returns one statement for writes to different tables; the result is that of the last one. */
export function mergedWrites(writes: readonly Write[]): Write {
  const [first] = writes
  if (first && writes.length === 1) return first
  return { sql: mergedText(writes.map(({ sql }) => sql)), values: writes.flatMap(({ values }) => values) }
}

function mergedText(texts: readonly string[]): string {
  const key = texts.join('\u0000')
  const known = merged.get(key)
  if (known !== undefined) return known
  let before = 0
  const parts = texts.map((text) => {
    let most = 0
    const renumbered = text.replaceAll(/\$(\d+)/g, (_, number: string) => {
      most = Math.max(most, Number(number))
      return `$${before + Number(number)}`
    })
    before += most
    return renumbered
  })
  const last = parts.pop() ?? ''
  const text = `with ${parts.map((part, index) => `w${index} as (${part})`).join(', ')} ${last}`
  if (merged.size >= MOST_MERGED) merged.clear()
  merged.set(key, text)
  return text
}
