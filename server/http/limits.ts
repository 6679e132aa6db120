/**
 * Limits per plan and family of operations, told in the `RateLimit` fields of the IETF draft. The plan `beta` counts but
 * never refuses; a plan that does is a row in the table.
 */
import type { FastifyReply } from 'fastify'
import type { Effect } from '../core/contract.ts'
import { AppError } from '../core/errors.ts'

export type Family = 'read' | 'write' | 'issue'

interface Plan {
  name: string
  refuses: boolean
  perMinute: Record<Family, number>
}

export const PLANS = {
  beta: { name: 'beta', refuses: false, perMinute: { read: 1_000_000, write: 1_000_000, issue: 1_000_000 } },
  standard: { name: 'standard', refuses: true, perMinute: { read: 120, write: 120, issue: 10 } },
} as const satisfies Record<string, Plan>

const WINDOW_SECONDS = 60

export function familyOf(effect: Effect): Family {
  return effect === 'irreversible' ? 'issue' : effect
}

interface Window {
  startedAt: number
  used: number
}

export class Limits {
  private readonly plan: Plan
  private readonly monotonicMs: () => number
  private readonly windows = new Map<string, Window>()
  private readonly policies: Record<Family, string>

  constructor(plan: Plan = PLANS.beta, monotonicMs: () => number = () => performance.now()) {
    this.plan = plan
    this.monotonicMs = monotonicMs
    const policy = (family: Family): string =>
      `"${plan.name}-${family}";q=${plan.perMinute[family]};w=${WINDOW_SECONDS}`
    this.policies = { read: policy('read'), write: policy('write'), issue: policy('issue') }
  }

  /** Counts one request of a key and tells it what is left; throws `rate_limited` when its plan refuses. */
  take(reply: FastifyReply, keyId: string, family: Family): void {
    const now = this.monotonicMs()
    const name = `${family} ${keyId}`
    let window = this.windows.get(name)
    if (!window || now - window.startedAt >= WINDOW_SECONDS * 1000) {
      window = { startedAt: now, used: 0 }
      this.windows.set(name, window)
    }
    window.used += 1
    const left = Math.max(0, this.plan.perMinute[family] - window.used)
    const seconds = Math.ceil(WINDOW_SECONDS - (now - window.startedAt) / 1000)
    reply.header('ratelimit-policy', this.policies[family])
    reply.header('ratelimit', `"${this.plan.name}-${family}";r=${left};t=${seconds}`)
    if (this.plan.refuses && window.used > this.plan.perMinute[family])
      throw new AppError('rate_limited', { retryAfterSeconds: seconds })
  }
}

/** Counts requests with a bad key: beyond 20 in a minute they, and only they, are answered with 429. */
export class BadKeys {
  private readonly monotonicMs: () => number
  private window: Window = { startedAt: 0, used: 0 }
  /** Given again while it says the same: under a flood of bad keys, making an error each time is most of the work. */
  private refusal = new AppError('unauthorized')

  constructor(monotonicMs: () => number = () => performance.now()) {
    this.monotonicMs = monotonicMs
  }

  /** The answer to one more bad key. */
  refuse(): AppError {
    const now = this.monotonicMs()
    if (now - this.window.startedAt >= WINDOW_SECONDS * 1000) this.window = { startedAt: now, used: 0 }
    this.window.used += 1
    const limited = this.window.used > MAX_BAD_KEYS
    const code = limited ? 'rate_limited' : 'unauthorized'
    const left = Math.max(1, Math.ceil(WINDOW_SECONDS - (now - this.window.startedAt) / 1000))
    const retryAfterSeconds = limited ? left : undefined
    if (this.refusal.code !== code || this.refusal.retryAfterSeconds !== retryAfterSeconds)
      this.refusal = new AppError(code, limited ? { retryAfterSeconds: left } : {})
    return this.refusal
  }
}

export const MAX_BAD_KEYS = 20
