/**
 * The state of a server of an office: whether its database answers, the report that it runs, and the lag of its event
 * loop. It has connections of its own, so that a pool full of requests does not look like a database that is gone.
 */
import { hostname } from 'node:os'
import type { Pool } from 'pg'
import type { AppEnvironment } from '../../context.ts'
import { assertSchema } from '../../db/postgres/migrate.ts'
import { createPool } from '../../db/postgres/pool.ts'
import { forgetServer, REPORT_MS, reportServer } from '../../db/postgres/tables/servers.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Log } from '../../platform/log.ts'

/** Connections of its own: for probes and reports, and for figures. */
const CONNECTIONS = 2
/** Longest time in which the database answers a probe. */
const ANSWER_MS = 2_000
/** An answer serves all probes of this time. */
const SAME_ANSWER_MS = 250
const LAG_EVERY_MS = 100
/** The greatest lag is that of this time and of as much before it. */
const LAG_WINDOW_MS = 5_000
/** A process whose event loop stood still for longer does not turn. */
const LAG_LIMIT_MS = 2_500

/** Why a server takes no requests; null if it does. */
type NotReady = 'stopping' | 'database_unreachable' | 'database_standby' | 'schema' | null

export interface OfficeWatch {
  readonly pool: Pool
  /** Asks the database. */
  readiness(): Promise<NotReady>
  health(): { ok: boolean; lagMs: number }
  /** From now on `readiness` is `stopping`. */
  leave(): void
  /** Deletes the report, and ends the connections. */
  close(): Promise<void>
}

class EventLoopLag {
  private current = 0
  private before = 0
  private due = performance.now() + LAG_EVERY_MS
  private windowEnds = performance.now() + LAG_WINDOW_MS
  private readonly timer = setInterval(() => this.note(performance.now()), LAG_EVERY_MS)

  constructor() {
    this.timer.unref()
  }

  private note(now: number): void {
    if (now > this.windowEnds) {
      this.before = now > this.windowEnds + LAG_WINDOW_MS ? 0 : this.current
      this.current = 0
      this.windowEnds = now + LAG_WINDOW_MS
    }
    this.current = Math.max(this.current, now - this.due)
    this.due = now + LAG_EVERY_MS
  }

  get ms(): number {
    return Math.max(0, this.current, this.before, performance.now() - this.due)
  }

  stop(): void {
    clearInterval(this.timer)
  }
}

/** Throws if the database has not answered in time. */
async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The database did not answer in time.')), ANSWER_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

async function askDatabase(pool: Pool): Promise<NotReady> {
  try {
    return await withinTime(
      (async () => {
        await assertSchema(pool)
        const { rows } = await pool.query<{ standby: number }>('select pg_is_in_recovery() as standby')
        return rows[0]?.standby === 0 ? null : 'database_standby'
      })(),
    )
  } catch (error) {
    const isSchema =
      error instanceof AppError && (error.code === 'office_not_migrated' || error.code === 'store_newer')
    return isSchema ? 'schema' : 'database_unreachable'
  }
}

/** Starts to watch, and reports that this server runs; throws if that cannot be written. */
export async function watchOffice(
  { url, log }: { url: string; log: Log },
  { version, build, newId }: Pick<AppEnvironment, 'version' | 'build' | 'newId'>,
): Promise<OfficeWatch> {
  const pool = createPool(
    { url, connections: CONNECTIONS, onLost: () => {} },
    `sello-watch ${hostname()}`.slice(0, 63),
  )
  const server = { id: newId('srv'), version, build }
  const lag = new EventLoopLag()
  let leaving = false
  let answer: { at: number; readiness: Promise<NotReady> } | null = null
  try {
    await reportServer(pool, server)
  } catch (error) {
    lag.stop()
    await pool.end()
    throw error
  }
  const reports = setInterval(() => {
    reportServer(pool, server).catch((error: unknown) => log({ event: 'server report', error }))
  }, REPORT_MS)
  reports.unref()
  return {
    pool,
    readiness: async () => {
      if (leaving) return 'stopping'
      const now = performance.now()
      if (!answer || now - answer.at > SAME_ANSWER_MS) answer = { at: now, readiness: askDatabase(pool) }
      const readiness = await answer.readiness
      return leaving ? 'stopping' : readiness
    },
    health: () => {
      const lagMs = Math.round(lag.ms)
      return { ok: lagMs <= LAG_LIMIT_MS, lagMs }
    },
    leave: () => {
      leaving = true
    },
    close: async () => {
      clearInterval(reports)
      lag.stop()
      await withinTime(forgetServer(pool, server.id)).catch((error: unknown) =>
        log({ event: 'server report', error }),
      )
      await pool.end()
    },
  }
}
