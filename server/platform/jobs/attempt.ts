/**
 * Attempts at the jobs of a queue: claim, attempt, settle. A queue is a table of a slice with the slice's own rules; the order
 * of these three steps, and what happens when one of them fails, is the same for every queue.
 */
import { track } from '../../domain/concurrency/in-flight.ts'

export interface JobQueue<Job, Outcome> {
  /**
   * Claims the next due job in a transaction. The claim, and the attempt where attempts are counted, is written before
   * anything leaves the process. Null when nothing is due.
   */
  claim(): Promise<Job | null>
  /** Makes one attempt. The signal cuts it off; the outcome then says so. */
  attempt(job: Job, signal: AbortSignal): Promise<Outcome>
  /**
   * Writes the outcome and the next due time in one transaction. May claim the next job in the same transaction when
   * `claimNext` is true: it then returns that job, or null when there is none. Returns nothing when `claim` is to be called.
   */
  settle(job: Job, outcome: Outcome, claimNext: boolean): Promise<Job | null | void>
  /**
   * The outcome of an attempt that threw. Without it the error ends the drain, and the job stays claimed until its lease
   * expires.
   */
  outcomeOfError?(job: Job, error: unknown): Outcome
}

interface AttemptOptions {
  signal?: AbortSignal
  /** The store whose restart waits for an attempt and its outcome. Without it a restart waits for none. */
  inFlight?: object
}

/** Ends no attempt. */
const NEVER = new AbortController().signal

async function runJob<Job, Outcome>(
  queue: JobQueue<Job, Outcome>,
  job: Job,
  { signal = NEVER, inFlight }: AttemptOptions,
): Promise<Job | null | void> {
  const work = async (): Promise<Job | null | void> => {
    let outcome: Outcome
    try {
      outcome = await queue.attempt(job, signal)
    } catch (error) {
      if (!queue.outcomeOfError) throw error
      outcome = queue.outcomeOfError(job, error)
    }
    return queue.settle(job, outcome, !signal.aborted)
  }
  return inFlight ? track(inFlight, work) : work()
}

/** Claims one job, attempts it and settles it. Returns whether there was one. */
export async function runNextJob<Job, Outcome>(
  queue: JobQueue<Job, Outcome>,
  options: AttemptOptions = {},
): Promise<boolean> {
  const job = await queue.claim()
  if (job === null) return false
  await runJob(queue, job, options)
  return true
}

/**
 * Works through everything that is due, one job after the other, until nothing is due or the signal ends it. A claimed job is
 * always attempted and settled. Returns how many were attempted.
 */
export async function drainQueue<Job, Outcome>(
  queue: JobQueue<Job, Outcome>,
  options: AttemptOptions = {},
): Promise<number> {
  const { signal = NEVER } = options
  let attempted = 0
  let next: Job | null | void = undefined
  for (;;) {
    if (next === undefined && !signal.aborted) next = await queue.claim()
    if (next === undefined || next === null) return attempted
    attempted += 1
    next = await runJob(queue, next, options)
  }
}

/** Returns the message of whatever was thrown, for a line of the log. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
