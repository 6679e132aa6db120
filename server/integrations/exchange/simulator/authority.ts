/** Who may act for whom at the simulated platform, and which tax numbers it knows. Source of the capacities: slides of 10 September 2026. */
import { isNif } from '../../../domain/tax/nif.ts'
import type { HeldInvoice } from './state.ts'

/** A power that is registered: an attorney may do everything, a social collaborator sends and reads only what it sent. */
export interface Power {
  nif: string
  for: string
  as: Capacity
}
type Capacity = 'attorney' | 'collaborator'

/** A number that the platform does not know, besides those it is told not to know. */
const UNKNOWN = '99999999R'

/** Returns powers from outside, or null unless each has both tax numbers and a capacity. */
export function readPowers(value: unknown): Power[] | null {
  if (!Array.isArray(value)) return null
  const read = value.map((each: unknown): Power | null => {
    if (typeof each !== 'object' || each === null) return null
    const { nif, for: holder, as = 'attorney' } = each as Record<string, unknown>
    const isWhole =
      typeof nif === 'string' &&
      isNif(nif) &&
      typeof holder === 'string' &&
      isNif(holder) &&
      (as === 'attorney' || as === 'collaborator')
    return isWhole ? { nif, for: holder, as } : null
  })
  return read.every((each) => each !== null) ? read : null
}

export interface Register {
  /** Sends invoices and reports statuses for a company. */
  maySend(callers: readonly string[], nif: string): boolean
  /** Reads everything of a company; false for a collaborator, who reads by `mayRead`. */
  mayReadAll(callers: readonly string[], nif: string): boolean
  /** Reads one invoice for a company that is a party of it. */
  mayRead(callers: readonly string[], nif: string, held: HeldInvoice): boolean
  knows(nif: string): boolean
}

/** Creates the register. `powers` is read again at each question. */
export function createRegister(powers: readonly Power[], unknown: readonly string[] = []): Register {
  const strangers = new Set([UNKNOWN, ...unknown])
  const capacity = (callers: readonly string[], nif: string): 'own' | Capacity | null => {
    if (callers.includes(nif)) return 'own'
    const held = powers.filter((each) => each.for === nif && callers.includes(each.nif))
    return held.find(({ as }) => as === 'attorney')?.as ?? held[0]?.as ?? null
  }
  const mayReadAll = (callers: readonly string[], nif: string): boolean =>
    ['own', 'attorney'].includes(capacity(callers, nif) ?? '')
  return {
    maySend: (callers, nif) => capacity(callers, nif) !== null,
    mayReadAll,
    mayRead: (callers, nif, held) =>
      mayReadAll(callers, nif) ||
      (capacity(callers, nif) === 'collaborator' && callers.includes(held.presenterNif)),
    knows: (nif) => isNif(nif) && !strangers.has(nif),
  }
}
