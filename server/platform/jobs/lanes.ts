/** Lanes: queues that are drained side by side, so that a slow one holds up no other. */
import { messageOf } from './attempt.ts'
import { earliestDue } from './due-time.ts'
import type { DueTime } from './due-time.ts'

export interface LaneLimits {
  /** Drains of one lane at the same time. */
  perLane: number
  /** Drains of all lanes together. */
  total: number
}

interface LaneOptions extends LaneLimits {
  name: string
  log: (line: string) => void
  /** Called when a drain has ended and its lane may have room again. */
  onIdle: () => void
}

/** Drains that run in the background, within limits for each lane and for all of them. */
export class Lanes {
  private readonly options: LaneOptions
  private readonly running = new Map<number, number>()
  private readonly drains = new Set<Promise<void>>()

  constructor(options: LaneOptions) {
    this.options = options
  }

  /** Starts as many drains of a lane as the limits allow. One that fails is logged and wakes nobody. */
  fill(lane: number, drain: () => Promise<unknown>): void {
    const { perLane, total } = this.options
    while ((this.running.get(lane) ?? 0) < perLane && this.drains.size < total) this.start(lane, drain)
  }

  /** Resolves when no drain is running. */
  async quiet(): Promise<void> {
    while (this.drains.size > 0) await Promise.all(this.drains)
  }

  private start(lane: number, drain: () => Promise<unknown>): void {
    this.running.set(lane, (this.running.get(lane) ?? 0) + 1)
    const { name, log, onIdle } = this.options
    const ended = drain()
      .then(() => true)
      .catch((error: unknown) => {
        log(`${name}: ${messageOf(error)}`)
        return false
      })
      .then((succeeded) => {
        const left = (this.running.get(lane) ?? 1) - 1
        if (left > 0) this.running.set(lane, left)
        else this.running.delete(lane)
        this.drains.delete(ended)
        if (succeeded) onIdle()
      })
    this.drains.add(ended)
  }
}

/**
 * Drains lanes side by side and waits for all of them. One that fails is logged and holds up no other. Returns the earliest
 * of their next due times.
 */
export async function drainLanes<Lane>(
  lanes: readonly Lane[],
  drain: (lane: Lane) => Promise<DueTime>,
  { name, log }: { name: string; log: (line: string) => void },
): Promise<DueTime> {
  const results = await Promise.allSettled(lanes.map(drain))
  for (const result of results) if (result.status === 'rejected') log(`${name}: ${messageOf(result.reason)}`)
  return earliestDue(results.map((result) => (result.status === 'fulfilled' ? result.value : null)))
}
