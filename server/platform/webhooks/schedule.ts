/** When a message is sent again, and when it is given up. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Milliseconds before each attempt, from the one before: ten attempts over a little more than three days. */
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
/** A receiver may ask for this much patience. */
export const PATIENCE_MS = 24 * HOUR

/** An endpoint that has failed for so long, and so often, is switched off. */
export const FAILING_MS = 120 * HOUR
/** A computer that slept for a week has not tried for a week: one whole schedule has to have failed. */
export const FAILURES_AT_LEAST = SCHEDULE_MS.length

/** How long the secret before a rotation signs too. */
export const OVERLAP_MS = 24 * HOUR
/** How long what was taken is kept. */
export const RETENTION_MS = 30 * 24 * HOUR

/**
 * Milliseconds until the next attempt after `tries` attempts; null when that was the last. `askedSeconds` is the receiver's
 * Retry-After: never sooner than that, up to a day. `random` answers from 0 to below 1.
 */
export function retryDelayMs(
  tries: number,
  askedSeconds: number | null,
  random: () => number = Math.random,
): number | null {
  const planned = SCHEDULE_MS[tries]
  if (planned === undefined) return null
  const spread = planned * (1 + JITTER * (2 * random() - 1))
  return Math.round(Math.max(spread, Math.min((askedSeconds ?? 0) * SECOND, PATIENCE_MS)))
}

/** Whether an endpoint that has failed since then, that often, is to be switched off. */
export function isGivenUp(failingSince: number, failures: number, now: number): boolean {
  return now - failingSince >= FAILING_MS && failures >= FAILURES_AT_LEAST
}
