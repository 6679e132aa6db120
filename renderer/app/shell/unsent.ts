/**
 * Whether the window has to say that records have not been sent. The law asks for the number on screen while a failure
 * keeps them here (Orden HAC/1177/2024 art. 16.4); what leaves within the hour is no failure. Pure.
 */
import type { OutputOf } from '../../../server/api/contracts.ts'

type Queue = OutputOf<'registry.status'>['queue']

export interface LiveQueue {
  bookId: string
  company: string
  queue: Queue
  /** Why it cannot leave, when that is known and a person can change it. */
  certificate: OutputOf<'registry.status'>['certificate']['status']
}

export interface UnsentNotice {
  bookId: string
  company: string
  count: number
  /** When the oldest of them was made. */
  since: string | null
  words: 'stopped' | 'certificate' | 'late'
}

const HOUR_MS = 3_600_000

/** The notices there are, one for each live book that has something to say; none as a rule. */
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
