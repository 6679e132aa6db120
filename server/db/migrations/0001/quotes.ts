/** First schema: quotes, proformas and delivery notes, their earlier versions, and what was invoiced of them. */

export const quotesTables = `
create table quotes (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  kind text not null check (kind in ('quote', 'proforma', 'delivery_note')),
  state text not null check (state in ('draft', 'sent', 'accepted', 'rejected')),
  series_id integer references series,
  sequence integer check (sequence >= 1),
  number text,
  date text not null,
  valid_until text,
  contact_id integer references contacts on delete set null,
  client_name text not null,
  client_nif text,
  search text not null,
  -- The input of an invoice with everything inferred written out: the customer's data as they were.
  content text not null check (json_valid(content)),
  hide_prices integer not null default 0 check (hide_prices in (0, 1)),
  currency text not null default 'EUR' check (length(currency) = 3),
  base_cents integer not null,
  tax_cents integer not null,
  total_cents integer not null,
  -- 1 when nothing is left to invoice.
  is_spent integer not null default 0 check (is_spent in (0, 1)),
  -- Grows when a document that somebody has seen is changed.
  revision integer not null default 1 check (revision >= 1),
  version integer not null default 1,
  created_at integer not null,
  updated_at integer not null,
  sent_at integer,
  decided_at integer,
  check ((series_id is null) = (sequence is null) and (sequence is null) = (number is null)),
  check (state = 'draft' or number is not null)
) strict;
create unique index quotes_by_number on quotes (series_id, sequence) where sequence is not null;
create index quotes_by_date on quotes (book_id, date, id);
create index quotes_by_contact on quotes (contact_id, date, id) where contact_id is not null;
create trigger quotes_number_kept before update of number, sequence, series_id on quotes when old.number is not null
  begin select raise(abort, 'frozen: quotes'); end;

-- What a document said before it was changed, when somebody had seen it.
create table quote_revisions (
  quote_id integer not null references quotes on delete cascade,
  revision integer not null,
  date text not null,
  valid_until text,
  content text not null check (json_valid(content)),
  base_cents integer not null,
  tax_cents integer not null,
  total_cents integer not null,
  replaced_at integer not null,
  primary key (quote_id, revision)
) strict, without rowid;
create trigger quote_revisions_frozen before update on quote_revisions
  begin select raise(abort, 'frozen: quote_revisions'); end;

-- Invoices made from a quote. A draft that is deleted takes its row along, and what it took is open again.
create table quote_conversions (
  id integer primary key,
  quote_id integer not null references quotes,
  invoice_id integer not null references invoices on delete cascade,
  kind text not null check (kind in ('lines', 'deposit')),
  percent_bp integer check (percent_bp between 1 and 10000),
  -- Lines: [{position, quantityMicro, discountCents, costCents}]. Deposits, asked for (+) and taken off again (-): [{group, cents}].
  lines text not null default '[]' check (json_valid(lines)),
  deposits text not null default '[]' check (json_valid(deposits)),
  discount_cents integer not null default 0,
  -- 1 when its invoice was annulled and what it took was given to another.
  is_released integer not null default 0 check (is_released in (0, 1)),
  created_at integer not null
) strict;
create index quote_conversions_by_quote on quote_conversions (quote_id, id);
create index quote_conversions_by_invoice on quote_conversions (invoice_id);
create trigger quotes_open_again after delete on quote_conversions
  begin update quotes set is_spent = 0 where id = old.quote_id; end;
`
