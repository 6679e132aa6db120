/** Exports of the documents slice for other slices: an invoice's documents, signed and stored. */
export { countSignable, facturaeName, invoicePdf, issuedDocument } from './invoice.ts'
export { createDocumentJobs, documentWork } from './jobs.ts'
export { isPaidByTransfer } from './payment.ts'
export { DocumentPending } from './wait-limit.ts'
export { createDocumentPool } from './pool.ts'
export type { DocumentPool } from './pool.ts'
export { quotePdf } from './quote.ts'
export type { DocumentJob, MadeDocument } from './worker.ts'
