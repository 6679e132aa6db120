/** Exports of the electronic invoice slice for other slices: structured files of issued invoices. */
export { ciiXml } from './cii.ts'
export { facturaeXml } from './facturae.ts'
export { availableFormats, FORMAT_FAULTS } from './formats.ts'
export type { StructuredFormat } from './formats.ts'
export { eInvoiceOf } from './invoice.ts'
export type { EInvoice, IssuedFacts } from './invoice.ts'
export { ublXml } from './ubl.ts'
