/** The day an invoice's tax accrues. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { InvoiceKind } from '../contract.ts'

/**
 * That of the operation, else that of the issue (LIVA art. 75): its month is the month the invoice counts in. What a
 * rectifying invoice changes counts in the period of its own issue (LIVA arts. 89.Cinco and 114.Dos), whenever the operation
 * was that it says the date of.
 */
export function accrualDateOf(invoice: {
  kind: InvoiceKind
  operationDate: BusinessDate | null
  issueDate: BusinessDate
}): BusinessDate {
  if (invoice.kind.startsWith('R')) return invoice.issueDate
  return invoice.operationDate ?? invoice.issueDate
}
