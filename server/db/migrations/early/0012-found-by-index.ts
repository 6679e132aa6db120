/**
 * What was found by reading everything.
 *
 * Whether an invoice was accepted, in the index by date: a page of accepted ones skips thousands of newer drafts, or of records
 * that wait for the network, without reading any of them. A comparison would be computed from the row all the same; SQLite
 * takes a `case` from the index (https://sqlite.org/expridx.html). One byte an invoice.
 *
 * The exchange that a stop cut off, of which there is one or none: looked for at every start.
 */
export const foundByIndex = `
drop index invoices_by_date;
create index invoices_by_date on invoices
  (book_id, list_date, id, case registry_status when 'accepted' then 1 else 0 end);
create index registry_batches_running on registry_batches (book_id) where outcome = 'running';
`
