/** Exports of the PDF slice: draws documents as PDF files, from plain data to bytes. */
export type { PaperArea } from './layout/index.ts'
export { labelsFor } from './labels/index.ts'
export { date as printedDate } from './number-format.ts'
export { drawInvoice } from './draw.ts'
export { sepaQrText } from './sepa-qr.ts'
export type { InvoicePaper, PaperParty, PaperPayment } from './paper.ts'
