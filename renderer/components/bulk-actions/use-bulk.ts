/** Start of a bulk action from a page: it ends in a notice with undo, and at the foot if any rows are left. */
import { formatCount } from '../../format.ts'
import { translate } from '../../i18n.ts'
import { useSessionStore } from '../../stores/session.ts'
import { useToasts } from '../../stores/toasts.ts'
import { forgetBulk, startBulk } from './bulk.ts'
import type { BulkJob, BulkRow, BulkTask } from './bulk.ts'

export function useBulk() {
  const session = useSessionStore()
  const toasts = useToasts()

  function ended(job: BulkJob): void {
    const { kind, undo } = job.task
    const { done, bookId } = job
    if (job.failed.length === 0 && job.left.length === 0) forgetBulk(job)
    if (done.length === 0) return
    toasts.done(translate(`bulk.${kind}.done`, { count: formatCount(done.length) }, done.length), {
      ...(undo ? { undo: () => Promise.resolve(undo(done, bookId)).catch(toasts.failed) } : {}),
    })
  }

  function start<Row extends BulkRow>(task: BulkTask<Row>): void {
    if (task.rows.length > 0) startBulk(task, session.activeBook?.id ?? '', ended)
  }

  /** Repeats the action for the failed rows, or for those not tried. */
  function again(job: BulkJob, rows: readonly BulkRow[]): void {
    forgetBulk(job)
    startBulk({ ...job.task, rows }, job.bookId, ended)
  }

  return { start, again }
}
