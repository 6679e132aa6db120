/**
 * Counts the requests of each key by family, on a monotonic clock. On a desk in this process only, so that a restart
 * resets the counters; the servers of an office share them. One set of counters per open store.
 */
import { DEFAULT_PLAN, FAMILIES, PLANS, WINDOW_SECONDS } from '../../domain/contract/rate-limits.ts'
import type { Family } from '../../domain/contract/rate-limits.ts'
import type { LimitPolicy } from './contract.ts'
import type { SharedCounts } from './shared-counts.ts'

const WINDOW_MS = WINDOW_SECONDS * 1000
/** Above this number the windows of inactive keys are deleted. */
const MAX_KEYS = 1_000
/** Share of a quota that a server accepts before the others know of it. */
const UNTOLD_SHARE = 0.1

interface Window {
  /** Milliseconds of the monotonic clock. */
  startedAt: number
  used: number
  /** Requests since the other servers' were last known. */
  untold: number
}

type Windows = Record<Family, Window>

interface Rule {
  name: string
  quota: number
  refuses: boolean
  /** The value of `RateLimit-Policy`. */
  policy: string
}

/** The result of one counted request. */
interface Taken {
  /** The value of `RateLimit-Policy`. */
  policy: string
  /** The value of `RateLimit`. */
  state: string
  /** Seconds until the window ends, if the limit is exceeded. */
  retryAfterSeconds: number | null
}

interface Left {
  policy: string
  quota: number
  remaining: number
  resetSeconds: number
}

function rulesOf({ plan, overrides }: LimitPolicy): Record<Family, Rule> {
  const { refuses, perMinute } = PLANS[plan]
  const rule = (family: Family): Rule => {
    const quota = overrides[family] ?? perMinute[family]
    const name = `"${plan}-${family}"`
    return { name, quota, refuses, policy: `${name};q=${quota};w=${WINDOW_SECONDS}` }
  }
  return Object.fromEntries(FAMILIES.map((family) => [family, rule(family)])) as Record<Family, Rule>
}

export class Counters {
  private readonly monotonicMs: () => number
  private readonly byKey = new Map<string, Windows>()
  private rules: Record<Family, Rule>
  private chosen: LimitPolicy

  private readonly shared: SharedCounts | null

  constructor(monotonicMs: () => number = () => performance.now(), shared: SharedCounts | null = null) {
    this.monotonicMs = monotonicMs
    this.shared = shared
    this.chosen = { plan: DEFAULT_PLAN, overrides: {} }
    this.rules = rulesOf(this.chosen)
  }

  get policy(): LimitPolicy {
    return this.chosen
  }

  /** Applies a policy from now on. Existing counts remain. */
  apply(policy: LimitPolicy): void {
    this.chosen = policy
    this.rules = rulesOf(policy)
  }

  /**
   * Counts one request of a key. In an office it waits for the sum of all servers when this one has accepted a tenth of
   * the quota that they do not know of: together they accept at most one quota and a tenth for each server.
   */
  take(keyId: string, family: Family): Taken | Promise<Taken> {
    const now = this.monotonicMs()
    const rule = this.rules[family]
    const window = this.windowsOf(keyId, now)[family]
    const isNew = now - window.startedAt >= WINDOW_MS
    if (isNew) {
      window.startedAt = now
      window.used = 0
    }
    window.used += 1
    if (!this.shared) return this.taken(rule, window, window.used)
    const isFull = window.untold >= rule.quota * UNTOLD_SHARE
    window.untold += 1
    const placeOf = this.shared.add(`${family} ${keyId}`, isNew || isFull, (used, ageMs, untold) => {
      window.used = used
      window.startedAt = this.monotonicMs() - ageMs
      window.untold = untold
    })
    const { used: ownPlace } = window
    return isFull && rule.refuses
      ? placeOf().then((place) => this.taken(rule, window, place ?? ownPlace))
      : this.taken(rule, window, ownPlace)
  }

  /** Returns the answer to the request that was the `used`th of its window. */
  private taken({ name, quota, refuses, policy }: Rule, { startedAt }: Window, used: number): Taken {
    const left = quota > used ? quota - used : 0
    const seconds = Math.max(1, Math.ceil((startedAt + WINDOW_MS - this.monotonicMs()) / 1000))
    return {
      policy,
      state: `${name};r=${left};t=${seconds}`,
      retryAfterSeconds: refuses && used > quota ? seconds : null,
    }
  }

  /** Returns the remainder of a key, without counting; null means a key without requests. */
  left(keyId: string | null, family: Family): Left {
    const now = this.monotonicMs()
    const { name, quota } = this.rules[family]
    const window = keyId === null ? undefined : this.byKey.get(keyId)?.[family]
    const isOpen = window !== undefined && now - window.startedAt < WINDOW_MS
    return {
      policy: name.slice(1, -1),
      quota,
      remaining: Math.max(0, quota - (isOpen ? window.used : 0)),
      resetSeconds: isOpen ? Math.ceil((window.startedAt + WINDOW_MS - now) / 1000) : WINDOW_SECONDS,
    }
  }

  private windowsOf(keyId: string, now: number): Windows {
    const known = this.byKey.get(keyId)
    if (known) return known
    if (this.byKey.size >= MAX_KEYS) this.forgetSilent(now)
    const unused = (): Window => ({ startedAt: -Infinity, used: 0, untold: 0 })
    const windows: Windows = {
      read: unused(),
      write: unused(),
      issue: unused(),
      documents: unused(),
      outward: unused(),
    }
    this.byKey.set(keyId, windows)
    return windows
  }

  private forgetSilent(now: number): void {
    for (const [keyId, windows] of this.byKey)
      if (FAMILIES.every((family) => now - windows[family].startedAt >= WINDOW_MS)) this.byKey.delete(keyId)
  }
}
