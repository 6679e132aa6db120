/** The invoices slice for the others. */
export { amendInvoice } from './amend.ts'
export { writeInBulk } from './bulk.ts'
export type { BulkInvoice } from './bulk.ts'
export { cancelInvoice } from './cancel.ts'
export { pruneConfirmations } from './confirmations.ts'
export { totalsOf } from './content.ts'
export type { DraftContent, DraftLine } from './content.ts'
export { findDocument, keepDocument, postponeDocument, waitingDocuments } from './documents.ts'
export type { StoredDocument, WaitingDocument } from './documents.ts'
export { createDraft, deleteDraft, updateDraft } from './drafts.ts'
export {
  clientTotals,
  countDrafts,
  monthFigures,
  monthTaxes,
  oldestOwed,
  overdueFigures,
  owedFigures,
  periodQuality,
} from './figures.ts'
export type { ClientTotal, MonthFigures, PeriodTax } from './figures.ts'
export { getInvoice, readInvoice, resolveInvoice } from './get.ts'
export { issueInvoice } from './issue.ts'
export { listInvoices, windowInvoices } from './list.ts'
export { legalMentions } from './mentions.ts'
export { partyFacts } from './parties.ts'
export type { PartyFacts } from './parties.ts'
export { contentOf, setRegistryStatus } from './rows.ts'
export type { InvoiceRow } from './rows.ts'
export { validateInvoice } from './validate.ts'
export { verifyNumbering, verifyTotals } from './verify.ts'
