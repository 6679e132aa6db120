/** First schema: what the business sells. */

export const itemsTables = `
create table items (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  sku text,
  name text not null check (length(name) between 1 and 120),
  description text,
  unit text,
  unit_price_micro integer not null,
  price_mode text not null check (price_mode in ('net', 'gross')),
  tax_treatment text not null,
  regime_key text,
  cause text,
  vat_rate_bp integer check (vat_rate_bp between 0 and 10000),
  withholdable integer not null default 1 check (withholdable in (0, 1)),
  -- Ledger account of its sales.
  account text,
  active integer not null default 1 check (active in (0, 1)),
  search text not null,
  -- The name as names are compared.
  name_key text not null,
  version integer not null default 1,
  created_at integer not null,
  updated_at integer not null
) strict;
create unique index items_by_sku on items (book_id, sku) where sku is not null;
create index items_by_name on items (book_id, search, id);
create index items_by_name_key on items (book_id, name_key);
`
