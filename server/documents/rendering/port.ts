/** Exports for the check of an invoice before its issue: what its paper will show, without what draws it. */
export { invoiceOnPaper } from './paper-of.ts'
