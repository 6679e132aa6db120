/** First schema: contacts, and who stood on an invoice word for word. */

export const contactsTables = `
create table contacts (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  name text not null,
  trade_name text,
  nif text,
  id_type text check (id_type in ('02', '03', '04', '05', '06', '07')),
  kind text check (kind in ('natural', 'legal')),
  -- Null while nobody has said: the NIF may tell.
  is_business integer check (is_business in (0, 1)),
  is_customer integer not null default 1 check (is_customer in (0, 1)),
  is_supplier integer not null default 0 check (is_supplier in (0, 1)),
  street text, postal_code text, city text, province text,
  country text not null default 'ES' check (length(country) = 2),
  email text, phone text,
  iban text,
  payment_method text check (payment_method in ('transfer', 'direct_debit', 'card', 'cash', 'bizum', 'cheque', 'other')),
  -- How operations with it are usually taxed, when not like any sale.
  tax_treatment text,
  cause text,
  -- Where a public body takes its invoices (DIR3): accounting office, managing body, processing unit.
  dir3_office text check (length(dir3_office) = 9),
  dir3_body text check (length(dir3_body) = 9),
  dir3_unit text check (length(dir3_unit) = 9),
  tags text not null default '[]' check (json_valid(tags)),
  external_refs text not null default '[]' check (json_valid(external_refs)),
  surcharge integer not null default 0 check (surcharge in (0, 1)),
  withholding_bp integer check (withholding_bp between 0 and 5000),
  payment_days integer check (payment_days between 0 and 365),
  language text check (language in ('es', 'ca', 'eu', 'gl', 'en', 'fr', 'de', 'pt')),
  notes text,
  search text not null,
  -- The name as names are compared.
  name_key text not null,
  used_at integer,
  -- It was a second entry of this one: kept out of sight, so that what names it still leads somewhere.
  merged_into integer references contacts,
  version integer not null default 1,
  created_at integer not null,
  updated_at integer not null
) strict;
create index contacts_by_name on contacts (book_id, search, id);
create index contacts_by_name_key on contacts (book_id, name_key);
create index contacts_by_nif on contacts (book_id, nif) where nif is not null;
create index contacts_merged on contacts (merged_into) where merged_into is not null;

-- Two entries of one and the same made one: what changed and what was moved, so that it can be taken back.
create table contact_merges (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  kept_id integer not null references contacts on delete cascade,
  merged_id integer not null references contacts on delete cascade,
  -- Columns of the one that stays, as they were and as they became.
  before text not null check (json_valid(before)),
  after text not null check (json_valid(after)),
  -- Keys of the rows that were moved, by table.
  moved text not null check (json_valid(moved)),
  merged_at integer not null,
  undone_at integer
) strict;
create index contact_merges_by_kept on contact_merges (kept_id);
create index contact_merges_by_merged on contact_merges (merged_id);

-- Two that look alike and are not the same.
create table contacts_apart (
  first_id integer not null references contacts on delete cascade,
  second_id integer not null references contacts on delete cascade,
  primary key (first_id, second_id),
  check (first_id < second_id)
) strict, without rowid;
create index contacts_apart_by_second on contacts_apart (second_id);

-- Who stood on an invoice, word for word: one immutable row for each distinct set of facts, shared by the invoices that
-- show it. So a snapshot costs a number, and a search by customer looks at parties instead of invoices.
create table parties (
  id integer primary key,
  book_id integer not null references books,
  digest blob not null check (length(digest) = 16),
  name text not null,
  trade_name text,
  nif text,
  id_type text,
  street text, postal_code text, city text, province text,
  country text not null,
  email text, phone text, iban text, registry_inscription text,
  dir3_office text check (length(dir3_office) = 9),
  dir3_body text check (length(dir3_body) = 9),
  dir3_unit text check (length(dir3_unit) = 9),
  search text not null,
  unique (book_id, digest)
) strict;
create index parties_by_nif on parties (book_id, nif) where nif is not null;
create trigger parties_frozen before update on parties begin select raise(abort, 'frozen: parties'); end;
`
