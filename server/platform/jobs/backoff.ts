/** Backoff: how long a job waits after each failed attempt. */

/**
 * Returns the milliseconds to wait after the `failures`-th failure in a row, or null when no attempt is left. `random` returns
 * a number in [0, 1) for the jitter; without it the wait is exactly as planned.
 */
type Backoff = (failures: number, random?: () => number) => number | null

/** Leaves a wait as planned. */
const MIDDLE = (): number => 0.5

/**
 * Spreads a wait evenly by a share of it in both directions, so that clients that failed together do not retry together.
 */
function withJitter(delayMs: number, share: number, random: () => number = MIDDLE): number {
  return share === 0 ? delayMs : delayMs * (1 + share * (2 * random() - 1))
}

/** Doubles the wait with each failure, from `firstMs` up to `longestMs`, which the jitter never exceeds. */
export function exponentialBackoff(options: {
  firstMs: number
  longestMs: number
  jitter?: number
}): (failures: number, random?: () => number) => number {
  const { firstMs, longestMs, jitter = 0 } = options
  return (failures, random) => {
    const planned = Math.min(longestMs, firstMs * 2 ** (failures - 1))
    return Math.round(Math.min(longestMs, withJitter(planned, jitter, random)))
  }
}

/** Waits by a list, one entry for each failure; after the last entry no attempt is left. */
export function scheduledBackoff(delaysMs: readonly number[], jitter = 0): Backoff {
  return (failures, random) => {
    const planned = delaysMs[failures - 1]
    return planned === undefined ? null : Math.round(withJitter(planned, jitter, random))
  }
}

/** Waits one step longer with each failure, without an end. */
export function linearBackoff(stepMs: number): (failures: number) => number {
  return (failures) => stepMs * failures
}
