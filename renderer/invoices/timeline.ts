/** What happened to an invoice's registration, in order, as steps to tell. Pure. */
import type { OutputOf } from '../../server/contracts.ts'
import type { Invoice } from './draft.ts'

export type Registration = NonNullable<OutputOf<'registry.status'>['registrations']>[number]

export type Step =
  | { kind: 'issued'; at: string; actor: string }
  | { kind: 'chained'; at: string; hash: string; previousHash: string | null; sequence: number }
  | {
      kind: 'attempt'
      at: string
      number: number
      of: number
      outcome: Registration['attempts'][number]['outcome']
      seconds: number | null
      message: string | null
    }
  /** Attempts in between that all failed alike. */
  | { kind: 'more'; count: number }
  | { kind: 'waiting'; nextAt: string | null }
  | { kind: 'accepted'; at: string | null; csv: string | null }
  | { kind: 'warned'; at: string | null; csv: string | null; code: string | null; message: string | null }
  | { kind: 'rejected'; at: string | null; code: string | null; message: string | null }
  | { kind: 'cancelled' }

/** Attempts shown at each end of a long row of them. */
const SHOWN_FIRST = 1
const SHOWN_LAST = 2

/** The steps of an issued invoice; `registration` is null while it is being asked for. `you` names the person here. */
export function stepsOf(invoice: Invoice, registration: Registration | null, you: string): Step[] {
  const steps: Step[] = []
  const issue = invoice.history.find((entry) => entry.action === 'invoice.issued')
  if (issue)
    steps.push({ kind: 'issued', at: issue.at, actor: issue.actor.kind === 'user' ? you : issue.actor.name })
  if (!registration) return steps
  steps.push({
    kind: 'chained',
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
      outcome: attempt.outcome,
      seconds,
      message: attempt.message ?? null,
    })
  }
  const at = attempts.at(-1)?.finishedAt ?? null
  const told = { code: registration.authorityCode ?? null, message: registration.message ?? null }
  switch (registration.status) {
    case 'accepted':
      steps.push({ kind: 'accepted', at, csv: registration.csv ?? null })
      break
    case 'accepted_with_errors':
      steps.push({ kind: 'warned', at, csv: registration.csv ?? null, ...told })
      break
    case 'rejected':
      steps.push({ kind: 'rejected', at, ...told })
      break
    case 'cancelled':
      steps.push({ kind: 'cancelled' })
      break
    default:
      steps.push({ kind: 'waiting', nextAt: registration.nextAttemptAt ?? null })
  }
  return steps
}

/** Both ends of a hash, as people compare them: `3C46 7F0A … 9B1E`. */
export function hashEnds(hash: string): string {
  return hash.length <= 12 ? hash : `${hash.slice(0, 4)} ${hash.slice(4, 8)} … ${hash.slice(-4)}`
}
