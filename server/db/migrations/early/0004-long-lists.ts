/** What the long lists of the window are found and counted by, at any place, without reading the rows themselves. */

/**
 * Histories and journals only grow at their end, so these indexes are written there too. One narrow row for each event
 * serves every filter of the history; the journal's index by day learns what an entry comes from.
 */
export const longLists = `
create index audit_events_by_place on audit_events (book_id, sequence, at, actor_id, outcome, action);
drop index journal_entries_by_day;
create index journal_entries_by_day on journal_entries (book_id, day, id, source_type);

-- PDFs that were kept without a signature, and have none since: found without a look at the documents.
create table unsigned_documents (
  book_id integer not null references books,
  invoice_id integer not null references invoices,
  document_id integer not null references documents,
  primary key (book_id, invoice_id, document_id)
) strict, without rowid;
insert into unsigned_documents (book_id, invoice_id, document_id)
  select invoices.book_id, invoices.id, documents.id from documents
  join invoices on invoices.id = documents.invoice_id
  where documents.format <> 'facturae'
    and not exists (select 1 from document_signatures where document_id = documents.id);
create trigger documents_unsigned after insert on documents when new.format <> 'facturae'
  begin
    insert into unsigned_documents (book_id, invoice_id, document_id)
      select book_id, id, new.id from invoices where id = new.invoice_id;
  end;
create trigger documents_signed after insert on document_signatures
  begin
    delete from unsigned_documents where document_id = new.document_id and (book_id, invoice_id) =
      (select invoices.book_id, invoices.id from documents join invoices on invoices.id = documents.invoice_id
        where documents.id = new.document_id);
  end;
`
