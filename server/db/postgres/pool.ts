/** Connections to the database: two pools, so that a transaction that also reads never waits for its own connection. */
import pg from 'pg'
import type { PoolClient, PoolConfig } from 'pg'
import { AppError } from '../../domain/errors/app-error.ts'
import { valueTypes } from './values.ts'

/** Longest time to wait for a connection or a lock, and that a transaction may stand idle. */
export const WAIT_MS = 5_000
/** Longest time of one statement. */
export const STATEMENT_MS = 30_000
/** The driver gives up after the server had to: then the connection itself is silent. */
const SILENCE_MS = STATEMENT_MS + WAIT_MS

interface PoolOptions {
  /** Where the database is: `postgresql://user@host/name`, with `sslmode` and `sslrootcert` as the driver knows them. */
  url: string
  /** Most connections of this process that write, and most that read. */
  connections: number
  /** Longest time without an answer to a statement, in milliseconds; 0 waits without limit. */
  silenceMs?: number
  /** Called when an idle connection is lost; the pool replaces it. */
  onLost: (error: Error) => void
}

/** Creates a pool. It connects with the first query. */
export function createPool(
  { url, connections, silenceMs = SILENCE_MS, onLost }: PoolOptions,
  name: string,
): pg.Pool {
  const config: PoolConfig & { pipeline: boolean } = {
    connectionString: url,
    application_name: name,
    max: connections,
    // Statements are sent without waiting for the answers to those before them.
    pipeline: true,
    types: valueTypes,
    connectionTimeoutMillis: WAIT_MS,
    query_timeout: silenceMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 1_000,
    allowExitOnIdle: true,
  }
  const pool = new pg.Pool(config)
  // Without a listener the loss of an idle connection ends the process.
  pool.on('error', onLost)
  // The same for one that is in use and lost between two statements: the next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Returns true if the connection, and not the statement, has failed. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message = '' } = error as { code?: unknown; message?: string }
  if (typeof code === 'string')
    return /^(08|57P0|58)|^(ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EHOST|ENETUN|EAI_AGAIN|ENOENT)/.test(code)
      ? true
      : code === '25P03'
  return /Connection terminated|connection timeout|not queryable|Query read timeout|timeout exceeded when trying to connect/i.test(
    message,
  )
}

/**
 * The trigger's answer to a line whose account is gone: another server may have deleted it since this one remembered its
 * identifier.
 */
const ACCOUNT_GONE = 'sealed: journal_lines'

/** Returns true if a prepared statement answers columns that a migration has changed since: it is prepared again then. */
export function isPlanOutdated(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === '0A000' && message === 'cached plan must not change result type'
}

/**
 * Returns true if the same work may succeed when it is run again from its start: a deadlock, changes that crossed, a row
 * that was remembered and is gone, or a migration in between.
 */
export function isWorthAnotherTry(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return /^(40001|40P01)$/.test(String(code)) || message === ACCOUNT_GONE || isPlanOutdated(error)
}

/** Returns the answer to a caller whose work cannot be done now; any other error unchanged. */
export function refusalOf(error: unknown): unknown {
  const reason = isConnectionLost(error)
    ? 'database_unreachable'
    : (error as { code?: unknown }).code === '55P03'
      ? 'busy'
      : (error as { code?: unknown }).code === '53100'
        ? 'disk_full'
        : null
  if (reason === null) return error
  return new AppError('store_readonly', { details: { reason }, retryAfterSeconds: 5, cause: error })
}

/** Gives a connection back; one that is lost or in an unknown state is closed. */
export function giveBack(client: PoolClient, error?: unknown): void {
  client.release(error === undefined ? undefined : true)
}

/** Sends a statement whose failure shows in the next one on the same connection. */
export function send(client: PoolClient, text: string): void {
  client.query(text).catch(() => {})
}
