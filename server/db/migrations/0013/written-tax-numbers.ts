/** Keeps foreign identifiers as they are written; the column beside stays what they are found and compared by. */
export const writtenTaxNumbers = `
alter table contacts add column nif_written text;
`
