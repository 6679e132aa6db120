/** What would be entered of a document as it was read, and which of its values nothing proves. Pure. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { Proposal } from '../intake/contract.ts'
import type { ReceivedInput } from '../invoices/contract.ts'

/** Returns the input of an entry; null if the document lacks a name, a day or taxes, or a rate of exchange. */
export function inputOfProposal(proposal: Proposal, today: BusinessDate): ReceivedInput | null {
  const { supplierName, issueDate, taxLines, currency = 'EUR' } = proposal
  if (supplierName === undefined || issueDate === undefined || taxLines.length === 0) return null
  if (currency !== 'EUR') return null
  const address = proposal.supplierAddress
  const country = proposal.supplierCountry
  return {
    supplierName,
    issueDate,
    receptionDate: today,
    taxLines,
    ...(proposal.kind === undefined ? {} : { kind: proposal.kind }),
    ...(proposal.supplierNif === undefined ? {} : { supplierNif: proposal.supplierNif }),
    ...(proposal.supplierId === undefined ? {} : { supplierId: proposal.supplierId }),
    ...(country === undefined && address === undefined
      ? {}
      : {
          supplier: {
            ...(country === undefined ? {} : { country }),
            ...(address === undefined ? {} : { address }),
          },
        }),
    ...(proposal.supplierNumber === undefined ? {} : { supplierNumber: proposal.supplierNumber }),
    ...(proposal.operationDate === undefined ? {} : { operationDate: proposal.operationDate }),
    ...(proposal.dueDate === undefined ? {} : { dueDate: proposal.dueDate }),
    ...(proposal.withholding === undefined ? {} : { withholding: proposal.withholding }),
    ...(proposal.paymentMethod === undefined ? {} : { paymentMethod: proposal.paymentMethod }),
    ...(proposal.concept === undefined ? {} : { concept: proposal.concept }),
    ...(proposal.account === undefined ? {} : { account: proposal.account }),
    ...(proposal.rectifies === undefined ? {} : { rectifies: proposal.rectifies }),
  }
}
