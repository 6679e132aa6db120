/** Assesses a reading: may the document be entered as it is, or which fields have to be looked at? Pure. */
import type { Fault } from '../../domain/errors/app-error.ts'
import type { Proposal } from '../intake/contract.ts'
import type { DuplicateOf, IncomingState } from './contract.ts'

/** Fields that every entry needs. */
const NEEDED = ['supplierName', 'supplierNif', 'supplierNumber', 'issueDate', 'taxLines', 'total'] as const
/** Fields that change an entry where the document has them. */
const IF_PRESENT = ['withholding', 'dueDate'] as const

const SURE: readonly (string | undefined)[] = ['proven', 'known']

/** Warnings that only say how a document was read, or what Sello never checks. */
const INFORMATIVE: readonly string[] = ['read_from_text', 'read_from_picture', 'signature_not_checked']

/** Returns the fields that an entry needs and that nothing proves, or that are missing. */
export function doubtsOf(proposal: Proposal): string[] {
  const { levels } = proposal
  const isMissing = (name: (typeof NEEDED)[number]): boolean => {
    const value = proposal[name]
    return value === undefined || (Array.isArray(value) && value.length === 0)
  }
  const doubts: string[] = NEEDED.filter((name) => isMissing(name) || !SURE.includes(levels[name]))
  doubts.push(...IF_PRESENT.filter((name) => proposal[name] !== undefined && !SURE.includes(levels[name])))
  // An invoice by default; anything else changes signs and books.
  const isOtherKind = proposal.kind !== undefined && !['invoice', 'simplified'].includes(proposal.kind)
  if (isOtherKind && !SURE.includes(levels['kind'])) doubts.push('kind')
  // The rate of exchange is on no document.
  if ((proposal.currency ?? 'EUR') !== 'EUR') doubts.push('currency')
  return doubts
}

/** Duplicates that are certain. Others are only shown. */
const CERTAIN: readonly DuplicateOf['because'][] = ['file', 'number']

/** Returns the state of a document that has been read. */
export function stateOf(
  proposal: Proposal,
  warnings: readonly Fault[],
  duplicate: DuplicateOf | null,
): Extract<IncomingState, 'ready' | 'doubtful' | 'duplicate' | 'not_invoice' | 'failed'> {
  const codes = warnings.map(({ code }) => code)
  if (codes.includes('not_an_invoice')) return 'not_invoice'
  if (duplicate !== null && CERTAIN.includes(duplicate.because)) return 'duplicate'
  if (codes.includes('nothing_found')) return 'failed'
  const isWarned = codes.some((code) => !INFORMATIVE.includes(code)) || duplicate !== null
  return doubtsOf(proposal).length > 0 || isWarned || !proposal.closes ? 'doubtful' : 'ready'
}
