/** First schema: answers of the services that are asked on demand. */

export const lookupsTables = `
-- Evidence of what a service answered and when: never changed.
create table vat_number_checks (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  contact_id integer references contacts on delete set null,
  vat_number text not null,
  valid integer not null check (valid in (0, 1)),
  name text,
  address text,
  requester text,
  consultation text,
  simulated integer not null check (simulated in (0, 1)),
  checked_at integer not null
) strict;
create index vat_number_checks_by_number on vat_number_checks (book_id, vat_number, id);
create index vat_number_checks_by_contact on vat_number_checks (contact_id) where contact_id is not null;
create trigger vat_number_checks_frozen before update of
  book_id, public_id, vat_number, valid, name, address, requester, consultation, simulated, checked_at on vat_number_checks
begin select raise(abort, 'frozen: vat_number_checks'); end;

create table census_checks (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  contact_id integer references contacts on delete set null,
  nif text not null,
  name text not null,
  result text not null check (result in ('identified', 'similar', 'not_identified', 'inactive', 'revoked')),
  census_name text,
  simulated integer not null check (simulated in (0, 1)),
  checked_at integer not null
) strict;
create index census_checks_by_nif on census_checks (book_id, nif, id);
create index census_checks_by_contact on census_checks (contact_id) where contact_id is not null;
create trigger census_checks_frozen before update of
  book_id, public_id, nif, name, result, census_name, simulated, checked_at on census_checks
begin select raise(abort, 'frozen: census_checks'); end;

-- Units of the currency for one euro, in millionths, on the days the source published one. Each book has its own, so that a
-- stand-in's rates never reach a live one.
create table exchange_rates (
  book_id integer not null references books,
  currency text not null check (length(currency) = 3),
  day text not null check (length(day) = 10),
  rate_micro integer not null check (rate_micro > 0),
  source text not null,
  simulated integer not null check (simulated in (0, 1)),
  fetched_at integer not null,
  primary key (book_id, currency, day)
) strict, without rowid;
`
