/** When a message is sent again, and when it is given up. */
import { scheduledBackoff } from '../jobs/index.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Milliseconds between consecutive attempts: ten attempts over a little more than three days. */
export const SCHEDULE_MS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
const JITTER = 0.2
/** The first entry is the wait before the first attempt, the others follow a failure each. */
const backoff = scheduledBackoff(SCHEDULE_MS.slice(1), JITTER)
/** The longest Retry-After of a receiver that is respected. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR

/** An endpoint that has failed for this long, and this often, is disabled. */
const FAILING_MS = 120 * HOUR
/** After a week of sleep a computer has made no attempts for a week: one whole schedule must have failed. */
const FAILURES_AT_LEAST = SCHEDULE_MS.length

/** Time during which the previous secret also signs after a rotation. */
export const OVERLAP_MS = 24 * HOUR
/** Retention of successful deliveries. */
export const RETENTION_MS = 30 * 24 * HOUR

/**
 * Returns the milliseconds until the next attempt after `tries` attempts; null if that was the last. `askedSeconds`
 * is the receiver's Retry-After: the wait is at least that long, up to a day. `random` returns a number from 0 to
 * below 1.
 */
export function retryDelayMs(
  tries: number,
  askedSeconds: number | null,
  random: () => number = Math.random,
): number | null {
  const delayMs = backoff(tries, random)
  if (delayMs === null) return null
  return Math.max(delayMs, Math.round(Math.min((askedSeconds ?? 0) * SECOND, MAX_RETRY_AFTER_MS)))
}

/** Returns true if an endpoint with these failures must be disabled. */
export function isGivenUp(failingSince: number, failures: number, now: number): boolean {
  return now - failingSince >= FAILING_MS && failures >= FAILURES_AT_LEAST
}
