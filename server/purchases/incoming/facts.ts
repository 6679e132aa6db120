/** What of a document finds the same invoice, and what belongs to it, elsewhere in the books. Pure. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import type { Proposal } from '../intake/contract.ts'
import { supplierNumberKey } from '../invoices/index.ts'

export interface IncomingFacts {
  /** Row of the document itself, which is no duplicate of itself. */
  rowId: number
  /** Rows of its files. */
  fileIds: readonly number[]
  supplierName: string | null
  nif: string | null
  number: string | null
  issueDate: BusinessDate | null
  /** In its own currency. */
  totalCents: Cents | null
  payableCents: Cents | null
  currency: string
  iban: string | null
  qrUrl: string | null
  /** 16 hexadecimal digits. */
  pictureHash: string | null
}

const cents = (euros: number | undefined): Cents | null =>
  euros === undefined ? null : Math.round(euros * 100)

/** Returns the facts of a document that has been read. */
export function factsOf(
  { rowId, fileIds, pictureHash }: Pick<IncomingFacts, 'rowId' | 'fileIds' | 'pictureHash'>,
  proposal: Proposal,
): IncomingFacts {
  return {
    rowId,
    fileIds,
    pictureHash,
    supplierName: proposal.supplierName ?? null,
    nif: proposal.supplierNif === undefined ? null : normalizeNif(proposal.supplierNif),
    number: proposal.supplierNumber ?? null,
    issueDate: proposal.issueDate ?? null,
    totalCents: cents(proposal.total),
    payableCents: cents(proposal.payable ?? proposal.total),
    currency: proposal.currency ?? 'EUR',
    iban: proposal.iban ?? null,
    qrUrl: proposal.qrUrl ?? null,
  }
}

/** Returns the columns by which a document is listed and found. */
export function columnsOf(facts: IncomingFacts) {
  const key = supplierNumberKey(facts.number)
  return {
    supplier_name: facts.supplierName,
    supplier_nif: facts.nif,
    supplier_number: facts.number,
    number_key: key === '' ? null : key,
    issue_date: facts.issueDate,
    total_cents: facts.totalCents,
    currency: facts.totalCents === null ? null : facts.currency,
    picture_hash: facts.pictureHash === null ? null : Buffer.from(facts.pictureHash, 'hex'),
  }
}
