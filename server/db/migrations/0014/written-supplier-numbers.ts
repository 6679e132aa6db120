/** Keeps a supplier's foreign identifier as it is written; the column beside stays what it is found and compared by. */
export const writtenSupplierNumbers = `
alter table received_invoices add column supplier_nif_written text;
`
