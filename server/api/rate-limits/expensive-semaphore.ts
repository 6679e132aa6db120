/**
 * The few places for expensive requests of keys, so that neither an assistant that asks for everything at once nor many
 * programs together take the computer from the person at it. The window's own requests need none.
 */
import { CONCURRENT_CALLS, WAITING } from '../../domain/contract/rate-limits.ts'
import { AppError } from '../../domain/errors/catalog.ts'

/** A place is free again in about this time: what takes longer has been told to come back later by then. */
const RETRY_SECONDS = 5

export interface SemaphoreOptions {
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

  /** How many are at work, and how many wait. */
  get counts(): { atWork: number; waiting: number } {
    return { atWork: this.taken, waiting: this.queue.length }
  }

  /**
   * A place, first come first served; the caller gives it back by calling what it got, however often. Throws `too_busy`
   * when all wait that may, and the signal's reason when the caller goes away while it waits.
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

  /** The place goes straight to who waits longest, so that nobody slips in between. */
  private giveBack(): void {
    const next = this.queue.shift()
    if (next) next()
    else this.taken -= 1
  }
}
