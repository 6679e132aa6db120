/**
 * Workers: one for each queue. A worker gives back what an ended process had claimed, drains what is due, and sleeps until the
 * next due time, until it is woken by new work, or until the next look by the clock.
 */
import { createLoop } from '../../domain/concurrency/background-loop.ts'
import type { Background } from '../../domain/concurrency/background-loop.ts'
import { delayUntil } from './due-time.ts'
import type { DueTime } from './due-time.ts'
import { Lanes } from './lanes.ts'
import type { LaneLimits } from './lanes.ts'

/** What one pass of a worker may use. */
export interface Pass {
  /** Aborted when the worker stops. */
  signal: AbortSignal
  /** Drains that the pass starts and does not wait for. */
  lanes: Lanes
}

export interface WorkerOptions {
  name: string
  log: (line: string) => void
  now: () => Date
  /** The shortest wait before another pass. */
  shortestWaitMs?: number
  limits?: LaneLimits
  /** Settles or gives back claimed jobs that nobody works on: all of them before the first pass, expired ones later. */
  reclaim?: (all: boolean) => Promise<void>
  /** Works through what is due; returns when more is due. */
  work: (pass: Pass) => Promise<DueTime>
}

/** A worker without its clock. */
export interface Worker {
  /** One pass. Returns in how many milliseconds more is due; undefined when nothing waits. */
  poll(): Promise<number | undefined>
  /** Resolves when no drain is running in the background. */
  quiet(): Promise<void>
  /** Cuts off the attempts under way, and resolves when the drains in the background have settled them. */
  stop(): Promise<void>
}

/** `onIdle` is called when a drain in the background has nothing more that is due. */
export function createWorker(options: WorkerOptions, onIdle: () => void = () => {}): Worker {
  const { name, log, now, shortestWaitMs = 0, limits = { perLane: 1, total: 1 } } = options
  const ending = new AbortController()
  const { signal } = ending
  const lanes = new Lanes({ ...limits, name, log, onIdle: () => signal.aborted || onIdle() })
  let reclaimed = false
  return {
    async poll() {
      await options.reclaim?.(!reclaimed)
      reclaimed = true
      return delayUntil(await options.work({ signal, lanes }), now().getTime(), shortestWaitMs)
    },
    quiet: () => lanes.quiet(),
    stop() {
      ending.abort()
      return lanes.quiet()
    },
  }
}

interface WorkerLoopOptions extends WorkerOptions {
  /** How long to gather work after a wake-up before a pass. */
  gatherMs: number
  /** How often to look without being woken: after a sleep of the computer, timers continue where they were. */
  pollMs: number
}

/** A worker with its clock, as work in the background. Its first pass follows the first wake-up. */
export function createWorkerLoop(options: WorkerLoopOptions): Background {
  const { name, log, gatherMs, pollMs } = options
  const worker = createWorker(options, () => loop.wake())
  const loop = createLoop({ name, gatherMs, pollMs, log, run: () => worker.poll() })
  return {
    wake: () => loop.wake(),
    async stop() {
      // The loop first, so that no pass begins any more; attempts under way are cut off meanwhile.
      await Promise.all([loop.stop(), worker.stop()])
      // What the last pass started before it ended.
      await worker.stop()
    },
  }
}
