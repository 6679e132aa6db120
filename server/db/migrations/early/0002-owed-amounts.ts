/** What customers owe, day by day, from an index alone: the front page adds it up at every change. */
export const owedAmounts = `
drop index invoices_owed;
create index invoices_owed on invoices (book_id, due_date, id, due_cents) where is_owed = 1;
`
