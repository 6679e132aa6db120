/** When an idle window warns, asks the others, and locks. Pure; in seconds. */

/** The warning comes this long before the lock. */
const WARN_SECONDS = 30
/** Signs of life are told at most this often. */
const TELL_SECONDS = 60

/** How often signs of life are told: four times within the shortest limits, so that one tab does not lock another at work. */
export function REPORT_EVERY_SECONDS(idleMinutes: number): number {
  return Math.min(TELL_SECONDS, (idleMinutes * 60) / 4)
}

type IdleStep = 'work' | 'warn' | 'lock'

/** What an idle time calls for. */
export function idleStep(idleSeconds: number, idleMinutes: number): IdleStep {
  const limit = idleMinutes * 60
  if (idleSeconds >= limit) return 'lock'
  return idleSeconds >= limit - WARN_SECONDS ? 'warn' : 'work'
}

/** Whole seconds until the lock falls. */
export function secondsLeft(idleSeconds: number, idleMinutes: number): number {
  return Math.max(0, Math.ceil(idleMinutes * 60 - idleSeconds))
}
