/** Invoices that a third party or the customer issued in the company's name (RD 1619/2012 art. 5). */

export const issuedBy = `
-- Null: the company issued it. The customer is the party of the invoice; a third party is named here.
alter table invoices add column issued_by text check (issued_by in ('third_party', 'recipient'));
alter table invoices add column issued_by_name text;
alter table invoices add column issued_by_nif text;
alter table invoices add column issued_by_id_type text;
alter table invoices add column issued_by_country text;
alter table invoices add column issued_by_street text;
alter table invoices add column issued_by_postal_code text;
alter table invoices add column issued_by_city text;
alter table invoices add column issued_by_province text;
create trigger invoices_issued_by_frozen before update of issued_by, issued_by_name, issued_by_nif, issued_by_id_type,
  issued_by_country, issued_by_street, issued_by_postal_code, issued_by_city, issued_by_province
  on invoices when old.state = 'issued'
  begin select raise(abort, 'frozen: invoices'); end;
`
