/**
 * Semaphore for expensive requests of keys, so that neither an assistant with many simultaneous requests nor many
 * programs together take the computer from the person at it. The window's own requests need no slot.
 */
import { CONCURRENT_CALLS, WAITING } from '../../domain/contract/rate-limits.ts'
import { AppError } from '../../domain/errors/app-error.ts'

/** Typical time until a slot is free: slower operations have answered with a retry by then. */
const RETRY_SECONDS = 5

interface SemaphoreOptions {
  atOnce?: number
  waiting?: number
}

export class Semaphore {
  private readonly atOnce: number
  private readonly waiting: number
  private taken = 0
  private readonly queue: (() => void)[] = []

  constructor({ atOnce = CONCURRENT_CALLS, waiting = WAITING }: SemaphoreOptions = {}) {
    this.atOnce = atOnce
    this.waiting = waiting
  }

  /** Returns the numbers of running and waiting requests. */
  get counts(): { atWork: number; waiting: number } {
    return { atWork: this.taken, waiting: this.queue.length }
  }

  /**
   * Takes a slot, first come first served; the returned function releases it and may be called more than once. Throws
   * `too_busy` if the queue is full, and the signal's reason if the caller disconnects while waiting.
   */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    if (this.taken < this.atOnce) this.taken += 1
    else if (this.queue.length >= this.waiting)
      throw new AppError('too_busy', {
        details: { atOnce: this.atOnce, waiting: this.waiting },
        retryAfterSeconds: RETRY_SECONDS,
      })
    else await this.wait(signal)
    let isMine = true
    return () => {
      if (!isMine) return
      isMine = false
      this.giveBack()
    }
  }

  private wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.queue.splice(this.queue.indexOf(enter), 1)
        reject(signal?.reason as Error)
      }
      const enter = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.queue.push(enter)
    })
  }

  /** Passes the slot directly to the longest-waiting request, so that no other can take it. */
  private giveBack(): void {
    const next = this.queue.shift()
    if (next) next()
    else this.taken -= 1
  }
}
