/** Drift of this computer's clock from the authority's, in readable units. Pure. */

/** Below this drift the clock counts as correct; the law allows a minute. */
const RIGHT_SECONDS = 60
/** Above this drift the authority marks every record as late or early. */
const WRONG_SECONDS = 240

interface Drift {
  state: 'right' | 'off' | 'wrong'
  /** Ahead of the authority's clock, behind it, or equal to the second. */
  side: 'ahead' | 'behind' | 'same'
  /** The difference in the unit that reads best. */
  unit: 'seconds' | 'minutes' | 'hours'
  count: number
}

/** Returns the drift for `skewSeconds` (ours minus theirs). */
export function driftOf(skewSeconds: number): Drift {
  const size = Math.abs(skewSeconds)
  const state = size <= RIGHT_SECONDS ? 'right' : size <= WRONG_SECONDS ? 'off' : 'wrong'
  const side = skewSeconds === 0 ? 'same' : skewSeconds > 0 ? 'ahead' : 'behind'
  if (size < 120) return { state, side, unit: 'seconds', count: size }
  if (size < 2 * 3600) return { state, side, unit: 'minutes', count: Math.round(size / 60) }
  return { state, side, unit: 'hours', count: Math.round(size / 3600) }
}

/** Returns the operating system, for the path to its clock settings. */
export function systemOf(platform: string): 'windows' | 'mac' | 'linux' {
  if (/win/i.test(platform)) return 'windows'
  return /mac|iphone|ipad/i.test(platform) ? 'mac' : 'linux'
}
