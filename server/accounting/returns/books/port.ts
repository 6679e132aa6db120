/** Exports for the check of an invoice before its issue: its rows in the VAT books, without what writes the books. */
export type { BookRow } from './book-row.ts'
export { issuedRows, taxCellsOf } from './issued-rows.ts'
