/** When an idle window warns, asks the server, and locks. Pure; in seconds. */

/** Time between the warning and the lock. */
const WARN_SECONDS = 30
/** Minimum interval of activity reports. */
const TELL_SECONDS = 60

/**
 * Returns the interval of activity reports: four times within the shortest limits, so that one tab does not lock
 * another in use.
 */
export function REPORT_EVERY_SECONDS(idleMinutes: number): number {
  return Math.min(TELL_SECONDS, (idleMinutes * 60) / 4)
}

type IdleStep = 'work' | 'warn' | 'lock'

/** Returns the action for an idle time. */
export function idleStep(idleSeconds: number, idleMinutes: number): IdleStep {
  const limit = idleMinutes * 60
  if (idleSeconds >= limit) return 'lock'
  return idleSeconds >= limit - WARN_SECONDS ? 'warn' : 'work'
}

/** Returns the whole seconds until the lock. */
export function secondsLeft(idleSeconds: number, idleMinutes: number): number {
  return Math.max(0, Math.ceil(idleMinutes * 60 - idleSeconds))
}
