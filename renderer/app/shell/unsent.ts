/**
 * Decision whether the window must announce unsent records. The law requires the number on screen while a failure
 * keeps them here (Orden HAC/1177/2024 art. 16.4); records sent within the hour are no failure. Pure.
 */
import type { OutputOf } from '../../../server/api/contracts.ts'

type Queue = OutputOf<'registry.status'>['queue']

export interface LiveQueue {
  bookId: string
  company: string
  queue: Pick<Queue, 'pending' | 'oldestPendingAt' | 'stopped'>
  /** Status of the certificate, a cause that the user can fix. */
  certificate: OutputOf<'registry.status'>['certificate']['status']
}

export interface UnsentNotice {
  bookId: string
  company: string
  count: number
  /** Creation time of the oldest one. */
  since: string | null
  words: 'stopped' | 'certificate' | 'late'
}

const HOUR_MS = 3_600_000

/** Returns the notices, one for each live book with unsent records; usually none. */
export function unsentNotices(queues: readonly LiveQueue[], nowMs: number): UnsentNotice[] {
  return queues.flatMap(({ bookId, company, queue, certificate }) => {
    const since = queue.oldestPendingAt ?? null
    const late = queue.pending > 0 && since !== null && nowMs - Date.parse(since) > HOUR_MS
    if (!queue.stopped && !late) return []
    const held = certificate === 'missing' || certificate === 'expired'
    const words = queue.stopped ? 'stopped' : held ? 'certificate' : 'late'
    return [{ bookId, company, count: queue.pending, since, words }]
  })
}
