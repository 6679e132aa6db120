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
/** Share of a quota from which on the requests that other servers do not know of are told at once. */
const URGENT_SHARE = 0.1

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

  /** Counts one request of a key. */
  take(keyId: string, family: Family): Taken {
    const now = this.monotonicMs()
    const { name, quota, refuses, policy } = this.rules[family]
    const window = this.windowsOf(keyId, now)[family]
    const isNew = now - window.startedAt >= WINDOW_MS
    if (isNew) {
      window.startedAt = now
      window.used = 0
    }
    window.used += 1
    if (this.shared)
      this.tell(this.shared, `${family} ${keyId}`, window, isNew || window.untold >= quota * URGENT_SHARE)
    const left = quota > window.used ? quota - window.used : 0
    const seconds = Math.ceil((window.startedAt + WINDOW_MS - now) / 1000)
    return {
      policy,
      state: `${name};r=${left};t=${seconds}`,
      retryAfterSeconds: refuses && window.used > quota ? seconds : null,
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

  private tell(shared: SharedCounts, name: string, window: Window, isUrgent: boolean): void {
    window.untold += 1
    shared.add(name, isUrgent, (used, ageMs) => {
      window.used = used
      window.startedAt = this.monotonicMs() - ageMs
      window.untold = 0
    })
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
