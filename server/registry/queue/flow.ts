/**
 * Pace of sending: the wait that the authority asked for, the back-off after failures, and the time of the next
 * message.
 */
import { exponentialBackoff } from '../../platform/jobs/index.ts'
import type { FlowRow } from './rows.ts'

/** The first wait after a failure; it doubles up to `LAST_BACKOFF_MS`. */
const FIRST_BACKOFF_MS = 60_000
/** The longest wait: the law requires a retry at least every hour. */
export const LAST_BACKOFF_MS = 3_600_000
/** Records in the largest message of any registry. */
const FULL_MESSAGE = 1000
/** Share by which waits vary, so that many installations do not retry in the same second after a power cut. */
const JITTER = 0.2

export type Pace = Pick<FlowRow, 'wait_seconds' | 'last_sent_at' | 'next_attempt_at' | 'stopped'>

/**
 * Returns the time of the next message, in milliseconds since 1970; null while the authority has suspended sending.
 * After a message the wait is the seconds that the authority asked for, or until a full message waits (Orden
 * HAC/1177/2024 art. 16.3). A clock that was set back never makes the wait longer. `full`: records in a full message.
 */
export function nextSendAt(pace: Pace, waiting: number, now: number, full = FULL_MESSAGE): number | null {
  if (pace.stopped === 1) return null
  const backoff = Math.min(pace.next_attempt_at, now + LAST_BACKOFF_MS)
  if (pace.last_sent_at === null || waiting >= full) return backoff
  return Math.max(backoff, Math.min(pace.last_sent_at, now) + pace.wait_seconds * 1000)
}

/** Returns the wait after the `failures`-th failure in a row. */
export const backoffMs = exponentialBackoff({
  firstMs: FIRST_BACKOFF_MS,
  longestMs: LAST_BACKOFF_MS,
  jitter: JITTER,
})

/** Records older than this when they leave count as delayed by a failure (Incidencia). */
export const INCIDENT_MS = 240_000
