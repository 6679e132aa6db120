/**
 * Counts that the servers of an office share: gathered here, added to those of all servers several times a second, and
 * replaced by the sums.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { WINDOW_SECONDS } from '../../domain/contract/rate-limits.ts'
import type { Servers } from '../../context.ts'

const WINDOW_MS = WINDOW_SECONDS * 1000
/** Time to gather before counts are added. */
const GATHER_MS = 250
/** The same when somebody waits for the sum, or a limit may be near. */
const URGENT_MS = 5
/** After a failure. */
const RETRY_MS = 1_000
/** Longest wait for a sum: without it a server counts by itself. */
const PATIENCE_MS = 5_000

/** Takes the sum of all servers, the age of their window, and how many of the sum they do not know of yet. */
type Apply = (used: number, ageMs: number, untold: number) => void

interface Pending {
  used: number
  apply: Apply
  /** The sum before these requests; null if it could not be asked for. */
  before: Promise<number | null>
  settle: (before: number | null) => void
}

function pendingOf(used: number, apply: Apply): Pending {
  let settle: Pending['settle'] = () => {}
  const before = new Promise<number | null>((resolve) => (settle = resolve))
  return { used, apply, before, settle }
}

export class SharedCounts {
  private readonly count: Servers['count']
  private readonly report: (error: unknown) => void
  private pending = new Map<string, Pending>()
  private timer: NodeJS.Timeout | null = null
  private isUrgent = false
  private running: Promise<void> | null = null

  constructor({ count }: Pick<Servers, 'count'>, report: (error: unknown) => void) {
    this.count = count
    this.report = report
  }

  /**
   * Counts one request. `apply` is called when the sum is known, soon if `isUrgent`. Returns what waits for the place
   * of this request among those of all servers; null if they cannot be asked.
   */
  add(name: string, isUrgent: boolean, apply: Apply): () => Promise<number | null> {
    let own = this.pending.get(name)
    if (own) own.used += 1
    else this.pending.set(name, (own = pendingOf(1, apply)))
    if (isUrgent && !this.isUrgent) {
      this.isUrgent = true
      this.plan()
    } else if (!this.timer) this.plan()
    const { before, used } = own
    return async () => {
      const sum = await Promise.race([before, pause(PATIENCE_MS, null, { ref: false })])
      return sum === null ? null : sum + used
    }
  }

  /** Adds what was counted so far; resolves when the sums are known, or could not be. */
  async flush(): Promise<void> {
    await this.running
    if (this.pending.size > 0) await this.run()
  }

  private plan(ms = this.isUrgent ? URGENT_MS : GATHER_MS): void {
    if (this.running) return
    if (this.timer) clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.run(), ms)
    this.timer.unref()
  }

  private run(): Promise<void> {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    return (this.running ??= this.exchange().then((isDone) => {
      this.running = null
      // What was counted meanwhile, or has failed.
      if (this.pending.size > 0) this.plan(isDone ? undefined : RETRY_MS)
    }))
  }

  private async exchange(): Promise<boolean> {
    const sent = this.pending
    this.pending = new Map()
    this.isUrgent = false
    try {
      const added = Array.from(sent, ([name, { used }]) => ({ name, used }))
      for (const { name, used, ageMs } of await this.count(added, WINDOW_MS)) {
        const own = sent.get(name)
        const untold = this.pending.get(name)?.used ?? 0
        own?.apply(used + untold, ageMs, untold)
        own?.settle(used - own.used)
      }
      return true
    } catch (error) {
      this.report(error)
      for (const [name, { used, apply, settle }] of sent) {
        settle(null)
        const since = this.pending.get(name)
        if (since) since.used += used
        else this.pending.set(name, pendingOf(used, apply))
      }
      return false
    }
  }
}
