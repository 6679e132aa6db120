/** The invoices slice for the others. */
export { amendInvoice } from './amend.ts'
export { writeInBulk } from './bulk.ts'
export type { BulkInvoice } from './bulk.ts'
export { waitingApprovals } from './approvals.ts'
export { decideApproval, getApproval, listApprovals } from './approvals-decide.ts'
export { cancelInvoice } from './cancel.ts'
export { pruneConfirmations } from './confirmations.ts'
export { assertFiguresGiven } from './check-lines.ts'
export { composeDraft, inputOf } from './compose.ts'
export type { Composition } from './compose.ts'
export { documentTotals, PLAIN_CONTENT, PLAIN_LINE, isRectifying, isSimplified, totalsOf } from './content.ts'
export type { DraftContent, DraftLine } from './content.ts'
export {
  bytesBySha256,
  countUnsigned,
  documentsOf,
  firstDocument,
  keepDocument,
  keepSignature,
  postponeDocument,
  waitingDocuments,
} from './documents.ts'
export type { NewDocument, NewSignature, StoredDocument, WaitingDocument } from './documents.ts'
export { createDraft, deleteDraft, updateDraft } from './drafts.ts'
export { examineDraft } from './examine.ts'
export { examineRecord } from './examine-record.ts'
export { exportInvoices } from './export.ts'
export { countDrafts, oldestOwed } from './figures.ts'
export { getInvoice, issuedRow, readInvoice, resolveInvoice } from './get.ts'
export { issueInvoice } from './issue.ts'
export { issuedOf, listInvoices, windowInvoices } from './list.ts'
export { mentionsOf } from './mentions.ts'
export { previewRectification, rectifyInvoice, rectifyOptions } from './rectify.ts'
export { substituteInvoices } from './substitute.ts'
export { markUncollectible, settleInvoice } from './settle.ts'
export { accrualDateOf } from './accrual.ts'
export { partyFacts, partyView } from './parties.ts'
export type { PartyFacts } from './parties.ts'
export { contentOf, findInvoiceByRow, setRegistryStatus } from './rows.ts'
export type { InvoiceRow } from './rows.ts'
export { breakdownView, invoiceView, lineViews, withholdingView } from './view.ts'
export { validateInvoice } from './validate.ts'
export { verifyNumbering, verifyTotals } from './verify.ts'
export { verifyConfirmations } from './verify-confirmations.ts'
export { verifyDocuments } from './verify-documents.ts'
