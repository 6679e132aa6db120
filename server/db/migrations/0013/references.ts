/** Finds the invoices that name one of another program, which has no row: by its number, whatever its capitals. */
export const references = `
create index invoice_references_elsewhere on invoice_references (lower(number)) where target_id is null;
`
