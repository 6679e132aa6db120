/** Due times: milliseconds since 1970 at which a job may be attempted; null where nothing waits. */

export type DueTime = number | null

/** Returns the earliest of some due times, or null when nothing waits. */
export function earliestDue(times: readonly DueTime[]): DueTime {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/**
 * Returns the milliseconds until a due time, undefined when nothing waits. At least `shortestMs`: a due time that has already
 * passed must not make a loop run without pause.
 */
export function delayUntil(dueAt: DueTime, now: number, shortestMs = 0): number | undefined {
  return dueAt === null ? undefined : Math.max(shortestMs, dueAt - now)
}
