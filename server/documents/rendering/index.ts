/** Exports of the documents slice for other slices: an invoice's documents, signed and stored. */
export { sampleDesign } from './design-sample.ts'
export { cancelExport, createExport, exportFile, getExport } from './exports/exports.ts'
export {
  countSignable,
  facturaeName,
  invoicePdf,
  issuedDocument,
  previewInvoice,
  signInvoice,
} from './invoice.ts'
export { createDocumentJobs } from './jobs.ts'
export { isPaidByTransfer } from './payment.ts'
export { DocumentPending } from './wait-limit.ts'
export { createDocumentPool } from './pool.ts'
export type { DocumentPool } from './pool.ts'
export { previewQuote, quotePdf } from './quote.ts'
export type { DocumentJob, MadeDocument } from './worker.ts'
