/** Background loops: one run at a time, started by a wake-up or by a timer, with an orderly stop. */
import { setTimeout as pause } from 'node:timers/promises'

export interface Background {
  /** Signals that there is work; a run follows soon. */
  wake(): void
  /** Starts no further run; resolves when the current one has ended. */
  stop(): Promise<void>
}

export interface LoopOptions {
  name: string
  /** Time to collect further work after a wake-up before a run starts. */
  gatherMs: number
  /** Longest time between runs without a wake-up; 0 = no timer. */
  pollMs: number
  /** Performs one run. Returns the milliseconds until more work is due, if known. */
  run: () => Promise<number | void>
  log: (line: string) => void
}

/** Timers cannot wait longer than this; an additional run costs nothing. */
const LONGEST_MS = 24 * 3_600_000

/** Waits within a run for further work to arrive; the signal ends the wait. */
export async function waitForMoreWork(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await pause(ms, undefined, signal && { signal }).catch(() => undefined)
}

/**
 * Creates a loop whose first run starts at the first wake-up. A failed run is logged, and the next one starts on
 * schedule.
 */
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
    // The timer of the next run must not keep the process alive.
    timer.unref()
  }

  async function runOnce(): Promise<void> {
    timer = null
    gathering = false
    wokenMeanwhile = false
    // The run is wrapped so that one that throws before its first await is logged like any other.
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
