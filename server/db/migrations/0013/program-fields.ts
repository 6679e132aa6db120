/**
 * What other programs keep beside a record and look for: free fields, when an invoice last changed, and their own reference.
 * Whatever changes an invoice or what is owed of it tells of it, so its events say when it changed.
 */
export const programFields = `
alter table invoices add column metadata text not null default '{}' check (json_valid(metadata));
alter table contacts add column metadata text not null default '{}' check (json_valid(metadata));
alter table items add column metadata text not null default '{}' check (json_valid(metadata));
alter table invoices add column updated_at integer not null default 0;
update invoices set updated_at = max(created_at, coalesce(issued_at, 0), coalesce(cancelled_at, 0));
create trigger invoices_told after insert on events when json_extract(new.data, '$.invoiceId') is not null
  begin update invoices set updated_at = new.at where public_id = json_extract(new.data, '$.invoiceId'); end;
create index invoices_by_update on invoices (book_id, updated_at);
create index invoices_by_external_ref on invoices (book_id, external_ref) where external_ref is not null;
create index contacts_by_update on contacts (book_id, updated_at);
create index items_by_update on items (book_id, updated_at);
`
