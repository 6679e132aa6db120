/**
 * Rate limits of a key: plans and families of operations. The family follows from the contract, so that a new
 * operation is limited without being listed anywhere. The reference prints the values of this file.
 */
import { EVENT_STREAM } from './define-contract.ts'
import type { ContractFacts } from './define-contract.ts'

export const FAMILIES = ['read', 'write', 'issue', 'documents', 'outward'] as const
export type Family = (typeof FAMILIES)[number]

/** Operations that belong to a family, described for the reference. */
export const FAMILY_MEANING: Readonly<Record<Family, string>> = {
  read: 'Reads the books.',
  write: 'Changes the books.',
  issue: 'Cannot be undone: issuing, cancelling, amending.',
  documents: 'Answers or takes a file: PDF, electronic invoices, archives, lists as files, uploads.',
  outward:
    'Asks somebody elsewhere while the caller waits: accounting systems, VIES, the census, exchange rates.',
}

/** Returns the family of an operation. Irreversible operations and calls to external services are classified first. */
export function familyOf({
  effect,
  media,
  bodyMiB,
  external,
}: Pick<ContractFacts, 'effect' | 'media' | 'bodyMiB' | 'external'>): Family {
  if (effect === 'irreversible') return 'issue'
  if (external) return 'outward'
  // An event stream is open for hours and costs almost nothing: it has a limit of its own.
  if (media === EVENT_STREAM) return 'read'
  if (media !== undefined || bodyMiB !== undefined) return 'documents'
  return effect
}

/** Length of the window in which requests are counted; the first request after one has ended begins the next. */
export const WINDOW_SECONDS = 60
export const MAX_PER_MINUTE = 1_000_000

interface Plan {
  /** False: requests are counted and reported, and none is refused. */
  refuses: boolean
  /** Requests of one key per window. All of them may arrive at once. */
  perMinute: Readonly<Record<Family, number>>
}

export const PLAN_NAMES = ['beta', 'standard'] as const
type PlanName = (typeof PLAN_NAMES)[number]

export const PLANS: Readonly<Record<PlanName, Plan>> = {
  beta: {
    refuses: false,
    perMinute: {
      read: MAX_PER_MINUTE,
      write: MAX_PER_MINUTE,
      issue: MAX_PER_MINUTE,
      documents: MAX_PER_MINUTE,
      outward: MAX_PER_MINUTE,
    },
  },
  standard: {
    refuses: true,
    perMinute: { read: 120, write: 120, issue: 10, documents: 60, outward: 20 },
  },
}

export const DEFAULT_PLAN: PlanName = 'beta'

/** Number of expensive requests of all keys that run at once, and of those that may wait; in every plan. */
export const CONCURRENT_CALLS = 2
export const WAITING = 16

/** Returns true if requests of a family need one of the few slots. */
export function isCapped(family: Family): family is CappedFamily {
  return family === 'documents' || family === 'outward'
}
export type CappedFamily = 'documents' | 'outward'
