/** Reads: each in a short transaction for one company, related ones together in one. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Pool, PoolClient } from 'pg'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Db } from '../query.ts'
import { createKysely, runOn } from './connection.ts'
import type { Client } from './connection.ts'
import { giveBack, isConnectionLost, isPlanOutdated, refusalOf, send } from './pool.ts'
import { PRESENCE, readRefusal } from './presence.ts'
import type { Presence } from './presence.ts'
import { sendScope } from './scope.ts'

type Run<T> = (client: Client) => Promise<T>

/**
 * A transaction that related reads share. It begins with the first statement and ends as soon as none is under way,
 * so that no connection is held while a request does other work; the next statement begins another one.
 */
class SharedReading {
  readonly companyId: number | null
  private readonly pool: Pool
  private client: Promise<Opened> | null = null
  private running = 0

  constructor(pool: Pool, companyId: number | null) {
    this.pool = pool
    this.companyId = companyId
  }

  async run<T>(work: Run<T>): Promise<T> {
    this.running += 1
    const opened = (this.client ??= open(this.pool, this.companyId))
    try {
      const { client, presence } = await opened
      const result = await work(client)
      // It was sent before the statement, so that its answer is there.
      const refusal = await presence
      if (refusal) throw refusal
      return result
    } catch (error) {
      // The transaction is over, and with it the statements of others on this connection.
      if (this.client === opened && !(error instanceof AppError)) {
        this.client = null
        opened.then(({ client }) => giveBack(client, error)).catch(() => {})
      }
      throw error
    } finally {
      this.running -= 1
      if (this.running === 0) setImmediate(() => this.end())
    }
  }

  private end(): void {
    if (this.running > 0 || !this.client) return
    const opened = this.client
    this.client = null
    opened.then(close).catch(() => {})
  }
}

interface Opened {
  client: PoolClient
  /** Why the company may not be read here; null if it may. */
  presence: Promise<Error | null>
}

const HERE = `select ${PRESENCE} from companies where id = $1`

async function open(pool: Pool, companyId: number | null): Promise<Opened> {
  const client = await pool.connect()
  send(client, 'begin read only')
  sendScope(client, companyId)
  const presence =
    companyId === null
      ? Promise.resolve(null)
      : runOn(client, HERE, [companyId]).then(
          ({ rows: [row] }) => (row ? readRefusal(row as unknown as Presence) : null),
          // The statement that follows fails for the same reason.
          () => null,
        )
  return { client, presence }
}

function close({ client }: Opened): void {
  client.query('commit').then(
    () => giveBack(client),
    (error: unknown) => giveBack(client, error),
  )
}

/** Runs of one statement, the first included: a migration may change the columns that it answers. */
const MOST_RUNS = 3

/** Returns true if another statement has failed in the transaction that this one shared. */
function isAborted(error: unknown): boolean {
  return (error as { code?: unknown }).code === '25P02'
}

/** Most readers of companies that are kept: making one costs more than most queries. */
const MOST_READERS = 1_000

export class Reading {
  private readonly pool: Pool
  private readonly shared = new AsyncLocalStorage<SharedReading>()
  private readonly readers = new Map<number | null, Db>()

  constructor(pool: Pool) {
    this.pool = pool
  }

  /** Returns a reader of committed rows of a company; null: of the whole installation. */
  readerOf(companyId: number | null): Db {
    const known = this.readers.get(companyId)
    if (known) return known
    const reader = createKysely((work) => this.run(companyId, work))
    if (this.readers.size >= MOST_READERS) this.readers.clear()
    this.readers.set(companyId, reader)
    return reader
  }

  /** Runs related reads of a company in one transaction. */
  together<T>(companyId: number | null, work: () => Promise<T>): Promise<T> {
    if (this.shared.getStore()?.companyId === companyId) return work()
    return this.shared.run(new SharedReading(this.pool, companyId), work)
  }

  private async run<T>(companyId: number | null, work: Run<T>): Promise<T> {
    const shared = this.shared.getStore()
    for (let run = 1; ; run += 1) {
      try {
        if (shared?.companyId === companyId) return await shared.run(work)
        return await new SharedReading(this.pool, companyId).run(work)
      } catch (error) {
        if (run < MOST_RUNS && (isPlanOutdated(error) || isAborted(error))) continue
        throw isConnectionLost(error) ? refusalOf(error) : error
      }
    }
  }
}
