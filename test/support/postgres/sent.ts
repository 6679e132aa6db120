/** Watches what this process sends to PostgreSQL: for tests and measurements that count statements and round trips. */
import pg from 'pg'

/** What one message to the database contained. */
interface Sent {
  text: string
  values: readonly unknown[]
  /** The connection, numbered by first use. */
  connection: number
  /** True if nothing was under way on the connection, so that a new wait for its answer began. */
  startsTrip: boolean
}

export interface StatementWatch {
  readonly sent: Sent[]
  stop(): void
}

/** Watches the connections with an application name (`sello-write` of a store's writers) until `stop`. */
export function watchStatements(applicationName: string): StatementWatch {
  const client = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const original = client.query
  const sent: Sent[] = []
  const connections = new Map<object, { number: number; running: number }>()
  client.query = function (this: object, ...args: unknown[]) {
    const { connectionParameters } = this as unknown as {
      connectionParameters: { application_name?: string }
    }
    if (connectionParameters.application_name !== applicationName) return original.apply(this, args)
    let connection = connections.get(this)
    if (!connection) connections.set(this, (connection = { number: connections.size, running: 0 }))
    const [query] = args
    sent.push({
      text: typeof query === 'string' ? query : (query as { text: string }).text,
      values: (query as { values?: readonly unknown[] }).values ?? [],
      connection: connection.number,
      startsTrip: connection.running === 0,
    })
    const watched = connection
    watched.running += 1
    const end = (): void => void (watched.running -= 1)
    const { callback } = query as { callback?: (...answer: unknown[]) => void }
    if (callback) {
      Object.assign(query as object, {
        callback: (...answer: unknown[]) => {
          end()
          callback(...answer)
        },
      })
      return original.apply(this, args)
    }
    const answer = original.apply(this, args) as Promise<unknown>
    answer.then(end, end)
    return answer
  }
  return { sent, stop: () => void (client.query = original) }
}

/** Statements and round trips of the parts of transactions, each part being the work of one caller. */
export interface PartCount {
  statements: number
  trips: number
}

/** What takes the lock of a company. */
const LOCK = / for no key update\)/
const NEXT_PART = /savepoint part$/
const SAVEPOINT = /^(set constraints|savepoint|release savepoint)/

/**
 * Counts what was sent between the lock of a company and COMMIT, neither included, for each part. A message with several
 * statements counts as several; what opens and closes a part behind a savepoint belongs to it.
 */
export function partsUnderLock(sent: readonly Sent[]): PartCount[] {
  const parts: PartCount[] = []
  const open = new Map<number, PartCount>()
  for (const { text, connection, startsTrip } of sent) {
    if (LOCK.test(text)) {
      const part = { statements: 0, trips: 0 }
      open.set(connection, part)
      parts.push(part)
      continue
    }
    let part = open.get(connection)
    if (!part) continue
    if (/^(commit|rollback)$/.test(text)) {
      open.delete(connection)
      continue
    }
    if (NEXT_PART.test(text) && !text.includes('release')) {
      part = { statements: 0, trips: 0 }
      open.set(connection, part)
      parts.push(part)
    }
    part.statements += SAVEPOINT.test(text) ? text.split(';').length : 1
    if (startsTrip) part.trips += 1
  }
  return parts
}
