/** Steps of one record of an invoice, in order. Pure. */
import { actorText } from '../../../platform/audit/actor.ts'
import type { OutputOf } from '../../../../server/api/contracts.ts'
import { themeNamed } from '../../../registry/meaning.ts'
import type { Theme } from '../../../registry/meaning.ts'
import type { Invoice } from '../editor/draft.ts'

export type Registration = NonNullable<OutputOf<'registry.status'>['registrations']>[number]

/** Kind of a record: registers the invoice, corrects the registration, or cancels it. */
type TimelineEvent = 'issued' | 'amended' | 'cancelled'

export type Step =
  | { kind: 'made'; deed: TimelineEvent; at: string; actor: string }
  | {
      kind: 'chained'
      deed: TimelineEvent
      at: string
      hash: string
      previousHash: string | null
      sequence: number
    }
  | {
      kind: 'attempt'
      at: string
      number: number
      of: number
      asked: boolean
      outcome: Registration['attempts'][number]['outcome']
      seconds: number | null
      message: string | null
    }
  /** Intermediate attempts that all failed in the same way. */
  | { kind: 'more'; count: number }
  | { kind: 'waiting'; nextAt: string | null }
  | { kind: 'accepted'; deed: TimelineEvent; at: string | null; csv: string | null; csvLost: boolean }
  | { kind: 'warned'; at: string | null; csv: string | null; theme: Theme; says: string | null }
  | { kind: 'rejected'; deed: TimelineEvent; at: string | null; theme: Theme; says: string | null }

/** Attempts shown at the start of a long series of them. */
const SHOWN_FIRST = 1
const SHOWN_LAST = 2

export function timelineEventOf(registration: Pick<Registration, 'kind' | 'turn'>): TimelineEvent {
  if (registration.kind === 'cancellation') return 'cancelled'
  return registration.turn === 'first' ? 'issued' : 'amended'
}

const ACTIONS: Record<TimelineEvent, string> = {
  issued: 'invoice.issued',
  amended: 'invoice.amended',
  cancelled: 'invoice.cancelled',
}

/** Returns who made the record: the actor of the history entry nearest in time. */
function makerOf(invoice: Invoice, registration: Registration | null): Invoice['history'][number] | null {
  const action = ACTIONS[registration ? timelineEventOf(registration) : 'issued']
  const entries = invoice.history.filter((entry) => entry.action === action)
  if (!registration) return entries[0] ?? null
  const away = (entry: Invoice['history'][number]) =>
    Math.abs(Date.parse(entry.at) - Date.parse(registration.generatedAt))
  return entries.sort((a, b) => away(a) - away(b))[0] ?? null
}

/**
 * Returns the steps of a record of an issued invoice; the record is null while it is loading. `you` is the name of
 * the current user.
 */
export function stepsOf(invoice: Invoice, registration: Registration | null, you: string): Step[] {
  const steps: Step[] = []
  const deed = registration ? timelineEventOf(registration) : 'issued'
  const maker = makerOf(invoice, registration)
  if (maker)
    steps.push({
      kind: 'made',
      deed,
      at: maker.at,
      actor: actorText(maker.actor, you),
    })
  if (!registration) return steps
  steps.push({
    kind: 'chained',
    deed,
    at: registration.generatedAt,
    hash: registration.hash,
    previousHash: registration.previousHash ?? null,
    sequence: registration.sequence,
  })
  const { attempts } = registration
  const hidden = attempts.length - SHOWN_FIRST - SHOWN_LAST
  for (const [index, attempt] of attempts.entries()) {
    if (hidden > 0 && index >= SHOWN_FIRST && index < SHOWN_FIRST + hidden) {
      if (index === SHOWN_FIRST) steps.push({ kind: 'more', count: hidden })
      continue
    }
    const seconds = attempt.finishedAt
      ? Math.max(0, (Date.parse(attempt.finishedAt) - Date.parse(attempt.startedAt)) / 1000)
      : null
    steps.push({
      kind: 'attempt',
      at: attempt.startedAt,
      number: attempt.attempt,
      of: attempts.length,
      asked: attempt.kind === 'query',
      outcome: attempt.outcome,
      seconds,
      message: attempt.message ?? null,
    })
  }
  const at = attempts.at(-1)?.finishedAt ?? null
  const theme = registration.conflict ? 'registry_conflict' : themeNamed(registration.meaning)
  const says = [registration.authorityCode, registration.message].filter(Boolean).join(': ') || null
  switch (registration.status) {
    case 'accepted':
      steps.push({
        kind: 'accepted',
        deed,
        at,
        csv: registration.csv ?? null,
        csvLost: registration.csvLost ?? false,
      })
      break
    case 'accepted_with_errors':
      steps.push({ kind: 'warned', at, csv: registration.csv ?? null, theme, says })
      break
    case 'rejected':
      steps.push({ kind: 'rejected', deed, at, theme, says })
      break
    default:
      steps.push({ kind: 'waiting', nextAt: registration.nextAttemptAt ?? null })
  }
  return steps
}

/** Returns the status of a cancellation; null for an invoice that is in force. */
export function annulmentOf(
  invoice: Pick<Invoice, 'cancelledAt'>,
  registrations: readonly Registration[],
): 'cancelled' | 'cancelling' | 'notCancelled' | null {
  if (!invoice.cancelledAt) return null
  const last = registrations.findLast((each) => each.kind === 'cancellation')
  if (!last || last.status.startsWith('accepted')) return 'cancelled'
  return last.status === 'rejected' ? 'notCancelled' : 'cancelling'
}

/** Returns the first and last digits of a hash, for comparison by eye: `3C46 7F0A … 9B1E`. */
export function hashEnds(hash: string): string {
  return hash.length <= 12 ? hash : `${hash.slice(0, 4)} ${hash.slice(4, 8)} … ${hash.slice(-4)}`
}
