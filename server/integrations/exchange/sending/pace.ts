/** Pace of sending: waits after failures, what the platform asked for, and how long an outcome may stay unknown. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { Ctx } from '../../../context.ts'
import { exponentialBackoff } from '../../../platform/jobs/index.ts'

/** At most this many invoices or statuses in a message. */
export const MOST_IN_BATCH = 100
/** Largest invoice that the platform takes, in bytes. */
export const MOST_BYTES = 5_120 * 1024

/**
 * Wait before the platform is asked about a message whose answer was lost: it may still be working at it, and a query may
 * not show it at once.
 */
export const FIRST_QUERY_MS = 60_000
/** Queries without a trace after which a message counts as not arrived. A second one could not do harm: duplicates are refused. */
export const FEWEST_QUERIES = 2

const HOUR_MS = 3_600_000

const backoffMs = exponentialBackoff({ firstMs: 30_000, longestMs: HOUR_MS, jitter: 0.2 })

/**
 * Returns the wait after the `failures`-th failure in a row. It differs from book to book, so that many do not come back at
 * once, and is the same whenever it is computed.
 */
export function waitAfter(ctx: Ctx, failures: number): number {
  const hash = createHash('sha256').update(`${ctx.book.publicId} ${failures}`).digest()
  return backoffMs(failures, () => hash.readUInt32BE(0) / 2 ** 32)
}

/** What only a person can put right is tried again this often. */
export const CLOSED_MS = HOUR_MS
/** Interval at which the platform is asked what the other side did. */
export const POLL_MS = 10 * 60_000
/** Interval at which the events of the book are read: nothing wakes the exchange when an invoice is issued or paid. */
export const LOOK_MS = 60_000
/** A wait that the platform asks for is not believed beyond this. */
const LONGEST_PAUSE_MS = 24 * HOUR_MS

/**
 * Returns whether something is due. No wait is longer than the longest one: a time beyond it was written by a clock that has
 * been set back since.
 */
export function isDue(at: number | null, now: number): boolean {
  return at !== null && (at <= now || at > now + LONGEST_PAUSE_MS)
}

/** Returns the same as a condition on the column `next_at`. */
export function dueNow(ctx: Ctx) {
  const now = ctx.now().getTime()
  return sql<SqlBool>`(next_at <= ${now} or next_at > ${now + LONGEST_PAUSE_MS})`
}

/** Returns the wait that the platform asked for, in milliseconds; null if it asked for none. */
export function pauseMs(retryAfterSeconds: number | undefined): number | null {
  if (retryAfterSeconds === undefined || !Number.isFinite(retryAfterSeconds)) return null
  return Math.min(LONGEST_PAUSE_MS, Math.max(1_000, retryAfterSeconds * 1_000))
}
