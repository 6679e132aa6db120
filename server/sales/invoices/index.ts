/** Public interface of the invoices. */
export { writeInBulk } from './issue/bulk.ts'
export type { BulkInvoice } from './issue/bulk.ts'
export { waitingApprovals } from './issue/approvals.ts'
export { decideApproval } from './issue/decide-approval.ts'
export { pruneConfirmations } from './issue/confirmations.ts'
export { assertFiguresGiven } from './draft/check-lines.ts'
export { composeDraft, inputOf } from './draft/compose.ts'
export type { Composition } from './draft/compose.ts'
export { documentTotals, PLAIN_CONTENT, PLAIN_LINE, totalsOf } from './content.ts'
export { isRectifying, isSimplified } from './kinds.ts'
export type { DraftContent, DraftLine } from './content.ts'
export {
  bytesBySha256,
  countUnsigned,
  DOCUMENT_CONTENTS,
  documentsOf,
  firstDocument,
  readDocument,
  saveDocument,
  saveSignature,
  nextDocumentAt,
  withBytes,
  postponeDocument,
  waitingDocuments,
} from './issue/documents.ts'
export type { DocumentEntry, NewDocument, NewSignature, StoredDocument } from './issue/documents.ts'
export { createDraft, deleteDraft } from './draft/drafts.ts'
export { shownInstalments } from './content.ts'
export { instalmentsOfInvoice, spreadOverInstalments } from './instalments.ts'
export type { InstalmentPart, OpenInstalment } from './instalments.ts'
export { clearedFor, NOT_IN_RECURRING, mapTextFields } from './fields.ts'
export { examineDraft } from './issue/examine.ts'
export { amendedFacts, requestedChanges } from './correct/requested-changes.ts'
export { examineRecord } from './correct/examine-record.ts'
export { countDrafts, oldestOwed } from './read/open-amounts.ts'
export { getInvoice, issuedRow, readInvoice, resolveInvoice } from './read/get.ts'
export {
  deleteHistoryInvoice,
  HISTORY_TARGET,
  insertHistoryInvoice,
  openCentsOf,
  setHistoryOpen,
} from './history/write.ts'
export { issueInvoice } from './issue/issue.ts'
export { issuedOf, listInvoices } from './read/list.ts'
export { mentionsOf } from './content.ts'
export { thirdPartyOf } from './issued-by.ts'
export { previewRectification, rectifyInvoice, rectifyOptions } from './correct/rectify.ts'
export { markUncollectible, settleInvoice } from './settle.ts'
export { accrualDateOf } from './content.ts'
export { partyFacts, partyView } from './draft/parties.ts'
export type { PartyFacts } from './draft/parties.ts'
export { contentOf, findInvoiceByRow, findTaxes, setRegistryStatus } from './rows.ts'
export type { InvoiceRow, LineRow, TaxRow } from './rows.ts'
export type { BookedInvoice } from './issue/issue.ts'
export { breakdownView, invoiceView, lineViews, withholdingView } from './read/view.ts'
export { validateInvoice } from './issue/validate.ts'
export { verifyNumbering, verifyTotals } from './verify/verify.ts'
export { verifyConfirmations } from './verify/verify-confirmations.ts'
export { verifyDocuments } from './verify/verify-documents.ts'
