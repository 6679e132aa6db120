/** What reading a file finds, and how the thread that reads is asked and answers. */
import type { Fault } from '../../domain/errors/catalog.ts'
import type { Proposal, ReadSource } from '../invoices/contract.ts'

/** A proposal before the book has been asked for its contacts. */
export type ReadProposal = Omit<Proposal, 'supplierId' | 'concept' | 'account'>

export interface ReadResult {
  proposal: ReadProposal
  warnings: Fault[]
}

/** Why a file cannot be read at all. */
export type Unreadable =
  | 'broken'
  | 'encrypted'
  | 'doctype'
  | 'too_deep'
  | 'too_large'
  | 'too_slow'
  | 'unknown_encoding'

export class UnreadableFile extends Error {
  readonly why: Unreadable
  constructor(why: Unreadable) {
    super(why)
    this.name = 'UnreadableFile'
    this.why = why
  }
}

export interface ReadJob {
  bytes: Uint8Array
  mediaType: string
  /** The company's own tax number, which is never the supplier's. */
  ownNif: string
}

export type ReadReply = { found: ReadResult } | { unreadable: Unreadable }

/** What a line of the proposal says that is no purchase: paid in the own name, it only passed through the supplier. */
export const DISBURSEMENTS = 'Suplidos'

/** Nothing found yet. */
export function emptyProposal(source: ReadSource = 'none', format: string | null = null): ReadProposal {
  return { source, format, taxLines: [], confidence: {} }
}

type Level = ReadProposal['confidence'][string]
type Field = keyof ReadProposal

/** Sets what was found, each with how sure it is; what was not found is left out. */
export function setFields(
  proposal: ReadProposal,
  level: Level,
  values: { [Name in Field]?: ReadProposal[Name] | null | undefined },
): void {
  for (const [field, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === '') continue
    Object.assign(proposal, { [field]: value })
    proposal.confidence[field] = level
  }
}
