/**
 * Queue of bulk actions: runs one row after another, with progress, a stop button, and the failures with their
 * reasons. It continues when the user opens another page; two actions run in sequence. The caller provides the
 * action.
 */
import { computed, shallowReactive } from 'vue'
import { asCallError } from '../../call.ts'
import type { CallError } from '../../call.ts'

/** Kind of action: its texts are `bulk.<kind>.doing` and `bulk.<kind>.done`. */
export type BulkKind =
  | 'download'
  | 'remove'
  | 'duplicate'
  | 'send'
  | 'remind'
  | 'handReminders'
  | 'handMails'
  | 'sign'
  | 'issue'
  | 'removeContacts'
  | 'removeItems'
  | 'payReceived'
  | 'voidReceived'
  | 'retire'
  | 'offer'
  | 'reportPaid'

export interface BulkRow {
  id: string
  /** Name shown to the user. */
  name: string
  /** Address of the row, for a failure. */
  to?: string
}

export interface BulkTask<Row extends BulkRow = BulkRow> {
  kind: BulkKind
  rows: readonly Row[]
  /** Runs the action for one row; an error is reported beside that row. */
  perform: (row: Row, bookId: string) => Promise<unknown>
  /** Undo for the completed rows. */
  undo?: (done: readonly Row[], bookId: string) => unknown
  /** The first error ends the action, and the rest is left unchanged; it cannot be retried from here. */
  stopsAtRefusal?: boolean
  /** Called when all rows are done, or it was stopped. */
  settled?: (job: BulkJob) => void
}

export interface BulkFailure {
  row: BulkRow
  error: CallError
}

export interface BulkJob {
  readonly task: BulkTask
  readonly bookId: string
  state: 'waiting' | 'running' | 'stopping' | 'ended'
  done: readonly BulkRow[]
  failed: readonly BulkFailure[]
  /** Rows not tried: the action was stopped, or ended at an error. */
  left: readonly BulkRow[]
}

/** Running actions, and ended ones whose result has not been read, oldest first. */
export const bulkJobs = shallowReactive<BulkJob[]>([])
export const isBulkRunning = computed(() => bulkJobs.some(({ state }) => state !== 'ended'))

/** Errors that every other row would get as well: the remaining rows are not tried. */
const OF_ALL: readonly string[] = [
  'offline',
  'unauthorized',
  'mail_not_configured',
  'certificate_missing',
  'certificate_expired',
]

let queue: Promise<unknown> = Promise.resolve()

/** Appends an action to the queue; `ended` is called once it is over. */
export function startBulk<Row extends BulkRow>(
  task: BulkTask<Row>,
  bookId: string,
  ended: (job: BulkJob) => void,
): BulkJob {
  const job = shallowReactive<BulkJob>({
    // Each task receives only the rows that it provided.
    task: task as unknown as BulkTask,
    bookId,
    state: 'waiting',
    done: [],
    failed: [],
    left: task.rows,
  })
  bulkJobs.push(job)
  queue = queue.then(() => perform(job)).then(() => ended(job))
  return job
}

async function perform(job: BulkJob): Promise<void> {
  if (job.state === 'waiting') job.state = 'running'
  while (job.state === 'running') {
    const [row, ...left] = job.left
    if (!row) break
    try {
      await job.task.perform(row, job.bookId)
      job.done = [...job.done, row]
    } catch (thrown) {
      const error = asCallError(thrown)
      job.failed = [...job.failed, { row, error }]
      if (job.task.stopsAtRefusal || OF_ALL.includes(error.code)) stopBulk(job)
    }
    job.left = left
  }
  job.state = 'ended'
  job.task.settled?.(job)
}

/** Stops the action after the current row. */
export function stopBulk(job: BulkJob): void {
  if (job.state !== 'ended') job.state = 'stopping'
}

/** Returns the outcome of the rows that did not fail: all done, none done, or some never tried. */
export function bulkRest(job: Pick<BulkJob, 'done' | 'left'>): 'done' | 'none' | 'left' | 'doneAndLeft' {
  if (job.done.length === 0) return job.left.length === 0 ? 'none' : 'left'
  return job.left.length === 0 ? 'done' : 'doneAndLeft'
}

/** Removes its line from the foot. */
export function forgetBulk(job: BulkJob): void {
  const place = bulkJobs.indexOf(job)
  if (place !== -1) bulkJobs.splice(place, 1)
}

/** Returns the share of tried rows, in percent. */
export function bulkPercent(job: BulkJob): number {
  const { length } = job.task.rows
  return length === 0 ? 100 : (100 * (length - job.left.length)) / length
}
