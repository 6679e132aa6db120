/**
 * The time of an office: the database's, so that servers whose own clocks differ agree. Between two readings of it
 * this process measures with a clock that nobody can set.
 */

/** Statement part that answers the database's clock, in whole milliseconds since 1970. */
export const DATABASE_CLOCK = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** How much faster than the database's clock this process's may run. */
const DRIFT = 1e-4

/**
 * A clock that is never ahead of the database's. What a server dates before its commit is therefore never later than
 * what the next server dates, which reads the database's clock after that commit, when it has taken the lock.
 */
export class DatabaseClock {
  private readonly monotonicMs: () => number
  /** Adds up with the monotonic clock to the database's at `observedAt`, or to less. */
  private offset = Number.NaN
  private observedAt = 0

  constructor(monotonicMs: () => number = () => performance.now()) {
    this.monotonicMs = monotonicMs
  }

  /** Milliseconds of the monotonic clock: taken before a reading is asked for. */
  get tick(): number {
    return this.monotonicMs()
  }

  /** Takes a reading that was asked for at `sentAt` and has just arrived. */
  observe(databaseMs: number, sentAt: number): void {
    const arrivedAt = this.monotonicMs()
    // It was read between the two.
    const least = databaseMs - arrivedAt
    const most = databaseMs + 1 - sentAt
    const current = this.offsetAt(arrivedAt)
    this.offset = current >= least && current <= most ? current : least
    this.observedAt = arrivedAt
  }

  /** Returns the time. Throws before the first reading. */
  now(): Date {
    const at = this.monotonicMs()
    const now = at + this.offsetAt(at)
    if (Number.isNaN(now)) throw new Error('The clock of the database has not been read.')
    return new Date(now)
  }

  private offsetAt(at: number): number {
    return this.offset - (at - this.observedAt) * DRIFT
  }
}
