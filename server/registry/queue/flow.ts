/** The pace of sending: what the authority asked for, what failures cost, and when the next message may leave. */
import { MAX_RECORDS_PER_SUBMISSION } from '../wire/messages.ts'
import type { FlowRow } from './rows.ts'

/** The first wait after a failure; it doubles up to the last. */
const FIRST_BACKOFF_MS = 60_000
/** The longest: the law wants a try at least every hour. */
export const LAST_BACKOFF_MS = 3_600_000
/** Backoffs vary by this share, so that a town after a power cut does not call at the same second. */
const JITTER = 0.2

type Pace = Pick<FlowRow, 'wait_seconds' | 'last_sent_at' | 'next_attempt_at' | 'stopped'>

/**
 * When the next message may leave, in milliseconds since 1970; null while the authority has suspended the sending. The
 * authority's pace: after a message, the seconds it asked for, or as soon as a full message waits (Orden HAC/1177/2024
 * art. 16.3). A clock that was set back never makes it longer than that.
 */
export function nextSendAt(pace: Pace, waiting: number, now: number): number | null {
  if (pace.stopped === 1) return null
  const backoff = Math.min(pace.next_attempt_at, now + LAST_BACKOFF_MS)
  if (pace.last_sent_at === null || waiting >= MAX_RECORDS_PER_SUBMISSION) return backoff
  return Math.max(backoff, Math.min(pace.last_sent_at, now) + pace.wait_seconds * 1000)
}

/** How long to wait after the `failures`-th failure in a row; `random` is in [0, 1). */
export function backoffMs(failures: number, random: number): number {
  const base = Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(failures - 1, 6))
  return Math.round(Math.min(LAST_BACKOFF_MS, base * (1 - JITTER + 2 * JITTER * random)))
}

/** Records that were made longer ago than this when they leave were delayed by a failure (Incidencia). */
export const INCIDENT_MS = 240_000
