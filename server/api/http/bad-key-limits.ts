/** Rate limit of requests with invalid keys; the rate-limits slice limits valid ones. */
import { WINDOW_SECONDS } from '../../domain/contract/rate-limits.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { SharedCounts } from '../rate-limits/index.ts'

interface Window {
  startedAt: number
  used: number
}

/** No key's counts have this name. */
const SHARED_NAME = 'invalid keys'

/**
 * Counts requests with an invalid key, on all servers of an office together: beyond 20 in a minute they, and only they,
 * are answered with 429.
 */
export class BadKeys {
  private readonly monotonicMs: () => number
  private readonly shared: SharedCounts | null
  private window: Window = { startedAt: 0, used: 0 }
  /** Reused while it stays the same: during a flood of invalid keys, creating an error each time is most of the work. */
  private refusal = new AppError('unauthorized')

  constructor(monotonicMs: () => number = () => performance.now(), shared: SharedCounts | null = null) {
    this.monotonicMs = monotonicMs
    this.shared = shared
  }

  /** Returns the answer to another invalid key. */
  refuse(): AppError {
    const now = this.monotonicMs()
    const isNew = now - this.window.startedAt >= WINDOW_SECONDS * 1000
    if (isNew) this.window = { startedAt: now, used: 0 }
    this.window.used += 1
    this.shared?.add(SHARED_NAME, isNew || this.window.used <= MAX_BAD_KEYS, (used, ageMs) => {
      this.window = { startedAt: this.monotonicMs() - ageMs, used }
    })
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
