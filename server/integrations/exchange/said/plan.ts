/**
 * What has to be said of an invoice after a payment changed. Pure: it compares what was said so far with what the books
 * say now. Statuses are facts: a wrong one is cancelled and said again, never changed.
 */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { StatusKind } from '../types.ts'

export type Said = 'rejected' | 'paid' | 'settled' | 'defaulted'
type ReportState = 'to_send' | 'unknown' | 'admitted' | 'refused' | 'dropped'

export interface SaidReport {
  id: number
  kind: StatusKind
  day: BusinessDate
  state: ReportState
  byMachine: boolean
  /** False once it has left, even if its answer says that nothing was done. */
  isUnsent: boolean
}

/** What each kind leaves said. */
const AFTER: Readonly<Record<StatusKind, Said | null>> = {
  rejected: 'rejected',
  rejection_cancelled: null,
  paid: 'paid',
  payment_cancelled: null,
  settled: 'settled',
  settlement_cancelled: null,
  defaulted: 'defaulted',
  default_cancelled: null,
  withdrawn: null,
}

export const CANCELLATION: Readonly<Record<Said, StatusKind>> = {
  rejected: 'rejection_cancelled',
  paid: 'payment_cancelled',
  settled: 'settlement_cancelled',
  defaulted: 'default_cancelled',
}

/** What stands said, by which report. */
interface Standing {
  said: Said
  day: BusinessDate
  report: SaidReport
}

/** Returns what some reports, in order, leave said; null for nothing. */
function standingAfter(reports: readonly SaidReport[]): Standing | null {
  const last = reports.findLast(({ kind }) => kind !== 'withdrawn')
  if (!last) return null
  const said = AFTER[last.kind]
  return said === null ? null : { said, day: last.day, report: last }
}

/** Returns what is said once everything that waits has been admitted. */
export function intended(reports: readonly SaidReport[]): Standing | null {
  return standingAfter(reports.filter(({ state }) => state !== 'dropped' && state !== 'refused'))
}

/** Returns what the platform has admitted. */
export function admittedStanding(reports: readonly SaidReport[]): Standing | null {
  return standingAfter(reports.filter(({ state }) => state === 'admitted'))
}

type Step =
  /** It has not left: it is taken back without a word. */
  { kind: 'drop'; reportId: number } | { kind: 'say'; what: StatusKind; day: BusinessDate }

const isUnsentYet = ({ isUnsent, state }: SaidReport): boolean => isUnsent && state === 'to_send'

interface Wanted {
  said: 'paid' | 'settled'
  day: BusinessDate
}

const isSaid = (stands: Standing | null, wanted: Wanted | null): boolean =>
  wanted === null ? stands === null : stands?.said === wanted.said && stands.day === wanted.day

/**
 * Returns the next step towards what the books say; null when it is said. `wanted` is `paid` or `settled` with its day, null
 * while something is owed. What a person said, or took back, stands until a person or another day changes it. What the
 * platform refused is not said again by itself, only `again` where a person asks for it.
 */
export function nextStep(
  reports: readonly SaidReport[],
  wanted: Wanted | null,
  today: BusinessDate,
  { again = false } = {},
): Step | null {
  const valid = reports.filter(({ state }) => state !== 'dropped' && state !== 'refused')
  const stands = intended(reports)
  if (isSaid(stands, wanted)) return null
  const last = valid.at(-1)
  const before = valid.slice(0, -1)
  if (last && !last.byMachine) {
    if (stands !== null) return null
    const cancelled = before.at(-1)
    if (wanted !== null && cancelled?.kind === wanted.said && cancelled.day === wanted.day) return null
  }
  // A step that has not left is undone before another one is added.
  if (last && last.byMachine && isUnsentYet(last) && (stands !== null || isSaid(intended(before), wanted)))
    return { kind: 'drop', reportId: last.id }
  const newest = again ? undefined : reports.findLast(({ state }) => state !== 'dropped')
  const refused = newest?.state === 'refused' ? newest : null
  if (stands !== null) {
    const what = CANCELLATION[stands.said]
    return refused?.kind === what ? null : { kind: 'say', what, day: today }
  }
  if (wanted === null) return null
  if (refused?.kind === wanted.said && refused.day === wanted.day) return null
  return { kind: 'say', what: wanted.said, day: wanted.day }
}

/** Returns the newest report if the platform refused it and the books do not ask for it any more; null otherwise. */
export function needlessRefused(reports: readonly SaidReport[], wanted: Wanted | null): SaidReport | null {
  const newest = reports.findLast(({ state }) => state !== 'dropped')
  const isNeedless =
    newest?.state === 'refused' &&
    newest.byMachine &&
    newest.kind !== 'withdrawn' &&
    isSaid(intended(reports), wanted)
  return isNeedless ? newest : null
}

/** Returns true if the books say paid, but a person rejected the invoice: only a person can decide which holds. */
export function isContradicted(
  reports: readonly SaidReport[],
  wanted: { said: 'paid' | 'settled' } | null,
): boolean {
  const stands = intended(reports)
  return wanted !== null && stands?.said === 'rejected'
}
