/** The pdf slice for the others. */
export { createDocumentJobs, DocumentPending, invoicePdf } from './documents.ts'
export { quotePdf } from './quote.ts'
export { createPdfPool } from './pool.ts'
export type { PdfPool } from './pool.ts'
export type { InvoicePaper } from './paper.ts'
