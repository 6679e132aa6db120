/** What the simulated platform holds, as a port: in memory, in a file (`sello platform`), or in the store of a test book. */
import { madridTime } from '../../../domain/dates.ts'
import type { InvoiceCode, StatusReport, StatusRole } from '../types.ts'

export interface HeldStatus extends StatusReport {
  role: StatusRole
  presentedAt: string
  presenterNif: string
}

/** An invoice as the platform holds it. */
export interface HeldInvoice {
  /** Order of presentation, from 1. */
  sequence: number
  invoice: InvoiceCode
  recipientTaxId: string
  typeCode: string
  total: string
  copy: boolean
  locator: string
  /** Secure code of the message that brought it. */
  csv: string
  presentedAt: string
  presenterNif: string
  /** Null unless it was withdrawn: then no query shows it, and its code is free again. */
  withdrawnAt: string | null
  statuses: HeldStatus[]
  /** As it arrived. */
  xml: string
}

interface PresentedQuery {
  role: StatusRole
  nif: string
  /** Days in Spain, both included. */
  from: string
  to: string
  /** Sequence of the last invoice of the page before; 0 for the first page. */
  after: number
  limit: number
}

/** It never changes what it was given or what it returned. */
export interface PlatformState {
  /** Returns the invoice of a code that was not withdrawn. */
  find(code: InvoiceCode): Promise<HeldInvoice | null>
  byLocator(locator: string): Promise<HeldInvoice | null>
  /** Returns invoices that were not withdrawn, by their sequence. */
  presented(query: PresentedQuery): Promise<HeldInvoice[]>
  lastSequence(): Promise<number>
  /** Stores invoices, new and changed ones by their sequence: all of them, or none on failure. */
  write(invoices: readonly HeldInvoice[]): Promise<void>
}

/** A state that can also be read as a whole. */
export interface MemoryPlatformState extends PlatformState {
  all(): HeldInvoice[]
}

export function codeKey({ issuerTaxId, number, issueDate }: InvoiceCode): string {
  return JSON.stringify([issuerTaxId, number, issueDate])
}

export function partyOf(held: HeldInvoice, role: StatusRole): string {
  return role === 'issuer' ? held.invoice.issuerTaxId : held.recipientTaxId
}

/** Creates a state in memory. `written` is called with what a message changes before it counts, and may refuse it by throwing. */
export function memoryPlatformState(
  given: readonly HeldInvoice[] = [],
  written: (changed: readonly HeldInvoice[]) => void = () => {},
): MemoryPlatformState {
  const bySequence = new Map<number, HeldInvoice>()
  const byCode = new Map<string, HeldInvoice>()
  const byLocator = new Map<string, HeldInvoice>()
  const file = (held: HeldInvoice): void => {
    bySequence.set(held.sequence, held)
    byLocator.set(held.locator, held)
    const key = codeKey(held.invoice)
    if (held.withdrawnAt === null) byCode.set(key, held)
    else if (byCode.get(key)?.sequence === held.sequence) byCode.delete(key)
  }
  for (const held of given) file(held)
  const copyOf = (held: HeldInvoice | undefined): HeldInvoice | null =>
    held ? { ...held, statuses: [...held.statuses] } : null
  return {
    find: async (code) => copyOf(byCode.get(codeKey(code))),
    byLocator: async (locator) => copyOf(byLocator.get(locator)),
    presented: async ({ role, nif, from, to, after, limit }) => {
      const found: HeldInvoice[] = []
      for (const held of bySequence.values()) {
        if (found.length >= limit) break
        if (held.sequence <= after || held.withdrawnAt !== null || partyOf(held, role) !== nif) continue
        const day = madridTime(new Date(held.presentedAt)).date
        if (day >= from && day <= to) found.push(copyOf(held) as HeldInvoice)
      }
      return found
    },
    lastSequence: async () => [...bySequence.keys()].at(-1) ?? 0,
    write: async (invoices) => {
      written(invoices)
      for (const each of invoices) file({ ...each, statuses: [...each.statuses] })
    },
    all: () => [...bySequence.values()],
  }
}
