/** Watches the statements that stores send to PostgreSQL, and the rows that come back; may send others instead. */
import type { PoolClient } from 'pg'
import type { OfficePools } from '../../../server/db/postgres/store.ts'

/** A statement as it is sent. */
export interface Statement {
  text: string
  values: readonly unknown[]
  /** For whom its transaction is: a company by its row, the whole installation, or nobody. */
  scope: number | 'installation' | null
}

interface Watcher {
  /** Returns the statement that is sent instead. */
  rewrite?(statement: Statement): Pick<Statement, 'text' | 'values'>
  /** Called with the rows of each answer, and with none for a statement that failed. */
  onAnswer(statement: Statement, rows: readonly Record<string, unknown>[]): void
}

interface Answer {
  rows: Record<string, unknown>[]
}

interface Sent {
  text: string
  values?: unknown[]
  name?: string
  callback?: (error: unknown, answer: Answer) => void
}

/** By pool, since its connections live longer than a watch. */
const watchers = new WeakMap<object, Watcher>()
const watched = new WeakSet<object>()

function watchClient(client: PoolClient, pool: object): void {
  if (watched.has(client)) return
  watched.add(client)
  // Looked up at each call: other tests watch all connections by their prototype.
  const query = (...given: unknown[]): unknown =>
    (Object.getPrototypeOf(client) as { query: (...args: unknown[]) => unknown }).query.apply(client, given)
  let scope: Statement['scope'] = null
  client.query = ((given: string | Sent, ...more: unknown[]) => {
    const { text, values = [] } = typeof given === 'string' ? { text: given } : given
    if (/^begin/i.test(text)) scope = null
    const statement: Statement = { text, values, scope }
    if (text.includes("set_config('sello.scope'"))
      scope = values[1] === 'installation' ? 'installation' : Number(values[0])
    const watcher = watchers.get(pool)
    if (!watcher || typeof given === 'string' || !given.callback) return query(given, ...more)
    const sent = watcher.rewrite?.(statement) ?? statement
    const { callback } = given
    Object.assign(given, {
      text: sent.text,
      values: [...sent.values],
      // A prepared statement has one text.
      name: sent.text === text ? given.name : undefined,
      callback: (error: unknown, answer: Answer) => {
        watcher.onAnswer(statement, error ? [] : answer.rows)
        callback(error, answer)
      },
    })
    return query(given, ...more)
  }) as PoolClient['query']
}

/** Watches everything that the stores of these pools send from now on; returns what ends it. */
export function watchStatements({ writers, readers }: OfficePools, watcher: Watcher): () => void {
  for (const pool of [writers, readers]) {
    if (!watched.has(pool)) {
      watched.add(pool)
      pool.on('acquire', (client) => watchClient(client, pool))
    }
    watchers.set(pool, watcher)
  }
  return () => {
    for (const pool of [writers, readers]) watchers.delete(pool)
  }
}
