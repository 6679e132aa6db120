/** Lines of drafts may leave the price or the quantity for later. */
export const draftLines = `
alter table invoice_lines add column missing text
  check (missing in ('quantity', 'unitPrice', 'quantity,unitPrice'));
`
