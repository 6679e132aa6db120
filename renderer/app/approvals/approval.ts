/** Approvals that API keys have requested. Pure. */
import { translate } from '../../i18n.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'
import type { Entry } from './entry.ts'

export type ApprovalItem = OutputOf<'approvals.list'>['waiting'][number]

/** Warning before the first live invoice of a year: a company that starts stays in the scheme until its end. */
export const COMMITMENT = 'scheme_commitment'

const MINUTE_MS = 60_000
/** From this remaining time on it is shown in amber. */
const SHORT_MS = 2 * MINUTE_MS
/** Minutes announced to screen readers when they begin: announcing every second would drown everything else. */
const TOLD_MINUTES = [5, 2, 1]

interface TimeLeft {
  /** Minutes and seconds. */
  text: string
  short: boolean
  over: boolean
  /** Minutes to announce; null most of the time. */
  minutes: number | null
}

/** Returns the time left until an instant. */
export function timeLeft(expiresAt: string, nowMs: number): TimeLeft {
  const ms = Math.max(0, Date.parse(expiresAt) - nowMs)
  const seconds = Math.ceil(ms / 1000)
  const minutes = Math.ceil(ms / MINUTE_MS)
  return {
    text: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`,
    short: ms < SHORT_MS,
    over: ms === 0,
    minutes: TOLD_MINUTES.findLast((told) => minutes <= told) ?? null,
  }
}

/** Returns the entry for the list of the inbox. */
export function approvalEntry(item: ApprovalItem): Entry {
  const waiting = item.status === 'pending'
  return {
    id: item.approvalId,
    kind: 'approval',
    waiting,
    title: translate(`approval.short.${item.action}`, { number: item.invoice.number }),
    about: item.invoice.clientName,
    amount: item.invoice.total,
    note: waiting ? item.key.name : translate(`approval.status.${item.status}`),
    at: item.decidedAt ?? item.createdAt,
  }
}
