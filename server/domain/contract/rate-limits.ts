/**
 * How often a key may ask: plans and families of operations. The family follows from the contract, so that a new
 * operation has its limits without being named anywhere. What stands here is also what the reference prints.
 */
import { EVENT_STREAM } from './define-contract.ts'
import type { ContractFacts } from './define-contract.ts'

export const FAMILIES = ['read', 'write', 'issue', 'documents', 'outward'] as const
export type Family = (typeof FAMILIES)[number]

/** What belongs to a family, in words for the reference. */
export const FAMILY_MEANING: Readonly<Record<Family, string>> = {
  read: 'Reads the books.',
  write: 'Changes the books.',
  issue: 'Cannot be undone: issuing, cancelling, amending.',
  documents: 'Answers or takes a file: PDF, electronic invoices, archives, lists as files, uploads.',
  outward:
    'Asks somebody elsewhere while the caller waits: accounting systems, VIES, the census, exchange rates.',
}

/** The family of an operation. What cannot be undone and what leaves this computer are told apart before anything else. */
export function familyOf({
  effect,
  media,
  bodyMiB,
  outward,
}: Pick<ContractFacts, 'effect' | 'media' | 'bodyMiB' | 'outward'>): Family {
  if (effect === 'irreversible') return 'issue'
  if (outward) return 'outward'
  // A stream of events is open for hours and costs next to nothing: it has a number of its own.
  if (media === EVENT_STREAM) return 'read'
  if (media !== undefined || bodyMiB !== undefined) return 'documents'
  return effect
}

/** Requests are counted in windows of so many seconds; the first request after one has ended begins the next. */
export const WINDOW_SECONDS = 60
export const MAX_PER_MINUTE = 1_000_000

export interface Plan {
  /** False: it counts and tells, and refuses nobody. */
  refuses: boolean
  /** Requests of one key in one window. All of them may come at once. */
  perMinute: Readonly<Record<Family, number>>
}

export const PLAN_NAMES = ['beta', 'standard'] as const
export type PlanName = (typeof PLAN_NAMES)[number]

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

/** How many expensive requests of all keys are at work at once, and how many more wait; in every plan. */
export const CONCURRENT_CALLS = 2
export const WAITING = 16

/** Whether requests of a family take one of the few places. */
export function isCapped(family: Family): family is CappedFamily {
  return family === 'documents' || family === 'outward'
}
export type CappedFamily = 'documents' | 'outward'
