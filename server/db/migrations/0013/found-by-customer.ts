/**
 * Issued invoices of a customer by their total: an invoice like the one to be issued is found by one seek, however many drafts
 * and invoices the customer has. Documents to draw by the instant they are due: those put off are not read until then.
 */
export const foundByCustomer = `
create index invoices_alike on invoices (party_id, total_cents, cancelled_at, list_date) where number is not null;
create index document_queue_due on document_queue (next_attempt_at, invoice_id);
`
