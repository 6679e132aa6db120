/**
 * One deed on many things: one after another, with how far it is, a way to stop, and what failed and why. It runs on
 * while the person goes elsewhere; two are done one after the other. What is to be done to each thing is the caller's.
 */
import { computed, shallowReactive } from 'vue'
import { asCallError } from '../../call.ts'
import type { CallError } from '../../call.ts'

/** What is done: the words are `bulk.<kind>.doing` and `bulk.<kind>.done`. */
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

export interface BulkRow {
  id: string
  /** As the person knows it. */
  name: string
  /** Where it is, for what failed. */
  to?: string
}

export interface BulkTask<Row extends BulkRow = BulkRow> {
  kind: BulkKind
  rows: readonly Row[]
  /** Done to each; what it throws is told beside that thing. */
  perform: (row: Row, bookId: string) => Promise<unknown>
  /** The way back for those that were done. */
  undo?: (done: readonly Row[], bookId: string) => unknown
  /** The first refusal ends it, and the rest is left as it is; it is not tried again from here. */
  stopsAtRefusal?: boolean
  /** All are done, or it was stopped. */
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
  /** Not tried: it was stopped, or something before was refused. */
  left: readonly BulkRow[]
}

/** Those under way and those whose end has not been read yet, oldest first. */
export const bulkJobs = shallowReactive<BulkJob[]>([])
export const isBulkRunning = computed(() => bulkJobs.some(({ state }) => state !== 'ended'))

/** Refusals that every other row would get as well: there is no sense in asking for each of them. */
const OF_ALL: readonly string[] = [
  'offline',
  'unauthorized',
  'mail_not_configured',
  'certificate_missing',
  'certificate_expired',
]

let queue: Promise<unknown> = Promise.resolve()

/** Puts a deed at the end of the line; `ended` hears of it once it is over. */
export function startBulk<Row extends BulkRow>(
  task: BulkTask<Row>,
  bookId: string,
  ended: (job: BulkJob) => void,
): BulkJob {
  const job = shallowReactive<BulkJob>({
    // Each task gets back the rows that it gave, and no others.
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

/** Ends it after the thing that is being done now. */
export function stopBulk(job: BulkJob): void {
  if (job.state !== 'ended') job.state = 'stopping'
}

/** What became of the rows that did not fail: all done, none done, or some never tried. */
export function bulkRest(job: Pick<BulkJob, 'done' | 'left'>): 'done' | 'none' | 'left' | 'doneAndLeft' {
  if (job.done.length === 0) return job.left.length === 0 ? 'none' : 'left'
  return job.left.length === 0 ? 'done' : 'doneAndLeft'
}

/** Takes its line off the foot. */
export function forgetBulk(job: BulkJob): void {
  const place = bulkJobs.indexOf(job)
  if (place !== -1) bulkJobs.splice(place, 1)
}

/** What has been tried of it, in percent. */
export function bulkPercent(job: BulkJob): number {
  const { length } = job.task.rows
  return length === 0 ? 100 : (100 * (length - job.left.length)) / length
}
