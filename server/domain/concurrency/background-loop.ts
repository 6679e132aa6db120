/** Background loops: one run at a time, woken by work or by the clock, ended in an orderly way. */
import { setTimeout as pause } from 'node:timers/promises'

export interface Background {
  /** There is work; a run follows soon. */
  wake(): void
  /** No run begins any more; resolves when the one under way has ended. */
  stop(): Promise<void>
}

export interface LoopOptions {
  name: string
  /** How long to gather work after a wake-up before running. */
  gatherMs: number
  /** How often to run at least without being woken; 0 = never. */
  pollMs: number
  /** Answers in how many milliseconds there is more to do, when that is known. */
  run: () => Promise<number | void>
  log: (line: string) => void
}

/** Longer than this a timer cannot wait; a look too many costs nothing. */
const LONGEST_MS = 24 * 3_600_000

/** Waits within a run for more work to gather; the signal ends that. */
export async function gather(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await pause(ms, undefined, signal && { signal }).catch(() => undefined)
}

/** A loop that first runs when it is woken. A run that fails is logged, and the next one is tried at its time. */
export function createLoop(options: LoopOptions): Background {
  let timer: NodeJS.Timeout | null = null
  let gathering = false
  let running: Promise<void> | null = null
  let wokenMeanwhile = false
  let stopped = false

  function schedule(delayMs: number): void {
    if (stopped) return
    if (timer) clearTimeout(timer)
    timer = setTimeout(() => void runOnce(), delayMs)
    // Waiting for the next look at the queue must not keep the process alive.
    timer.unref()
  }

  async function runOnce(): Promise<void> {
    timer = null
    gathering = false
    wokenMeanwhile = false
    // Wrapped, so that a run that throws before its first await is told like any other.
    let wanted: number | void = undefined
    running = (async () => {
      wanted = await options.run()
    })().catch((error: unknown) => {
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      options.log(`${options.name}: ${name}: ${message}`)
    })
    await running
    running = null
    if (wokenMeanwhile) gatherWork()
    else if (wanted !== undefined || options.pollMs > 0)
      schedule(Math.min(wanted ?? LONGEST_MS, options.pollMs || LONGEST_MS))
  }

  function gatherWork(): void {
    gathering = true
    schedule(options.gatherMs)
  }

  return {
    wake() {
      if (running) wokenMeanwhile = true
      else if (!gathering) gatherWork()
    },
    async stop() {
      stopped = true
      if (timer) clearTimeout(timer)
      timer = null
      await running
    },
  }
}
